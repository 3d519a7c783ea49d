import { normalizeText } from "#core/text/normalize";
import { asciiLookAlike } from "./look-alikes.ts";

/** A text as it looks, in ASCII where possible. `spanOf` maps offsets in it to offsets in the text itself. */
export type PlainReading = { plain: string; spanOf: (start: number, end: number) => { start: number; end: number } };

/** Anything but printable ASCII and its white space. */
const UNUSUAL = /[^\t-\r\x20-\x7e]/;
/** Characters that may look like others: all but ASCII and the most frequent Chinese, Japanese and Korean characters. */
const READ_OTHERWISE =
  /[^\t-\r\x20-\x7e\u3001-\u300f\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3！（），；？]/;
/** Characters without width: formats, joiners, direction marks, tags, variation selectors, controls except white space, and replacement characters. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\ufffc\ufffd]$|^(?![\t-\r\x85])\p{Cc}$/u;
const BLANK = /^[\p{Zs}\u2800]$/u;
const DASH = /^[\p{Pd}\u02d7\u2043\u207b\u208b\u2212]$/u;
const DIGIT = /^\p{Nd}$/u;
/** Includes vowels and final consonants of decomposed Hangul. */
const MARK = /^[\p{Mn}\p{Me}\u1161-\u11ff]$/u;
/** Ordinal signs are words in Spanish, Italian and Portuguese: "n.º". */
const ORDINAL = /^[ªº]$/;
/** Chinese and Japanese punctuation, which ends a value where ASCII punctuation would not. */
const FULL_WIDTH_PUNCTUATION = /^[！（），；？]$/;
const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}]$/u;
/** Scripts in which combining marks may be dropped; in other scripts they are vowels and letters. */
const MARKED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/** Whether a UTF-16 unit has no width; half of a tag character has none either. */
export function isInvisible(unit: string | undefined): boolean {
  return unit !== undefined && INVISIBLE.test(unit);
}

type Kind = "plain" | "invisible" | "mark" | "word";
type Read = { kind: Kind; as: string; isAscii: boolean };

/**
 * The possible readings of a text, the plainest first. If invisible characters separate words, or a word has letters of several scripts, the
 * second reading has a space for each invisible character and keeps the letters: what looks like one word may be two, and the reverse.
 */
export function readPlainly(text: string): [PlainReading, ...PlainReading[]] {
  if (!READ_OTHERWISE.test(text)) return [{ plain: text, spanOf: (start, end) => ({ start, end }) }];
  const [together, differs] = read(text, { together: true });
  return differs ? [together, read(text, { together: false })[0]] : [together];
}

function read(text: string, { together }: { together: boolean }): [PlainReading, boolean] {
  const written = createWriter(text.length);
  let differs = false;
  /** The start of the current word, and whether it is ASCII only. */
  let wordFrom = 0;
  let isAscii = true;
  let parted = false;
  const endWord = () => {
    const looks = isAscii || !together ? null : looksLike(written.since(wordFrom));
    if (looks !== null) {
      differs = true;
      written.replace(wordFrom, looks);
    }
  };
  const add = (read: Read, at: number, end: number) => {
    const { kind, as } = read;
    if (kind === "plain") endWord();
    written.add(as, at, end);
    if (kind === "plain") {
      wordFrom = written.length();
      isAscii = true;
    } else if (!read.isAscii) isAscii = false;
  };
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    const read = readCharacter(character);
    if (read.kind === "invisible") {
      if (together) parted = true;
      else add(SPACE, at, end);
    } else if (read.kind !== "mark" || !written.mark(read.as, end)) {
      if (parted && isAsciiWord(written.last()) && isAsciiWord(read.as)) differs = true;
      parted = false;
      add(read, at, end);
    } else if (!ASCII.test(written.last())) isAscii = false;
    at = end;
  }
  endWord();
  return [written.reading(), differs];
}

const SPACE: Read = { kind: "plain", as: " ", isAscii: true };

function isAsciiWord(character: string): boolean {
  return /^[A-Za-z0-9]$/.test(character);
}

const known = new Map<string, Read>();
const MAX_KNOWN = 4_096;

function readCharacter(character: string): Read {
  const before = known.get(character);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const [kind, as] = classify(character);
  const read = { kind, as, isAscii: ASCII.test(as) };
  known.set(character, read);
  return read;
}

