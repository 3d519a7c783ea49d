import { fold, normalise } from "./fold.ts";
import { bigrams, segmentRun } from "./segment.ts";
import { isGerman, stemEnglish, stemGerman, umlautSpelling } from "./stem.ts";

const MAX_TOKEN = 64;
const JOINED_MAX = 32;
const JOINED_PARTS = 4;
const MIXED_PIECES = 3;

const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々〆ー";
const LETTER = `[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]`;

/**
 * The units of a text, one named group each: runs without spaces; C++, C#, .NET; numbers with separators; words, with
 * the apostrophes, hyphens and underscores inside them; pictures. No group can start where another one goes on, so it is linear.
 */
const UNITS = new RegExp(
  [
    `(?<run>[${UNSPACED}][${UNSPACED}\\p{M}]*)`,
    "(?<![\\p{L}\\p{N}])(?:(?<sharp>[CFJcfj])#|(?<plus>[Cc])\\+\\+|\\.(?<dot>NET|Net|net))(?![\\p{L}])",
    "(?<number>(?<![\\p{L}\\p{N}])\\p{Nd}{1,20}(?:[.,:]\\p{Nd}{1,20}){1,4}(?![\\p{L}\\p{N}]))",
    `(?<word>${LETTER}+(?:['_\\-]${LETTER}+)*)`,
    "(?<picture>\\p{Extended_Pictographic}|\\p{Regional_Indicator}{2})",
  ].join("|"),
  "gv",
);
const URL_NOISE = /\bhttps?:\/\/(?:www\.)?/gi;

/**
 * The tokens of a text in order, the same for documents and questions. Each holds only a-z, 0-9 and code points from 128 up, at most 64
 * UTF-16 units, so that FTS5's `ascii` tokenizer keeps it whole. Never throws; linear in the length of the text.
 */
export function analyse(text: string): string[] {
  const plain = normalise(text).replace(URL_NOISE, " ");
  const tokens: string[] = [];
  const german = isGerman(plain);
  for (const { groups = {} } of plain.matchAll(UNITS)) {
    const { run, sharp, plus, dot, number, word, picture } = groups;
    if (word !== undefined) pushWord(tokens, word, german);
    else if (run !== undefined) for (const token of segmentRun(run)) push(tokens, fold(token));
    else if (number !== undefined) pushNumber(tokens, number);
    else if (picture !== undefined) push(tokens, picture);
    else if (sharp !== undefined) tokens.push(`${sharp.toLowerCase()}sharp`);
    else if (plus !== undefined) tokens.push(`${plus.toLowerCase()}plusplus`);
    else if (dot !== undefined) tokens.push("dotnet");
  }
  return tokens;
}

function push(tokens: string[], token: string): void {
  const kept =
    token.length > MAX_TOKEN
      ? token
          .slice(0, MAX_TOKEN)
          .toWellFormed()
          .replace(/\ufffd$/, "")
      : token;
  if (kept !== "") tokens.push(kept);
}

/** "10,000" is 10000; "3.11" and "5:30" are one token and their parts. */
function pushNumber(tokens: string[], number: string): void {
  if (/^\d{1,3}(?:,\d{3})+$/.test(number)) {
    push(tokens, number.replaceAll(",", ""));
    return;
  }
  const parts = number.split(/[.,:]/);
  push(tokens, parts.join("·"));
  for (const part of parts) push(tokens, part);
}

/** A compound yields its parts and, when short, itself in one: "e-mail", "user_id" and "GitHub" are found by "email", "userid" and "github". */
function pushWord(tokens: string[], word: string, german: boolean): void {
  const parts = word.split(/[_-]/).flatMap((part) => (part.includes("'") ? apostrophe(part) : part));
  const humps = parts.flatMap(splitHumps);
  for (const part of humps) pushSimple(tokens, part, german);
  if (
    humps.length > 1 &&
    humps.length <= JOINED_PARTS &&
    word.length <= JOINED_MAX &&
    (humps.length > parts.length || !word.includes("'"))
  ) {
    pushSimple(tokens, humps.join(""), german);
  }
}

function pushSimple(tokens: string[], part: string, german: boolean): void {
  const word = fold(
    part.length > MAX_TOKEN
      ? part
          .slice(0, MAX_TOKEN)
          .toWellFormed()
          .replace(/\ufffd$/, "")
      : part,
  );
  if (/^[a-z]+$/.test(word)) {
    const stem = stemEnglish(word);
    push(tokens, stem);
    const umlauts = umlautSpelling(part);
    if (umlauts !== undefined) push(tokens, stemEnglish(umlauts));
    const flexion = german ? stemEnglish(stemGerman(word)) : stem;
    if (flexion !== stem) push(tokens, flexion);
    return;
  }
  for (const token of otherScript(word)) push(tokens, token);
}

/** Arabic loses its article; Hangul, whose particles are written together with the word, is also kept as bigrams. */
function otherScript(word: string): string[] {
  if (/^\p{Script=Arabic}/u.test(word)) return [word.replace(/^(?:[وبكف]?ال)(?=.{3})/u, "")];
  const characters = [...word];
  if (characters.length >= 3 && /^\p{Script=Hangul}+$/u.test(word)) return [word, ...bigrams(characters)];
  return [word.replace(/[^a-z0-9\u0080-\u{10ffff}]/gu, "")];
}

const CONTRACTED = new Map([
  ["won't", ["will", "not"]],
  ["can't", ["can", "not"]],
  ["shan't", ["shall", "not"]],
  ["ain't", ["be", "not"]],
  ["let's", ["let"]],
  ["y'all", ["you", "all"]],
  ["i'm", ["i", "am"]],
]);
const ENDINGS: readonly [RegExp, string[]][] = [
  [/n't$/, ["not"]],
  [/'re$/, ["are"]],
  [/'ve$/, ["have"]],
  [/'ll$/, ["will"]],
  [/'d$/, ["would"]],
  [/'m$/, ["am"]],
  [/'s$/, []],
];
const ELISION = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'(?=\p{L}{2})/iu;

/** English contractions in full, without the possessive; French elisions without the elided word; other apostrophes ("O'Brien") closed up. */
function apostrophe(word: string): string[] {
  const lower = word.toLowerCase();
  const whole = CONTRACTED.get(lower);
  if (whole !== undefined) return whole;
  for (const [ending, expansion] of ENDINGS) {
    if (ending.test(lower)) return [word.replace(new RegExp(ending.source, "i"), "").replaceAll("'", ""), ...expansion];
  }
  return [word.replace(ELISION, "").replaceAll("'", "")];
}

const ORDINAL = /^\d+(?:st|nd|rd|th)$/i;
const HUMPS = /(?<=\p{Ll})(?=\p{Lu})/u;
const DIGITS_AND_LETTERS = /(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/u;

/** Splits camelCase, and digits from letters ("5pm", "covid19") unless they alternate as in an identifier. "7th" is 7. */
function splitHumps(word: string): string[] {
  if (ORDINAL.test(word)) return [word.slice(0, -2)];
  const pieces = word.split(DIGITS_AND_LETTERS);
  return (pieces.length > MIXED_PIECES ? [word] : pieces).flatMap(splitCamel);
}

/** "GitHub" is two words, "iPhone" one. */
function splitCamel(piece: string): string[] {
  const humps = piece.split(HUMPS);
  return humps.every((hump) => hump.length > 1) ? humps : [piece];
}
