import { z } from "zod";

/** LoCoMo (Maharana et al., 2024; CC BY-NC 4.0, so no part of it is kept here). */
export type Turn = { id: string; speaker: string; text: string };
export type Session = { number: number; occurredAt: Date; turns: Turn[] };
type Question = { text: string; evidence: Set<string>; category: number };
export type Conversation = { id: string; sessions: Session[]; questions: Question[] };

const turnSchema = z.object({ speaker: z.string(), dia_id: z.string(), text: z.string(), blip_caption: z.string().optional() });
const fileSchema = z.array(
  z.object({
    sample_id: z.string(),
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(z.object({ question: z.coerce.string(), evidence: z.array(z.string()).optional(), category: z.number() })),
  }),
);

/** Reads the file's own shape; questions whose evidence names no turn of the conversation are left out. */
export function parseLocomo(json: string): Conversation[] {
  return fileSchema.parse(JSON.parse(json)).map(({ sample_id, conversation, qa }) => {
    const sessions = readSessions(conversation);
    const known = new Set(sessions.flatMap(({ turns }) => turns.map(({ id }) => id)));
    const questions = qa.map(({ question, evidence = [], category }) => ({
      text: question,
      category,
      evidence: new Set(evidence.flatMap(parseEvidence).filter((id) => known.has(id))),
    }));
    return { id: sample_id, sessions, questions: questions.filter(({ evidence }) => evidence.size > 0) };
  });
}

/** Turn ids in a string that may hold several, or a stray colon or zero: "D8:6; D9:17", "D:11:26", "D30:05". */
export function parseEvidence(text: string): string[] {
  return [...text.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`);
}

/** "1:56 pm on 8 May, 2023", taken as UTC. */
export function parseDateTime(text: string): Date {
  const [, hour = "0", minute = "0", half = "am", day = "1", month = "January", year = "1970"] =
    /(\d+):(\d+)\s*([ap]m) on (\d+) (\w+),? (\d+)/i.exec(text) ?? [];
  const date = new Date(`${day} ${month} ${year} 00:00 UTC`);
  date.setUTCHours((Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0), Number(minute));
  return date;
}

function readSessions(conversation: Record<string, unknown>): Session[] {
  return Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
    .map((number) => ({
      number,
      occurredAt: parseDateTime(z.string().parse(conversation[`session_${number}_date_time`])),
      turns: z.array(turnSchema).parse(conversation[`session_${number}`]).map(toTurn),
    }))
    .filter(({ turns }) => turns.length > 0);
}

/** A picture is sent as an app would send it: its caption in brackets after the text. */
function toTurn({ dia_id, speaker, text, blip_caption }: z.infer<typeof turnSchema>): Turn {
  const id = parseEvidence(dia_id)[0] ?? dia_id;
  return { id, speaker, text: blip_caption === undefined ? text : `${text} [photo: ${blip_caption}]`.trim() };
}