function classify(character: string): [Kind, string] {
  if (!UNUSUAL.test(character)) return [isAsciiWord(character) ? "word" : "plain", character];
  if (INVISIBLE.test(character)) return ["invisible", ""];
  if (MARK.test(character)) return ["mark", character];
  if (BLANK.test(character)) return ["plain", " "];
  if (DASH.test(character)) return ["plain", "-"];
  if (DIGIT.test(character)) return ["word", String(digitValue(character))];
  const as = compatible(character);
  return [WORD_CHARACTER.test(character) || isAsciiWord(as) ? "word" : "plain", as];
}

/** Unicode has decimal digits in rows of ten. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

/** ASCII characters in another form: full-width, mathematical, circled, small. */
function compatible(character: string): string {
  if (ORDINAL.test(character) || FULL_WIDTH_PUNCTUATION.test(character) || /^\p{No}$/u.test(character)) return character;
  const letter = emblem(character.codePointAt(0) ?? 0);
  if (letter !== null) return letter;
  const form = normalizeText(character, "NFKC");
  return /^[\x21-\x7e]$/.test(form) || /^(?:f[fil]{1,2}|st)$/.test(form) ? form : character;
}

/** Letters in black circles and squares and regional indicators, which have no compatibility form. */
function emblem(code: number): string | null {
  const first = [0x1f150, 0x1f170, 0x1f1e6].find((from) => code >= from && code < from + 26);
  return first === undefined ? null : String.fromCharCode(code - first + 65);
}

/** Words of statements about secrets, which are looked for in ASCII. */
const LABEL =
  /^(?:my)?(?:pass(?:word|wort|wd|code|phrase)?s?|kennwort|wachtwoord|pwd?|senha|mdp|secrets?|tokens?|(?:api|access|secret|private)?keys?|api|private|access|begin|end|rsa|openssh|bearer|basic|auth(?:orization)?|pins?|cv[vc]2?|seed|recovery|mnemonic|phrase|login|cred(?:ential)?s?|card|visa|mastercard)$/i;
const ASCII = /^[\0-\x7f]*$/;
const LATIN = /\p{Script=Latin}/u;
const OTHER_ALPHABET = /(?!\p{Script=Latin})\p{L}/u;

/** The ASCII form of a disguised word, whose letters are of two alphabets or which looks like a label; else null. */
function looksLike(word: readonly string[]): string[] | null {
  const ascii: string[] = [];
  for (const part of word) {
    const looks = asciiLookAlike(part);
    if (looks === null) return null;
    ascii.push(looks);
  }
  const text = word.join("");
  return (LATIN.test(text) && OTHER_ALPHABET.test(text)) || LABEL.test(ascii.join("")) ? ascii : null;
}

/** Collects the characters of a reading and their offsets. */
function createWriter(capacity: number) {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  return {
    length: () => parts.length,
    last: () => parts.at(-1) ?? "",
    since: (from: number) => parts.slice(from),
    add(as: string, start: number, end: number): void {
      parts.push(as);
      starts.push(start);
      ends.push(end);
    },
    /** Adds a combining mark to the last character, or drops it; false if it is a letter of its own. */
    mark(mark: string, end: number): boolean {
      const last = parts.at(-1);
      if (last === undefined || last === "\n") return false;
      const composed = normalizeText(last + mark, "NFC");
      if (composed.length === 1) parts[parts.length - 1] = composed;
      else if (!MARKED.test(last)) return false;
      ends[ends.length - 1] = end;
      return true;
    },
    replace(from: number, by: readonly string[]): void {
      parts.splice(from, by.length, ...by);
    },
    reading(): PlainReading {
      const plain = parts.join("");
      // If nothing was left out or changed its length, offsets are the same.
      if (plain.length === capacity && parts.length === capacity) return { plain, spanOf: (start, end) => ({ start, end }) };
      const partOf: number[] = [];
      for (const [index, part] of parts.entries()) for (let unit = 0; unit < part.length; unit += 1) partOf.push(index);
      const placeOf = (places: readonly number[], unit: number) => places[partOf[unit] ?? 0] ?? 0;
      return {
        plain,
        spanOf: (start, end) => ({
          start: placeOf(starts, start),
          end: end > start ? placeOf(ends, end - 1) : placeOf(starts, start),
        }),
      };
    },
  };
}
