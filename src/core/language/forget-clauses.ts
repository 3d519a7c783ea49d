import { analyse } from "#core/text/analyse";
import { STOP_WORDS } from "#core/text/stop-words";
import { lowerCase } from "./folded.ts";
import { inAnyLanguage } from "./patterns.ts";
import { plainOf, sentencesOf } from "./sentences.ts";

const JOINTS = inAnyLanguage(({ forget, spaced }) => (spaced ? forget?.joints : undefined));
const UNSPACED = inAnyLanguage(({ forget, spaced }) => (spaced ? undefined : forget?.joints));
const JOINT = new RegExp(
  `(?:[,;:.!?，；：。、！？()（）…—–\\n]|[\\u2600-\\u27bf\\ufe0f\\ud83c-\\ud83e\\udc00-\\udfff])+(?=[^a-z0-9]|$)|[，；：。、！？]|\\s-+\\s|\\s(?=(?:${JOINTS.source})\\s)|(?=${UNSPACED.source})`,
  "g",
);

/** A clause of a message, in lower case, with its place in UTF-16 units. */
export type Piece = { text: string; start: number; end: number; sentence: number; isQuestion: boolean };

/** The clauses of a message as people type, which between them cover its words. */
export function piecesOf(message: string): Piece[] {
  return clausesOf(message, null);
}

export function textOf(clauses: readonly Piece[]): string {
  return clauses.map(({ text }) => text).join(" ");
}

/** A clause of fewer words that mean something states nothing: "actually". */
export const LEAST_STATED = 2;

/** Whether clauses together state something. */
export function states(clauses: readonly Piece[]): boolean {
  return tellingIn(clauses).size >= LEAST_STATED;
}

/** Their words, in the index, that carry a meaning. */
export function tellingIn(clauses: readonly Piece[]): Set<string> {
  return new Set(analyse(textOf(clauses)).filter((word) => !STOP_WORDS.has(word)));
}

/** The same; what `blanked` matches is blanked in its place, so that it only looks like words between clauses. */
export function clausesOf(message: string, blanked: RegExp | null): Piece[] {
  return sentencesOf(message).flatMap(({ start, end, isQuestion }, sentence) => {
    const { text, at } = plainOf(message, start, end);
    const lower = blanked === null ? lowerCase(text) : lowerCase(text).replace(blanked, (found) => " ".repeat(found.length));
    const clauses: Piece[] = [];
    let from = 0;
    const push = (until: number) => {
      const words = lower.slice(from, until);
      const clause = words.trim();
      if (!/[\p{L}\p{N}]/u.test(clause)) return;
      const first = from + words.indexOf(clause);
      const last = first + clause.length - 1;
      clauses.push({ text: clause, start: at[first] ?? 0, end: (at[last] ?? 0) + 1, sentence, isQuestion });
    };
    for (const { index, 0: joint } of lower.matchAll(JOINT)) {
      push(index);
      from = index + joint.length;
    }
    push(lower.length);
    return clauses;
  });
}
