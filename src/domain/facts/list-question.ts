import { toNormalizedText } from "#core/language/folded";
import { trimEnds } from "#core/text/trim-ends";
import { rankSpans } from "./ask-rank.ts";
import { plainLine } from "./list-statement.ts";
import { sentencesOf } from "./split-items.ts";
import { contentWords, type TalkClass, talkIn } from "./talk-words.ts";

/** A question as it is read: in lower case, without its mark. `exclaims`: it ends as an exclamation. */
export type Question = { text: string; asksByMark: boolean; exclaims: boolean };

const MAX_UNITS = 160;
const MARKS: ReadonlySet<string> = new Set("?？!.。");

/** The one question of a message; null for a longer message, which asks more than a list knows. */
export function questionOf(message: string): Question | null {
  const plain = plainLine(message);
  if (plain.length > MAX_UNITS || plain.includes("\n")) return null;
  const sentences = sentencesOf(plain);
  const [first] = sentences;
  if (first === undefined || sentences.length > 2) return null;
  const text = sentences.length === 1 ? trimEnds(plain, { end: MARKS }) : plain;
  const asksByMark = /[?？]/u.test(plain);
  return { text: toNormalizedText(text), asksByMark, exclaims: !asksByMark && /[!！]$/u.test(plain.trimEnd()) };
}

/** Words that a question about any list may have. */
export const EXPLAINING: readonly TalkClass[] = [
  "empty",
  "generic",
  "howMany",
  "howMuch",
  "what",
  "who",
  "show",
  "left",
  "isDone",
  "onList",
  "next",
  "before",
  "after",
  "verbs",
  "polarAnywhere",
];

const ASKING: readonly TalkClass[] = ["howMany", "howMuch", "what", "who", "show", "left", "generic", "polarAnywhere"];

/** Whether a message can be a question about a list at all, judged by its words alone. */
export function mayAskLists(message: string): boolean {
  const question = questionOf(message);
  if (question === null) return false;
  const { text, asksByMark } = question;
  const talk = talkIn(text);
  if (talk.leads("asksElse", text) > 0) return false;
  return (
    asksByMark || talk.leads("polar", text) > 0 || ASKING.some((name) => talk.has(name, text)) || rankSpans(text, talk).length > 0
  );
}

/** The words for what a question surely takes for a list of the speaker's ("did I give you a list of …"); null for any other question. */
export function namedList(message: string): string | null {
  const question = questionOf(message);
  if (question === null || !mayAskLists(message)) return null;
  const talk = talkIn(question.text);
  if (!talk.has("listNamed", question.text) || !talk.has("kinds", question.text)) return null;
  const named = EXPLAINING.filter((name) => name !== "verbs");
  const words = contentWords(question.text, talk, named).map(({ start, end }) => question.text.slice(start, end));
  return words.length === 0 ? null : words.join(" ");
}
