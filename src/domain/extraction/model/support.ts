import { languageOf } from "#core/language/language-of";
import { analyse } from "#core/text/analyse";
import { isAdverse, isNegated } from "#core/text/negation";
import { nameKey, normalizeText } from "#core/text/normalize";
import { STOP_WORDS } from "#core/text/stop-words";
import { containsWords } from "./conversation.ts";

/** The share of a statement's content words above which they must have been said: "dislikes olives" is supported by "can't stand olives". */
const SAID_SHARE = 1 / 3;

const MONTHS_AND_DAYS =
  "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday " +
  "januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag";
/** Words that a model adds to a statement, and words of dates that it computes. */
const FRAME = new Set(analyse(`user speaker person called named since seit desde depuis ${MONTHS_AND_DAYS}`));

const DAY = "(?:\\d{1,2}(?:st|nd|rd|th|\\.)?)";
const MONTH = `(?:${MONTHS_AND_DAYS.split(" ").join("|")}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?`;
/** Dates and times of day, which a model computes from "tomorrow at three". */
const DATES = new RegExp(
  `\\d{4}-\\d{2}(?:-\\d{2})?(?:T[\\d:.]+Z?)?|\\b${DAY}\\s+(?:of\\s+)?${MONTH}(?!\\p{L})|\\b${MONTH}\\s+${DAY}(?!\\d)|\\b\\d{1,2}:\\d{2}\\b|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|\\b(?:19|20)\\d{2}\\b|\\d{1,4}\\s?[年月日](?:[上中下]旬)?`,
  "giu",
);

/** The words and numbers of a text, for looking statements up in it. */
export type StatedWords = { words: ReadonlySet<string>; numbers: readonly string[] };

export function statedIn(text: string): StatedWords {
  return { words: new Set(analyse(text)), numbers: numbersIn(text) };
}

export type Grounds = {
  /** The message that it quotes. */
  message: StatedWords;
  /** What all users said. */
  said: StatedWords;
  /** Names of participants and known persons. */
  names: StatedWords;
};

/** Whether a statement adds nothing to what was said: enough of its words were said, one of them in the quoted message, and every number and name. */
export function isSupported(content: string, { message, said, names }: Grounds): boolean {
  const plain = content.replace(DATES, " ");
  const numbers = numbersIn(plain);
  if (!numbers.every((number) => isSaid(number, said))) return false;
  const isKnown = (word: string) => names.words.has(word);
  const isStated = (word: string) => said.words.has(word);
  // "He moved" may become "Bob moved": a known name that was not said counts neither way.
  const words = contentWords(plain).filter((word) => isStated(word) || !isKnown(word));
  const shared = words.filter(isStated).length + numbers.length;
  if (shared === 0 || shared <= (words.length + numbers.length) * SAID_SHARE) return false;
  if (!words.some((word) => message.words.has(word)) && !numbers.some((number) => isSaid(number, message))) return false;
  return namesIn(plain).every((name) => analyse(name).some((word) => isStated(word) || isKnown(word)));
}

/** The words that carry meaning, each once: no stop words, no numbers, no frame. */
export function contentWords(text: string): string[] {
  return [...new Set(analyse(text))].filter(
    (word) => /^\P{Nd}*\p{L}\P{Nd}*$/u.test(word) && !STOP_WORDS.has(word) && !FRAME.has(word),
  );
}

/** The digits of each number that has at least two. */
function numbersIn(text: string): string[] {
  const numbers = normalizeText(text, "NFKC").match(/\d(?:[\d.,' ]*\d)?/g) ?? [];
  return numbers.map((number) => number.replace(/\D/g, "")).filter((digits) => digits.length > 1);
}

/** "150k" equals "150,000". */
function isSaid(number: string, { numbers }: StatedWords): boolean {
  return numbers.some((one) => one.startsWith(number) || number.startsWith(one));
}

/** Capitalised words inside a sentence, without days and months. Not for German, which capitalises all nouns. */
function namesIn(content: string): string[] {
  if (languageOf(content) === "de") return [];
  return [...content.matchAll(/(?<=[\p{L}\p{N},'’)] )\p{Lu}[\p{L}\p{N}'’-]+/gu)]
    .map(([name]) => name)
    .filter((name) => analyse(name).some((word) => !FRAME.has(word)));
}

/** A shorter quote needs its clause to support a statement; scripts without spaces count characters. */
const MIN_WORDS = 3;
const MIN_CHARACTERS = 4;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\s]+$/u;

const CLAUSE_BORDER =
  /[.!?;:\n…()。！？；：，、]+|[,–—]\s+|\s-\s|\s(?:but|and|so|because|though|although|aber|sondern|und|weil|pero|sino|porque|y|mais|car|et)\s|但是?/iu;

/** The clauses of a message that a quote is part of, contains or overlaps. */
export function clausesAround(quote: string, message: string): string[] {
  const parts = partsOfQuote(quote);
  return message.split(CLAUSE_BORDER).filter((clause) => {
    const key = nameKey(clause);
    return key !== "" && parts.some((part) => containsWords(key, part) || containsWords(part, key) || overlaps(key, part));
  });
}

/** Whether a quote begins or ends inside the clause. */
function overlaps(clause: string, quote: string): boolean {
  const words = clause.split(" ");
  return words.some((_, i) => {
    const [from, until] = [words.slice(i).join(" "), words.slice(0, i + 1).join(" ")];
    return (
      (quote.startsWith(`${from} `) || quote.endsWith(` ${until}`)) &&
      contentWords(quote.startsWith(`${from} `) ? from : until).length > 0
    );
  });
}

/** The parts of a quote between ellipses, which stand for omitted words, as `nameKey` makes them. */
export function partsOfQuote(quote: string): string[] {
  return quote
    .split(/\.{3,}|…/u)
    .map(nameKey)
    .filter((part) => part !== "");
}

/** Whether a quote can support a statement: it is long enough, is a whole clause, or has every content word of the statement. */
export function isQuoteEnough(quote: string, { content, clauses }: { content: string; clauses: readonly string[] }): boolean {
  const words = nameKey(quote).split(" ");
  if (UNSPACED.test(quote) ? quote.replace(/\s/gu, "").length >= MIN_CHARACTERS : words.length >= MIN_WORDS) return true;
  const quoted = new Set(contentWords(quote));
  const whole = [...clauses, clauses.join(" ")];
  return whole.some((clause) => nameKey(clause) === nameKey(quote)) || contentWords(content).every((word) => quoted.has(word));
}

/**
 * Whether a statement contradicts the clauses that it quotes: "is not married" for "I am happily married", or "likes olives" for "I don't
 * like olives". Clauses that share no word with the statement do not contradict it.
 */
export function isContrary(content: string, clauses: readonly string[]): boolean {
  if (clauses.length === 0) return false;
  if (isNegated(content)) return !clauses.some(isAdverse);
  if (isAdverse(content)) return false;
  const words = new Set(contentWords(content));
  const alike = clauses.filter((clause) => contentWords(clause).some((word) => words.has(word)));
  return alike.length > 0 && alike.every(isNegated);
}
