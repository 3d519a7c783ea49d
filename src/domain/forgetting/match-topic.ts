import { type ForgetRequest, VAGUE_WORDS } from "#core/language/forget-requests";
import { analyse } from "#core/text/analyse";
import { tellingWords } from "./words-of.ts";

const VAGUE: ReadonlySet<string> = new Set(analyse(VAGUE_WORDS));

export function isVague(word: string): boolean {
  return VAGUE.has(word);
}

/** What a request names, in the words of the index: surely, in its own sentence, and in the rest of its message. */
export type Topic = { named: string[]; beside: string[]; around: string[]; kept: string[][] };

export function topicOf({ object, beside, around, kept }: ForgetRequest): Topic {
  const words = (text: string) => [...tellingWords(text)].filter((word) => !VAGUE.has(word));
  const named = words(object);
  return { named, beside: words(beside), around: words(around), kept: kept.map(words) };
}

/** The first letters that two forms of a word share: "combo" and "combination", "weight" and "weigh". */
const SHARED_LETTERS = 4;
const SHARED_PART = 0.6;

/** Whether two words of the index are forms of one word. */
export function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a.charAt(shared) === b.charAt(shared)) shared += 1;
  return shared >= SHARED_LETTERS && shared >= Math.max(a.length, b.length) * SHARED_PART;
}

/** How many of the words are in the text. */
export function countIn(words: readonly string[], text: ReadonlySet<string>): number {
  return words.filter((word) => text.has(word) || [...text].some((other) => isNear(word, other))).length;
}
