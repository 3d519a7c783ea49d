import { analyse } from "#core/text/analyse";
import { normalizeText } from "#core/text/normalize";
import { STOP_WORDS } from "#core/text/stop-words";
import { languageOf } from "./language.ts";

/** Of the words of a statement that carry meaning, more than this share has to have been said: "dislikes olives" rests on "can't stand olives". */
const SAID_SHARE = 1 / 3;

const MONTHS_AND_DAYS =
  "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday " +
  "januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag";
/** What a statement is framed with, and what a relative date becomes. */
const FRAME = new Set(analyse(`user speaker person called named since seit desde depuis ${MONTHS_AND_DAYS}`));

const DAY = "(?:\\d{1,2}(?:st|nd|rd|th|\\.)?)";
const MONTH = `(?:${MONTHS_AND_DAYS.split(" ").join("|")}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?`;
/** Dates and times of day: a model reckons them from "tomorrow at three". */
const DATES = new RegExp(
  `\\d{4}-\\d{2}(?:-\\d{2})?(?:T[\\d:.]+Z?)?|\\b${DAY}\\s+(?:of\\s+)?${MONTH}(?!\\p{L})|\\b${MONTH}\\s+${DAY}(?!\\d)|\\b\\d{1,2}:\\d{2}\\b|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|\\b(?:19|20)\\d{2}\\b|\\d{1,4}\\s?[年月日](?:[上中下]旬)?`,
  "giu",
);

/** What a text says, for looking statements up in it. */
export type StatedWords = { words: ReadonlySet<string>; numbers: readonly string[] };

export function statedIn(text: string): StatedWords {
  return { words: new Set(analyse(text)), numbers: numbersIn(text) };
}

export type Grounds = {
  /** The message on which it rests. */
  message: StatedWords;
  /** What all users said. */
  said: StatedWords;
  /** Names of those who take part or are known. */
  names: StatedWords;
};

/** Whether a statement says no more than what was said: enough of its words, one of them in the message itself, every number and every name. */
export function isSupported(content: string, { message, said, names }: Grounds): boolean {
  const plain = content.replace(DATES, " ");
  const numbers = numbersIn(plain);
  if (!numbers.every((number) => isSaid(number, said))) return false;
  const isKnown = (word: string) => names.words.has(word);
  const isStated = (word: string) => said.words.has(word);
  // "He moved" may be told as "Bob moved": a name that is known and was not said speaks neither for the statement nor against it.
  const words = weighty(plain).filter((word) => isStated(word) || !isKnown(word));
  const shared = words.filter(isStated).length + numbers.length;
  if (shared === 0 || shared <= (words.length + numbers.length) * SAID_SHARE) return false;
  if (!words.some((word) => message.words.has(word)) && !numbers.some((number) => isSaid(number, message))) return false;
  return namesIn(plain).every((name) => analyse(name).some((word) => isStated(word) || isKnown(word)));
}

/** The words that carry meaning, each once. */
export function weighty(text: string): string[] {
  return [...new Set(analyse(text))].filter(
    (word) => /^\P{Nd}*\p{L}\P{Nd}*$/u.test(word) && !STOP_WORDS.has(word) && !FRAME.has(word),
  );
}

/** The digits of each number of two or more. */
function numbersIn(text: string): string[] {
  const numbers = normalizeText(text, "NFKC").match(/\d(?:[\d.,' ]*\d)?/g) ?? [];
  return numbers.map((number) => number.replace(/\D/g, "")).filter((digits) => digits.length > 1);
}

/** "150k" is said by "150,000", and the other way round. */
function isSaid(number: string, { numbers }: StatedWords): boolean {
  return numbers.some((one) => one.startsWith(number) || number.startsWith(one));
}

/** Words with a capital inside a sentence, without days and months; German writes every noun so. */
function namesIn(content: string): string[] {
  if (languageOf(content) === "de") return [];
  return [...content.matchAll(/(?<=[\p{L}\p{N},'’)] )\p{Lu}[\p{L}\p{N}'’-]+/gu)]
    .map(([name]) => name)
    .filter((name) => analyse(name).some((word) => !FRAME.has(word)));
}
