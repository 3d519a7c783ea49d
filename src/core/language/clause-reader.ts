import { lowerCase } from "./folded.ts";
import {
  fillersIn,
  isAside,
  materialOf,
  reopens,
  requestIn,
  standingOfClause,
  standingOfSentence,
  tagIn,
  takesBack,
} from "./frames.ts";
import { alternatives } from "./patterns.ts";
import { QUOTED, stripQuotedText } from "./quoted-text.ts";
import { type Plain, plainOf, sentencesOf } from "./sentences.ts";

/**
 * How a clause stands in its message.
 * - `own`: the speaker's serious, present statement, for all that its form shows
 * - `asked`: a question
 * - `supposed`: after "if", "imagine", "maybe", "would"
 * - `reported`: what somebody says or thinks
 * - `past`: what no longer holds ("used to")
 * - `material`: after words such as "translate" or "write a story", what the request is about
 * - `elsewhere`: of a story, a dream or a printed text
 * - `joke`: taken back
 */
export type Standing = "own" | "asked" | "supposed" | "reported" | "past" | "material" | "elsewhere" | "joke";

/** A clause of a message. */
export type Clause = {
  /** UTF-16 offsets into the message as it was given, without white space at either end. */
  start: number;
  end: number;
  /** Its words with white space collapsed, plain apostrophes, and U+FFFC in place of quotations. */
  text: string;
  /** The index of its sentence, and whether that ends as a question. */
  sentence: number;
  isQuestion: boolean;
  standing: Standing;
};

const CONJUNCTIONS = alternatives(({ spaced, conjunctions }) => (spaced ? conjunctions : undefined));
const UNSPACED = alternatives(({ spaced, conjunctions }) => (spaced ? undefined : conjunctions));
/** Where clauses meet. A conjunction belongs to the clause that it begins. */
const JOINT = new RegExp(`\\s?[;；:：,，、(（)）…]+\\s?|\\s[-–—]{1,3}\\s|—|\\s(?=(?:${CONJUNCTIONS})\\s)|(?=${UNSPACED})`, "giu");
/** Words that begin a clause of text without punctuation. */
const SUBJECT = new RegExp(`\\s(?=(?:${alternatives(({ subjects }) => subjects)}) )`, "giu");
/** A longer piece is read as several clauses where its words allow it. */
const LONG_PIECE_UNITS = 60;
/** A shorter piece is a part of the clause before it. */
const MIN_UNITS = 7;
const MIN_HAN = 3;

/** A clause with its offsets in its sentence. */
export type Part = Clause & { from: number; until: number };

/** A sentence as it is read: its words with white space collapsed, and its clauses. */
export type ReadSentence = { plain: Plain; isQuestion: boolean; clauses: Part[] };

/** The clauses of a message in order, in time proportional to its length. Quotations, code, quoted mail and injected memory are in none. */
export function readClauses(text: string, from = 0): Clause[] {
  return readSentences(text, from).flatMap(({ clauses }) =>
    clauses.map(({ start, end, text: words, sentence, isQuestion, standing }) => ({
      start,
      end,
      text: words,
      sentence,
      isQuestion,
      standing,
    })),
  );
}

/** The sentences of a message with their clauses (see `readClauses`). */
export function readSentences(text: string, from = 0): ReadSentence[] {
  const stripped = `${" ".repeat(from)}${stripQuotedText(text).slice(from)}`;
  const lastQuoted = stripped.lastIndexOf(QUOTED);
  const sentences: ReadSentence[] = [];
  let material: Material = null;
  let whole: Standing | null = null;
  for (const { start, end, isQuestion, goesOn } of sentencesOf(stripped)) {
    const plain = plainOf(stripped, start, end);
    if (!/[\p{L}\p{N}]/u.test(plain.text)) continue;
    const lower = lowerCase(plain.text);
    const previous = sentences.at(-1)?.clauses ?? [];
    if (takesBack(lower)) for (const clause of previous) clause.standing = "joke";
    // The rest of a sentence that was cut for its length stands as its beginning.
    if (!goesOn) whole = standingOfSentence(lower, plain.text);
    else if (previous[0]?.standing === "asked") whole = "asked";
    const read = standingsOf(lower, { whole, material, isQuestion, isQuotedLater: lastQuoted >= end });
    material = read.material;
    const clauses = read.pieces.map(({ start: at, end: until, standing }) => ({
      ...offsets(plain, at, until),
      ...{ text: plain.text.slice(at, until), sentence: sentences.length, standing, from: at, until },
      // "Can you remember that …?" asks for nothing that is not known.
      isQuestion: isQuestion && requestIn(lower.slice(at, until)) === 0,
    }));
    sentences.push({ plain, isQuestion, clauses });
  }
  return sentences;
}

