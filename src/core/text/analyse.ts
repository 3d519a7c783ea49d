import { fold, normalise } from "./normalize.ts";
import { bigrams, segmentRun } from "./segment.ts";
import { isGerman, splitCompound, stemEnglish, stemGerman, umlautSpelling } from "./words.ts";

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
export function analyse(text: string): string[] {
  const plain = normalise(text).replace(ADDRESS_HEAD, " ");
  const german = isGerman(plain);
  const tokens: string[] = [];
  for (const { groups = {} } of plain.matchAll(UNITS))
    for (const token of unitTokens(groups, german)) if (token !== "") tokens.push(cut(token));
  return tokens;
}

function unitTokens(unit: Record<string, string | undefined>, german: boolean): string[] {
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

/** Latin words are stemmed, German ones also by its own endings; Arabic loses its article; Hangul, whose particles are written with the word, is kept as bigrams too. */
function wordTokens(word: string, german: boolean): string[] {
  const folded = fold(word);
  if (/^[a-z]+$/.test(folded)) {
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
  const tokens = analyse(passage);
  if (when !== null && !Number.isNaN(when.getTime())) tokens.push(...analyse(MONTH_AND_YEAR.format(when)));
  return tokens.join(" ");
}
