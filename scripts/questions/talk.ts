import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { toNormalizedText } from "#core/language/folded";
import { fitting } from "../../src/domain/facts/fit-list.ts";
import type { KeptItem, ReplayedList } from "../../src/domain/facts/kept-list.ts";
import { questionOf } from "../../src/domain/facts/list-question.ts";
import type { QuestionForm } from "../../src/domain/facts/question-forms.ts";
import { replayLists } from "../../src/domain/facts/replay-lists.ts";
import { talkIn, wordsIn } from "../../src/domain/facts/talk-words.ts";

const Words = z.array(z.string());
const Chat = z.object({
  id: z.string(),
  lang: z.enum(["en", "de", "es", "fr", "zh"]),
  /** `list`: what is on the list after the message. */
  turns: z.array(z.object({ text: z.string(), list: Words.nullable() })),
  /** The items, one item, `count:N`, `yes`, `no`, `not stored` or `not a list question`. */
  questions: z.array(z.object({ q: z.string(), answer: z.union([z.string(), Words]) })),
});
export type ListChat = z.infer<typeof Chat>;

/** The chats of each author, by the name of their file. */
export async function readChats(folder: string): Promise<Map<string, ListChat[]>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const files = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
  return new Map(
    files.map((file, i) => [
      names[i] ?? "",
      file
        .trim()
        .split("\n")
        .map((line) => Chat.parse(JSON.parse(line))),
    ]),
  );
}

const norm = (text: string): string => toNormalizedText(text).trim();

/** The list of a chat after its first messages, as its author gives it; what was taken off counts as done. Null before there is one. */
export function trueList({ turns }: ListChat, upTo = turns.length): ReplayedList | null {
  const states = turns.slice(0, upTo).flatMap(({ list }) => (list === null ? [] : [list]));
  const now = states.at(-1);
  if (now === undefined) return null;
  const open = new Set(now.map(norm));
  const gone = new Map(states.flat().flatMap((value) => (open.has(norm(value)) ? [] : [[norm(value), value]])));
  const item = (state: KeptItem["state"]) => (value: string) => ({ label: null, value, state, unsure: false, odds: 1 });
  // One message alone: later ones are read with the model that is trained here.
  const stating = turns.find(({ list }) => list !== null);
  const [read] = replayLists(stating === undefined ? [] : [{ text: stating.text, session: 0, at: 0 }]);
  return {
    talk: talkIn(toNormalizedText(turns.map(({ text }) => text).join(" "))),
    head: read?.head ?? introOf(turns),
    items: [...now.map(item("open")), ...[...gone.values()].map(item("done"))],
    ordered: read?.ordered ?? false,
    unsure: false,
    odds: 1,
    orderOdds: 1,
    topic: read?.topic ?? null,
    session: 0,
    statedAt: 0,
    touchedAt: 0,
    touched: 0,
    changed: [],
    edited: turns.length > 1,
    ruled: null,
  };
}

/** The words before the first item. */
function introOf(turns: ListChat["turns"]): string {
  const stating = turns.find(({ list }) => list !== null);
  const at = stating?.text.toLowerCase().indexOf(stating.list?.[0]?.toLowerCase() ?? "") ?? -1;
  return stating === undefined || at <= 0 ? "" : stating.text.slice(0, at);
}

export function saidIn({ turns }: ListChat, { talk }: ReplayedList): ReadonlySet<string> {
  return new Set(turns.flatMap(({ text }) => wordsIn(norm(text), talk).map(({ stem }) => stem)));
}

/** The form of a question by its answer; null if the answer is of none of the forms. */
export function formByAnswer(
  q: string,
  answer: ListChat["questions"][number]["answer"],
  list: ReplayedList,
): QuestionForm | null {
  const open = list.items.filter(({ state }) => state === "open").map(({ value }) => norm(value));
  if (answer === "not a list question" || answer === "not stored") return "nothing";
  if (answer === "yes" || answer === "no") {
    const question = questionOf(q);
    const states = new Set(question === null ? [] : fitting(question, list).mentions.map(({ item }) => item.state));
    if (states.size === 0) return answer === "no" ? "member" : null;
    if (states.size > 1) return null;
    return states.has("open") === (answer === "yes") ? "member" : "deed";
  }
  if (typeof answer === "string") return answer === `count:${open.length}` ? "count" : null;
  const values = answer.map(norm);
  if (values.length === open.length && open.every((value) => values.includes(value))) return "items";
  const done = list.items.filter(({ state }) => state === "done").map(({ value }) => norm(value));
  if (values.length > 0 && values.every((value) => done.includes(value))) return "done";
  return values.length === 1 ? "place" : null;
}
