import { stemmer } from "stemmer";
import { IRREGULAR_FORMS, VARIANT_WORDS } from "./irregular-forms.ts";
import { fold, normalise } from "./normalize.ts";
import { bigrams, segmentRun } from "./segment.ts";

const MAX_TOKEN = 64;

const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々〆ー";
const LETTER = `[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]`;
const NOT_AFTER_WORD = "(?<![\\p{L}\\p{N}])";
const NOT_BEFORE_WORD = "(?![\\p{L}\\p{N}])";

/** The units of a text, one named group each. No group can fail far from where it began, so the scan is linear. */
const UNITS = new RegExp(
  [
    `(?<run>[${UNSPACED}][${UNSPACED}\\p{M}]*)`,
    `${NOT_AFTER_WORD}(?:(?<sharp>[CFJcfj])#|(?<plus>[Cc])\\+\\+|\\.(?<dot>NET|Net|net))(?!\\p{L})`,
    `${NOT_AFTER_WORD}(?<initials>\\p{L}(?:\\.\\p{L}){1,9})${NOT_BEFORE_WORD}`,
    `${NOT_AFTER_WORD}(?<number>\\p{Nd}{1,20}(?:[.,:]\\p{Nd}{1,20}){1,4})${NOT_BEFORE_WORD}`,
    `(?<word>${LETTER}+(?:['_\\-]${LETTER}+)*)`,
    "(?<picture>\\p{Extended_Pictographic}|\\p{Regional_Indicator}{2})",
  ].join("|"),
  "gv",
);
const ADDRESS_HEAD = /\bhttps?:\/\/(?:www\.)?/gi;

/**
 * The tokens of a text in order, the same for documents and questions. Each holds only a-z, 0-9 and code points from 128 up, at
 * most 64 UTF-16 units, so that FTS5's `ascii` tokenizer keeps it whole. Never throws; linear in the length of the text.
 */
export function analyse(text: string): readonly string[] {
  return text.length < LONG ? tokensOf(text) : recall(text);
}

/** UTF-16 units from which the tokens of a text are remembered, and those of all texts that are. */
const LONG = 200;
const MOST_REMEMBERED = 200_000;

const remembered = new Map<string, readonly string[]>();
let rememberedUnits = 0;

/** The tokens of a long text: a question is read several times by one search, and a passage again by what embeds it. */
function recall(text: string): readonly string[] {
  const before = remembered.get(text);
  if (before !== undefined) return before;
  const tokens = tokensOf(text);
  if (text.length > MOST_REMEMBERED) return tokens;
  if (rememberedUnits + text.length > MOST_REMEMBERED) {
    remembered.clear();
    rememberedUnits = 0;
  }
  remembered.set(text, tokens);
  rememberedUnits += text.length;
  return tokens;
}

function tokensOf(text: string): string[] {
  const plain = normalise(text).replace(ADDRESS_HEAD, " ");
  const german = isGerman(plain);
  const tokens: string[] = [];
  for (const { groups = {} } of plain.matchAll(UNITS))
    for (const token of unitTokens(groups, german)) if (token !== "") tokens.push(cut(token));
  return tokens;
}

/** What `splitCompound` would return as it is: letters of ASCII, of which only the first may be a capital. */
const ONE_WORD = /^[A-Za-z]?[a-z]+$/;

function unitTokens(unit: Record<string, string | undefined>, german: boolean): string[] {
  if (unit.word !== undefined && ONE_WORD.test(unit.word)) return wordTokens(cut(unit.word), german);
  if (unit.word !== undefined) return splitCompound(unit.word).flatMap((word) => wordTokens(cut(word), german));
  if (unit.run !== undefined) return segmentRun(unit.run).map(fold);
  if (unit.number !== undefined) return numberTokens(unit.number);
  if (unit.initials !== undefined) return wordTokens(unit.initials.replaceAll(".", ""), german);
  if (unit.picture !== undefined) return [unit.picture];
  if (unit.sharp !== undefined) return [`${unit.sharp.toLowerCase()}sharp`];
  return unit.plus === undefined ? ["dotnet"] : ["cplusplus"];
}

/** "10,000" is 10000; "3.11" and "5:30" are one token and their parts. */
function numberTokens(number: string): string[] {
  if (/^\d{1,3}(?:,\d{3})+$/.test(number)) return [number.replaceAll(",", "")];
  const parts = number.split(/[.,:]/);
  return [parts.join("·"), ...parts];
}

const NOT_UMLAUT = /^[a-zA-Z]+$/;

/** Latin words are stemmed, German ones also by its own endings; Arabic loses its article; Hangul, whose particles are written with the word, is kept as bigrams too. */
function wordTokens(word: string, german: boolean): string[] {
  const folded = fold(word);
  if (/^[a-z]+$/.test(folded)) {
    if (!german && NOT_UMLAUT.test(word)) return [stemEnglish(folded)];
    const spellings = [folded, ...umlautSpelling(word), ...(german ? [stemGerman(folded)] : [])];
    return [...new Set(spellings.map(stemEnglish))];
  }
  if (/^\p{Script=Arabic}/u.test(folded)) return [folded.replace(/^(?:[وبكف]?ال)(?=.{3})/u, "")];
  const characters = [...folded];
  if (characters.length >= 3 && /^\p{Script=Hangul}+$/u.test(folded)) return [folded, ...bigrams(characters)];
  return [folded.replace(/[\0-/:-`{-\x7f]/g, "")];
}

function cut(token: string): string {
  if (token.length <= MAX_TOKEN) return token;
  const end = /[\ud800-\udbff]/.test(token.charAt(MAX_TOKEN - 1)) ? MAX_TOKEN - 1 : MAX_TOKEN;
  return token.slice(0, end);
}

const MONTH_AND_YEAR = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

/** What the text column of the index holds for a passage: its tokens and those of the month and year of the conversation, in UTC. */
export function indexTokens(passage: string, when: Date | null): string {
  const month = when === null || Number.isNaN(when.getTime()) ? [] : analyse(MONTH_AND_YEAR.format(when));
  return [...analyse(passage), ...month].join(" ");
}

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
