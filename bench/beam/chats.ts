import { z } from "zod";

/** BEAM (Tavakoli et al., 2025) as JSON: no part of it is kept here. */
const Chats = z.array(
  z.object({
    id: z.string(),
    messages: z.array(
      z.object({ id: z.number().int(), role: z.enum(["user", "assistant"]), text: z.string(), at: z.iso.date().nullish() }),
    ),
    questions: z.array(z.object({ category: z.string(), question: z.string(), evidence: z.array(z.number().int()) })),
  }),
);

export type BeamMessage = { id: string; role: "user" | "assistant"; text: string; occurredAt: Date };
export type BeamQuestion = { category: string; text: string; evidence: string[] };
export type BeamChat = { id: string; sessions: BeamMessage[][]; questions: BeamQuestion[] };

const DAY_MS = 86_400_000;
/** The first message of a day, and the time between two. */
const MORNING_MS = 6 * 3_600_000;
const PAUSE_MS = 60_000;

/**
 * The messages of one day are a session. With `lastDay`, all days are moved so that the last message is of that day: a question is asked
 * when the chat ends, and what holds for a month must not have expired years ago.
 *
 * @throws ZodError if the file has another form.
 */
export function parseChats(json: string, lastDay?: Date): BeamChat[] {
  return Chats.parse(JSON.parse(json)).map(({ id, messages, questions }) => {
    const dated = withDays(messages);
    const last = Math.max(...dated.map(({ day }) => day));
    const moved = lastDay === undefined ? 0 : Math.floor(lastDay.getTime() / DAY_MS) * DAY_MS - last;
    const sessions = [...Map.groupBy(dated, ({ day }) => day)].map(([day, of]) =>
      of.map(({ message: { id: own, role, text } }, i) => ({
        id: String(own),
        role,
        text,
        occurredAt: new Date(day + moved + MORNING_MS + i * PAUSE_MS),
      })),
    );
    const known = new Set(messages.map((message) => message.id));
    const asked = questions.map(({ category, question, evidence }) => ({
      category,
      text: question,
      evidence: [...new Set(evidence)].filter((one) => known.has(one)).map(String),
    }));
    return { id, sessions, questions: asked.filter(({ evidence }) => evidence.length > 0) };
  });
}

/** Each message with its day, Unix milliseconds; one without a date is of the day of the message before it. */
function withDays<T extends { at?: string | null | undefined }>(messages: readonly T[]): { day: number; message: T }[] {
  let day = 0;
  return messages.map((message) => {
    if (message.at != null) day = Date.parse(message.at);
    return { day, message };
  });
}
