import { htmlToText } from "#domain/sources";
import { NOTHING_LEFT_OUT, type Parsed, type ParsedConversation, type ParsedMessage } from "./parsed.ts";
import { framesOf, promptIn } from "./prompt-frames.ts";
import { readTime } from "./read-time.ts";
import { listOf, recordOf, textOf } from "./values.ts";

/** Google keeps no borders of conversations: after so long a silence, another one begins. */
export const SILENCE_MS = 30 * 60_000;

type Activity = { at: number; raw: string; prompt: string; answer: string | null };

/** Conversations of the activities of Gemini in Google Takeout: those between which there are less than 30 minutes belong together. */
export function parseGemini(raws: readonly unknown[], { now }: { now: number }): { parsed: Parsed[]; leftOut: number } {
  const records = raws.map(recordOf).filter(isOfGemini);
  const titled = records.map((record) => ({ record, raw: textOf(record.title) ?? "", answer: answerOf(record) }));
  const frames = framesOf(titled.map(({ raw, answer }) => ({ title: raw, isAnswered: answer !== null })));
  const activities = titled.flatMap(({ record, raw, answer }): Activity[] => {
    const at = readTime(record.time, now);
    const { prompt, isFramed } = promptIn(raw, frames);
    // What has neither the words around a prompt nor an answer is another thing that was done, such as a rating.
    return at === null || prompt === "" || (!isFramed && answer === null) ? [] : [{ at, raw, prompt, answer }];
  });
  const inOrder = activities.toSorted((a, b) => a.at - b.at);
  return { parsed: grouped(inOrder).map(toConversation), leftOut: raws.length - activities.length };
}

/** Takeout has the activities of every product in files of one form. The product's name is not translated. */
function isOfGemini({ header, products }: Readonly<Record<string, unknown>>): boolean {
  return [header, ...listOf(products)].some((name) => typeof name === "string" && /gemini|bard/i.test(name.slice(0, 200)));
}

function answerOf(record: Readonly<Record<string, unknown>>): string | null {
  const texts = listOf(record.safeHtmlItem).flatMap((item) => textOf(recordOf(item).html) ?? []);
  return textOf(texts.flatMap((html) => htmlToText(html) ?? []).join("\n\n"));
}

function grouped(activities: readonly Activity[]): Activity[][] {
  const groups: Activity[][] = [];
  for (const activity of activities) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group !== undefined && before !== undefined && activity.at - before.at < SILENCE_MS) group.push(activity);
    else groups.push([activity]);
  }
  return groups;
}

/** A title is shown in lists: of a prompt, its beginning. */
const TITLE_CHARACTERS = 80;

function toConversation(group: readonly Activity[]): ParsedConversation {
  const [first] = group;
  const ids = new Map<string, number>();
  const messages = group.flatMap(({ at, raw, prompt, answer }): ParsedMessage[] => {
    const name = new Date(at).toISOString();
    const before = ids.get(name) ?? 0;
    ids.set(name, before + 1);
    const id = before === 0 ? name : `${name} ${before + 1} ${raw.length}`;
    return [
      { id: `${id} prompt`, role: "user", text: prompt, at },
      ...(answer === null ? [] : [{ id: `${id} answer`, role: "assistant" as const, text: answer, at }]),
    ];
  });
  const title = (first?.prompt ?? "").split("\n")[0] ?? "";
  return {
    kind: "conversation",
    id: JSON.stringify([first?.at ?? 0, first?.raw ?? ""]),
    title: title.length > TITLE_CHARACTERS ? `${title.slice(0, TITLE_CHARACTERS).toWellFormed()}…` : title,
    at: first?.at ?? null,
    messages,
    leftOut: { ...NOTHING_LEFT_OUT },
    notes: [],
  };
}
