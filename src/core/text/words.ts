import { stemmer } from "stemmer";
import { IRREGULAR_FORMS, VARIANT_WORDS } from "./irregular-forms.ts";

const JOINED_LENGTH = 32;
const JOINED_PARTS = 4;
const MIXED_PIECES = 3;

const ORDINAL = /^\d+(?:st|nd|rd|th)$/i;
const HUMPS = /(?<=\p{Ll})(?=\p{Lu})/u;
const DIGITS_AND_LETTERS = /(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/u;

/** Irregular contractions in full. */
const CONTRACTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["won't", ["will", "not"]],
  ["can't", ["can", "not"]],
  ["shan't", ["shall", "not"]],
  ["ain't", ["be", "not"]],
  ["y'all", ["you", "all"]],
]);
/** Endings and the words that they abbreviate; none for the possessive, "is" and "us". */
const ENDINGS: readonly (readonly [ending: string, words: readonly string[]])[] = [
  ["n't", ["not"]],
  ["'re", ["are"]],
  ["'ve", ["have"]],
  ["'ll", ["will"]],
  ["'d", ["would"]],
  ["'m", ["am"]],
  ["'s", []],
];
const ELISION = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'(?=\p{L}{2})/iu;

/**
 * The words of a run of letters and digits with hyphens, underscores or apostrophes in it. A short compound also yields itself
 * in one word: "e-mail", "user_id" and "GitHub" are found by "email", "userid" and "github".
 */
export function splitCompound(run: string): string[] {
  const parts = run.split(/[_-]/).flatMap((part) => (part.includes("'") ? apostrophe(part) : [part]));
  const words = parts.flatMap(splitPart);
  const joins = words.length > 1 && words.length <= JOINED_PARTS && run.length <= JOINED_LENGTH && !run.includes("'");
  return joins ? [...words, words.join("")] : words;
}

/** English contractions in full, without the possessive; French without the elided word; other names ("O'Brien") closed up. */
function apostrophe(part: string): readonly string[] {
  const lower = part.toLowerCase();
  const contraction = CONTRACTIONS.get(lower);
  if (contraction !== undefined) return contraction;
  const ending = ENDINGS.find(([suffix]) => lower.endsWith(suffix));
  if (ending !== undefined) return [part.slice(0, part.length - ending[0].length).replaceAll("'", ""), ...ending[1]];
  return [part.replace(ELISION, "").replaceAll("'", "")];
}

/** Splits camelCase, and digits from letters ("5pm", "covid19") unless they alternate as in an identifier. "7th" is 7. */
function splitPart(part: string): string[] {
  if (ORDINAL.test(part)) return [part.slice(0, -2)];
  const pieces = part.split(DIGITS_AND_LETTERS);
  return (pieces.length > MIXED_PIECES ? [part] : pieces).flatMap(splitCamel);
}

/** "GitHub" is two words, "iPhone" one. */
function splitCamel(piece: string): string[] {
  const humps = piece.split(HUMPS);
  return humps.every((hump) => hump.length > 1) ? humps : [piece];
}

const VARIANT_STEMS = new Map([...VARIANT_WORDS].map(([variant, lemma]): [string, string] => [stemmer(variant), stemmer(lemma)]));

const known = new Map<string, string>();
const KNOWN_WORDS = 20_000;

/** Porter (1980), with irregular forms before and spelling variants after it brought to one lemma. Takes a-z only; remembers what it has stemmed. */
export function stemEnglish(word: string): string {
  const before = known.get(word);
  if (before !== undefined) return before;
  const porter = stemmer(IRREGULAR_FORMS.get(word) ?? word);
  const stem = VARIANT_STEMS.get(porter) ?? porter;
  if (known.size >= KNOWN_WORDS) known.clear();
  known.set(word, stem);
  return stem;
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** The spelling of a German word on a keyboard without umlauts, if it has any. */
export function umlautSpelling(word: string): string[] {
  const lower = word.toLowerCase();
  const hasUmlaut = /[äöü]/.test(lower) && /^[a-zäöüß]+$/.test(lower);
  return hasUmlaut ? [lower.replace(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter)] : [];
}

const GERMAN =
  /(?<!\p{L})(?:[Ii]ch|und|[Dd]as|nicht|ist|[Ee]ine?[mnrs]?|für|auf|[Ww]ir|[Mm]eine?[mnrs]?|[Ww]elche[mnrs]?|[Ww]ie|[Ww]er|[Ww]o|sind|habe)(?!\p{L})|[äöüßÄÖÜ]/u;

/** Whether a text has a German function word that is no English word, or an umlaut. Ten thousand characters decide. */
export function isGerman(text: string): boolean {
  return GERMAN.test(text.slice(0, 10_000));
}

/** Takes the commonest endings of German inflection off a folded word, of which three letters stay. */
export function stemGerman(word: string): string {
  return word.replace(/(?<=.{3})(?:ern|em|er|en|es|e|n|s)$/, "");
}
