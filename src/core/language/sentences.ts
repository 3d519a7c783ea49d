import { anyCase } from "#core/text/any-case";
import { alternatives } from "./patterns.ts";

export type Sentence = {
  start: number;
  end: number;
  isQuestion: boolean;
  /** The rest of a sentence that was cut for its length. */
  goesOn: boolean;
};

/** The length at which a sentence is cut, in UTF-16 units, because rules take time in proportion to it. */
export const SENTENCE_UNITS = 1000;
/** Where a sentence may be cut: after a mark between its clauses, else between words. */
const CLAUSE_MARK = /[,;:，、；：\n](?=[^,;:，、；：\n]*$)/u;

/** A longer line may have been wrapped by an editor; a shorter one was ended by its author. */
const WRAPPED_LINE_UNITS = 50;
const LIST_MARK = /^[ \t]*(?:[-*•+–]|\d{1,3}[.)]|[a-h]\))[ \t]+|^[ \t]*#{1,6}[ \t]+/u;
const ENDS = /(?<![.!?…])[.!?…]+["”’')\]\uFFFC]*(?=\s|$)|[。！？｡]+|(?<![?!])[?!]+(?=\p{L})/gu;
/** The marks at the end of a sentence. */
const CLOSING = /(?<![!?？\s"”’')\]])[!?？\s"”’')\]]+$/u;
const ABBREVIATION = new RegExp(
  anyCase(`(?:^|[\\s(])(?:${alternatives(({ abbreviations }) => abbreviations)}|(?-i:\\p{Lu}))\\.$`),
  "u",
);

/** Sentences, which end with a mark, a line or a paragraph. List marks and heading marks are no part of them. */
export function sentencesOf(text: string): Sentence[] {
  return linesOf(text).flatMap((line) => sentencesIn(text, line.start, line.end));
}

/** Lines; one that was only wrapped continues in the next. */
function linesOf(text: string): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const previous = lines.at(-1);
    const wrapped = previous !== undefined && previous.end === start - 1 && isWrapped(text, previous.start, start, end);
    if (wrapped) previous.end = end;
    else if (end > start) lines.push({ start: start + (LIST_MARK.exec(text.slice(start, start + 40))?.[0].length ?? 0), end });
    start = end + 1;
  }
  return lines;
}

function isWrapped(text: string, previousStart: number, start: number, end: number): boolean {
  const lineStart = Math.max(previousStart, text.lastIndexOf("\n", start - 2) + 1);
  if (start - lineStart < WRAPPED_LINE_UNITS || end === start) return false;
  return /[\p{L},]/u.test(text.charAt(start - 2)) && /^\p{Ll}(?!['’ ](?:m|ll|ve|d)?\b)/u.test(text.slice(start, start + 4));
}

function sentencesIn(text: string, start: number, end: number): Sentence[] {
  const line = text.slice(start, end);
  const sentences: Sentence[] = [];
  let from = 0;
  for (const match of line.matchAll(ENDS)) {
    const until = match.index + match[0].length;
    if (match[0] === "." && /\s/u.test(line.charAt(until)) && ABBREVIATION.test(line.slice(Math.max(from, until - 8), until)))
      continue;
    push(sentences, line, start, from, until);
    from = until;
  }
  push(sentences, line, start, from, line.length);
  return sentences;
}

function push(sentences: Sentence[], line: string, offset: number, from: number, until: number): void {
  const sentence = line.slice(from, until);
  if (sentence.trim() === "") return;
  const lead = sentence.length - sentence.trimStart().length;
  const end = lead + sentence.trim().length;
  const isQuestion = /[?？]/u.test(CLOSING.exec(sentence)?.[0] ?? "") || sentence.trimStart().startsWith("¿");
  for (let start = lead; start < end; ) {
    const piece = end - start <= SENTENCE_UNITS ? end : start + cutOf(sentence.slice(start, start + SENTENCE_UNITS));
    sentences.push({ start: offset + from + start, end: offset + from + piece, isQuestion, goesOn: start > lead });
    start = piece;
  }
}

/** Where to cut a sentence that is too long: after the last clause mark or space in its second half, else anywhere but inside a character. */
function cutOf(text: string): number {
  const half = text.length / 2;
  const mark = CLAUSE_MARK.exec(text)?.index ?? -1;
  const space = text.lastIndexOf(" ");
  if (mark >= half) return mark + 1;
  if (space >= half) return space + 1;
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}

/** The text of a sentence as rules read it, and the offset of each of its units in the message. */
export type Plain = { text: string; at: number[] };

/** The sentence with white space collapsed and plain apostrophes. */
export function plainOf(stripped: string, start: number, end: number): Plain {
  const at: number[] = [];
  const units: string[] = [];
  for (let i = start; i < end; i++) {
    const unit = stripped.charAt(i);
    const isBlank = /\s/u.test(unit);
    if (isBlank && units.at(-1) === " ") continue;
    units.push(isBlank ? " " : unit === "’" || unit === "´" || unit === "ʼ" ? "'" : unit);
    at.push(i);
  }
  return { text: units.join(""), at };
}

/** Punctuation, emoji and fillers after a statement. */
const TRAILING =
  /(?<![\s,;:.!?…)("“*_~、，。！；-]|\p{Extended_Pictographic}|[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}])(?:[\s,;:.!?…)("“*_~、，。！；-]|\p{Extended_Pictographic}|[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]|[:;]-?[)(dp]$)+$/iu;
const FILLER = new RegExp(`,? (?:${alternatives(({ after }) => after)})$`, "iu");

/** How many units at the end of a statement are punctuation or fillers. */
export function trailingIn(words: string): number {
  let length = words.length;
  for (let before = -1; before !== length; ) {
    before = length;
    length -= FILLER.exec(words.slice(Math.max(0, length - 40), length))?.[0].length ?? 0;
    length -= TRAILING.exec(words.slice(Math.max(0, length - 60), length))?.[0].length ?? 0;
  }
  return words.length - length;
}
