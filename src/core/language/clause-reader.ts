import { isAsking, isElsewhere, isJoking, isPast, isReported, isSupposed, reopens, stopsHere } from "./frames.ts";
import { stripQuotedText } from "./quoted-text.ts";
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

const CONJUNCTIONS =
  "and|but|so|because|bc|cos|cuz|coz|since|though|although|while|whereas|if|when|which|until|til|till|unless|then|und|aber|weil|denn|damit|wenn|obwohl|deshalb|sondern|doch|seit|bis|y|pero|porque|xq|aunque|cuando|desde|asi que|así que|hasta|et|mais|car|parce que|pcq|donc|quand|depuis|puisque|alors|sauf que";
/** Where clauses meet. A conjunction belongs to the clause that it begins. */
const JOINT = new RegExp(
  `\\s?[;；:：,，、(（)）…]+\\s?|\\s[-–—]{1,3}\\s|—|\\s(?=(?:${CONJUNCTIONS})\\s)|(?=但是|但|不过|所以|因为|而且|然后|以后|如果)`,
  "giu",
);
/** Words that begin a clause of text without punctuation. */
const SUBJECT =
  /\s(?=(?:i|i'm|im|i've|ive|i'll|ill|i'd|my|we|we're|we've|our|he|he's|hes|she|she's|shes|they|it's|its|can you|could you|please|pls|what|how|dont|don't|ich|mein|meine|wir|kannst du|yo|mi|mis|me|je|j'|mon|ma|on) )/giu;
/** A longer piece is read as several clauses where its words allow it. */
const LONG_PIECE_UNITS = 60;
/** A shorter piece is a part of the clause before it. */
const MIN_UNITS = 7;
const MIN_HAN = 3;

/** The clauses of a message in order, in time proportional to its length. Quotations, code, quoted mail and injected memory are in none. */
export function readClauses(text: string, from = 0): Clause[] {
  const stripped = `${" ".repeat(from)}${stripQuotedText(text).slice(from)}`;
  const clauses: Clause[] = [];
  let beginning: Standing = "own";
  let isMaterial = false;
  let sentence = -1;
  let previous = 0;
  for (const { start, end, isQuestion, goesOn } of sentencesOf(stripped)) {
    const plain = plainOf(stripped, start, end);
    if (!/[\p{L}\p{N}]/u.test(plain.text)) continue;
    sentence += 1;
    isMaterial ||= stopsHere(plain.text);
    if (isJoking(plain.text)) for (const clause of clauses.slice(previous)) clause.standing = "joke";
    previous = clauses.length;
    if (!goesOn) beginning = standingOf(plain.text);
    let scope: Standing = "own";
    for (const { start: at, end: until } of piecesOf(plain.text)) {
      const words = plain.text.slice(at, until);
      const its: Standing = isMaterial
        ? "material"
        : beginning === "joke" || beginning === "elsewhere"
          ? beginning
          : standingOf(words);
      // What is supposed or reported stays so until "but".
      const standing: Standing = its === "own" && scope !== "own" && !reopens(words) ? scope : its;
      scope = standing === "supposed" || standing === "reported" ? standing : "own";
      clauses.push({ ...offsets(plain, at, until), text: words, sentence, isQuestion, standing });
    }
  }
  return clauses;
}

function standingOf(words: string): Standing {
  if (isJoking(words)) return "joke";
  if (isElsewhere(words)) return "elsewhere";
  if (isAsking(words)) return "asked";
  if (isSupposed(words)) return "supposed";
  if (isReported(words)) return "reported";
  return isPast(words) ? "past" : "own";
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
  if (isShort && last !== undefined) last.end = start + trimmed.length;
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