type Material = ReturnType<typeof materialOf>;

/** The pieces of a sentence with their standings, and whether what follows it is the material of a request. */
function standingsOf(
  sentence: string,
  {
    whole,
    material,
    isQuestion,
    isQuotedLater,
  }: { whole: Standing | null; material: Material; isQuestion: boolean; isQuotedLater: boolean },
): { pieces: (Piece & { standing: Standing })[]; material: Material } {
  let now = material === "text" && isAside(sentence) ? null : material;
  let began = 0;
  let scope: Standing = "own";
  const tag = tagIn(sentence);
  const pieces = piecesOf(sentence).map(({ start, end }, i) => {
    const words = sentence.slice(start, end);
    if (now === null) {
      now = materialOf(sentence.slice(start + fillersIn(words)));
      began = start;
    }
    if (now !== null) return { start, end, standing: "material" as const };
    if (whole !== null) return { start, end, standing: whole };
    const its = tag >= 0 && end >= tag ? "asked" : standingOfClause(words, { inside: i > 0 && !isQuestion });
    // What is supposed or reported stays so until "but".
    const standing = its === "own" && scope !== "own" && !reopens(words) ? scope : its;
    scope = standing === "supposed" || standing === "reported" ? standing : "own";
    return { start, end, standing };
  });
  // A text to work on that is quoted is its quotation.
  const isQuoted = sentence.includes(QUOTED, began) || (isQuotedLater && !sentence.includes(":", began));
  return { pieces, material: now === "text" && material === null && isQuoted ? null : now };
}

function offsets({ at }: Plain, start: number, end: number): { start: number; end: number } {
  const from = at[start] ?? 0;
  return { start: from, end: (at[end - 1] ?? from) + 1 };
}

type Piece = { start: number; end: number };

/** The sentence cut at its joints; no white space at either end of a piece. */
function piecesOf(sentence: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 0: joint } of sentence.matchAll(JOINT)) {
    // "I'm so tired", "me and Tom": so few words are no clause before a conjunction.
    if (from === 0 && joint === " " && index < MIN_UNITS) continue;
    push(pieces, sentence, from, index);
    from = index + joint.length;
  }
  push(pieces, sentence, from, sentence.length);
  return pieces.flatMap((piece) => (piece.end - piece.start > LONG_PIECE_UNITS ? splitAtSubjects(sentence, piece) : [piece]));
}

function push(pieces: Piece[], sentence: string, from: number, until: number): void {
  const words = sentence.slice(from, until);
  const trimmed = words.trim();
  if (!/[\p{L}\p{N}]/u.test(trimmed)) return;
  const start = from + words.indexOf(trimmed);
  const last = pieces.at(-1);
  const isShort = trimmed.length < (/\p{Script=Han}/u.test(trimmed) ? MIN_HAN : MIN_UNITS);
  // "¿y tú?" asks, and what it follows does not.
  if (isShort && !/^¿|[?？]$/u.test(trimmed) && last !== undefined) last.end = start + trimmed.length;
  else pieces.push({ start, end: start + trimmed.length });
}

function splitAtSubjects(sentence: string, { start, end }: Piece): Piece[] {
  const pieces: Piece[] = [];
  let from = start;
  for (const { index } of sentence.slice(start, end).matchAll(SUBJECT)) {
    const at = start + index;
    if (at - from < 20 || end - at < 12) continue;
    pieces.push({ start: from, end: at });
    from = at + 1;
  }
  return [...pieces, { start: from, end }];
}
