import type { Clause } from "#core/language/clause-reader";
import { alternatives, anyScript } from "#core/language/patterns";
import { speakerSlotOf } from "#core/language/slots";
import { anyCase } from "#core/text/any-case";
import type { Span } from "./judge/spans.ts";

const AND = alternatives(({ forms }) => forms?.relationships?.and);
/** Who did it with the speaker, at the beginning of a sentence ("Daniel and | I are back together"). */
const COMPANION = new RegExp(anyCase(anyScript(`(?:^|[.!?\\n] {0,3})(?<who>(?:[\\p{L}'-]{1,20} ){1,2}(?:${AND}) )$`)));
const COMPANION_UNITS = 60;

/**
 * A statement of a slot's value with the rest of its sentence: the value may stand in it ("Moved in! Boxes everywhere, Zwolle is great"), or its
 * subject. Other statements are returned as they are.
 * @param clauses of the whole message
 * @param others what else is taken from it, which is left out
 */
export function wholeSlotStatement<T extends Span>(
  text: string,
  statement: T,
  { clauses, others }: { clauses: readonly Clause[]; others: readonly Span[] },
): T {
  const { start, end } = statement;
  const who = COMPANION.exec(text.slice(Math.max(0, start - COMPANION_UNITS), start))?.groups?.who ?? "";
  const from = start - who.length;
  const slot = speakerSlotOf(text.slice(from, end));
  if (slot === null) return statement;
  const last = clauses.findLast((clause) => clause.start < end);
  let until = end;
  for (const clause of clauses.filter((each) => each.sentence === last?.sentence && each.start >= end)) {
    const isTaken = others.some((other) => other !== statement && other.start < clause.end && clause.start < other.end);
    if (isTaken || clause.standing !== "own" || clause.isQuestion) break;
    until = clause.end;
  }
  return speakerSlotOf(text.slice(from, until)) === slot
    ? { ...statement, start: from, end: until }
    : { ...statement, start: from };
}
