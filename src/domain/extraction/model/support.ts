import { languageOf } from "#core/language/language-of";
import { analyse } from "#core/text/analyse";
import { isAdverse, isNegated } from "#core/text/negation";
import { nameKey, normalizeText } from "#core/text/normalize";
import { STOP_WORDS } from "#core/text/stop-words";
import { numberValues } from "./number-values.ts";
import type { MessageClause } from "./quoted-clauses.ts";

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

/** Words by which a model paraphrases a clause ("Follows a vegan diet" for "im vegan"); they count neither way. */
const PARAPHRASE = new Set(
  analyse("longer anymore currently now follow diet work job shift family member own has live mehr actualmente ya plus"),
);

/** The words and numbers of a text, for looking statements up in it. */
export type StatedWords = { words: ReadonlySet<string>; numbers: readonly string[]; values: ReadonlySet<number> };

export function statedIn(text: string): StatedWords {
  return { words: new Set(analyse(text)), numbers: numbersIn(text), values: numberValues(text) };
}

export type Grounds = {
  /** The sentences that it quotes, as far as they are the speaker's own. */
  quoted: StatedWords;
  /** What all users said. */
  said: StatedWords;
  /** Names of participants and known persons. */
  names: StatedWords;
};

/**
 * Whether a statement adds nothing to what was said: every number is in the quoted sentences, every name was said or is known, enough of its
 * words were said, and one of them in the quoted sentences.
 */
export function isSupported(content: string, { quoted, said, names }: Grounds): boolean {
  const plain = content.replace(DATES, " ");
  const numbers = numbersIn(plain);
  if (!numbers.every((number) => isSaid(number, quoted))) return false;
  // "Has two children" may be said of "my twins", but not of "three kids".
  if (quoted.values.size > 0 && ![...numberValues(plain)].every((value) => quoted.values.has(value))) return false;
  const isKnown = (word: string) => names.words.has(word);
  const isStated = (word: string) => said.words.has(word);
  // "He moved" may become "Bob moved": a known name that was not said counts neither way.
  const words = contentWords(plain).filter((word) => isStated(word) || (!isKnown(word) && !PARAPHRASE.has(word)));
  const shared = words.filter(isStated).length + numbers.length;
  if (shared === 0 || shared <= (words.length + numbers.length) * SAID_SHARE) return false;
  if (!analyse(plain).some((word) => quoted.words.has(word) && !STOP_WORDS.has(word)) && numbers.length === 0) return false;
  return namesIn(plain).every((name) => analyse(name).some((word) => isStated(word) || isKnown(word)));
}

/** The words that carry meaning, each once: no stop words, no numbers, no frame. */
export function contentWords(text: string): string[] {
  return [...new Set(analyse(text))].filter(
    (word) => /^\P{Nd}*\p{L}\P{Nd}*$/u.test(word) && !STOP_WORDS.has(word) && !FRAME.has(word),
  );
}

/** Whether a statement has no word or number beyond those of another, paraphrase aside: "Follows a vegan diet" of "im vegan btw". */
export function addsNothing(content: string, to: string): boolean {
  const words = contentWords(content).filter((word) => !PARAPHRASE.has(word));
  const all = new Set(analyse(to));
  return (
    words.length > 0 &&
    words.every((word) => all.has(word)) &&
    numbersIn(content).every((number) => numbersIn(to).includes(number))
  );
}

/** The digits of each number. */
function numbersIn(text: string): string[] {
  const numbers = normalizeText(text, "NFKC").match(/\d(?:[\d.,' ]*\d)?/g) ?? [];
  return numbers.map((number) => number.replace(/\D/g, ""));
}

/** "150k" equals "150,000", and "4" equals "four". */
function isSaid(number: string, { numbers, values }: StatedWords): boolean {
  if (values.has(Number(number)) || numbers.includes(number)) return true;
  return number.length > 1 && numbers.some((one) => one.length > 1 && (one.startsWith(number) || number.startsWith(one)));
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

/** Whether a quote can support a statement: it is long enough, is a whole clause, or has every content word of the statement. */
export function isQuoteEnough(quote: string, { content, clauses }: { content: string; clauses: readonly string[] }): boolean {
  const words = nameKey(quote).split(" ");
  if (UNSPACED.test(quote) ? quote.replace(/\s/gu, "").length >= MIN_CHARACTERS : words.length >= MIN_WORDS) return true;
  const quoted = new Set(contentWords(quote));
  const whole = [...clauses, clauses.join(" ")];
  return whole.some((clause) => nameKey(clause) === nameKey(quote)) || contentWords(content).every((word) => quoted.has(word));
}

/** "No longer", and words for what ended: "handed my notice in" supports "No longer works there". */
const NO_LONGER = /(?<!\p{L})(?:no longer|any ?more|nicht mehr|kein\p{L}{0,3} .{1,40} mehr|ya no|plus)(?!\p{L})|不再|已经不/iu;
const ENDED =
  /(?<!\p{L})(?:left|leaving|resigned|retired|sold|(?:my|her|his|the) notice|notice in|gave up|given up|broke up|broken up|split up|divorced|cancell?ed|dropped|lost|ended|finished with|done with|switched|fired|laid off|gekündigt|aufgehört|getrennt|verkauft|beendet|dejé|dejado|vendí|terminé|quitté|arrêté|vendu|fini)(?!\p{L})|辞职|离职|离开|分手|离婚|卖了|戒/iu;

/** Words that leave something out without a negation: "gluten-free" for "without gluten", "tea rather than coffee" for "tea, not coffee". */
const EXCLUDES =
  /(?<!\p{L})(?:free|rather than|instead of|statt|anstatt|en vez de|en lugar de|plutôt que|au lieu de)(?!\p{L})|\p{L}frei(?!\p{L})|而不是/iu;

/**
 * Whether a statement contradicts the clauses that it quotes: "is not married" for "I am happily married", or "likes olives" for "I don't
 * like olives". Clauses that share no word with the statement do not contradict it.
 */
export function isContrary(content: string, clauses: readonly string[]): boolean {
  if (clauses.length === 0) return false;
  if (NO_LONGER.test(content) && clauses.some((clause) => ENDED.test(clause))) return false;
  if (isNegated(content)) return !clauses.some(isAdverse);
  if (isAdverse(content) || EXCLUDES.test(content)) return false;
  const words = new Set(contentWords(content));
  const alike = clauses.filter((clause) => contentWords(clause).some((word) => words.has(word)));
  return alike.length > 0 && alike.every(isNegated);
}

/** The quoted clauses that share the most words with a statement: what it rests on. All of them if none shares any. */
export function supportingClauses(content: string, quoted: readonly MessageClause[]): MessageClause[] {
  const words = new Set(contentWords(content));
  const shared = quoted.map(({ text }) => contentWords(text).filter((word) => words.has(word)).length);
  const most = Math.max(0, ...shared);
  return quoted.filter((_, i) => shared[i] === most);
}
