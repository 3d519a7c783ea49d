import { anyCase } from "#core/text/any-case";
export type Sentence = {
  start: number;
  end: number;
  isQuestion: boolean;
  /** The rest of a sentence that was cut for its length. */
  goesOn: boolean;
};

/** A longer sentence is cut, in UTF-16 units: rules take time by the length of what they are given. */
export const SENTENCE_UNITS = 1000;
/** Where a sentence may be cut: behind a mark between its clauses, else between words. */
const CLAUSE_MARK = /[,;:，、；：\n](?=[^,;:，、；：\n]*$)/u;

/** A line shorter than this was ended by its writer, a longer one perhaps by the width of a window. */
const WRAPPED_LINE_UNITS = 50;
const LIST_MARK = /^[ \t]*(?:[-*•+–]|\d{1,3}[.)]|[a-h]\))[ \t]+|^[ \t]*#{1,6}[ \t]+/u;
const ENDS = /(?<![.!?…])[.!?…]+["”’')\]\uFFFC]*(?=\s|$)|[。！？｡]+|(?<![?!])[?!]+(?=\p{L})/gu;
/** The marks with which a sentence closes. */
const CLOSING = /(?<![!?？\s"”’')\]])[!?？\s"”’')\]]+$/u;
const ABBREVIATION = new RegExp(
  anyCase(
    String.raw`(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|sr|sra|jr|vs|etc|e\.g|i\.e|approx|no|z\.b|d\.h|bzw|ca|m|mme|mlle|p\.ej|ud|u\.s|a\.m|p\.m|(?-i:\p{Lu}))\.$`,
  ),
  "u",
);

/** Sentences of masked text: ended by a mark, a line that its writer ended, or a paragraph. List marks and headings are no part of them. */
export function sentencesOf(text: string): Sentence[] {
  return linesOf(text).flatMap((line) => sentencesIn(text, line.start, line.end));
}

/** Lines, where one that was only wrapped goes on in the next. */
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

/** How much of a text that is too long is read at once: to its last clause mark or space in its second half, else all but half a character. */
function cutOf(text: string): number {
  const half = text.length / 2;
  const mark = CLAUSE_MARK.exec(text)?.index ?? -1;
  const space = text.lastIndexOf(" ");
  if (mark >= half) return mark + 1;
  if (space >= half) return space + 1;
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}
