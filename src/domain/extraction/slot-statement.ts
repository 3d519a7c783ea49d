import type { Clause } from "#core/language/clause-reader";
import { lowerCase } from "#core/language/folded";
import { reopens } from "#core/language/frames";
import { alternatives, anyScript, starts } from "#core/language/patterns";
import { SENTENCE_UNITS } from "#core/language/sentences";
import { speakerSlotOf, speakerSlotsIn } from "#core/language/slots";
import { firstSubjectOf } from "#core/language/subject";
import { anyCase } from "#core/text/any-case";
import { type Span, trimSpan } from "./judge/spans.ts";

const AND = alternatives(({ forms }) => forms?.relationships?.and);
/** Who did it with the speaker, at the beginning of a sentence ("Daniel and | I are back together"). */
const COMPANION = new RegExp(anyCase(anyScript(`(?:^|[.!?\\n] {0,3})(?<who>(?:[\\p{L}'-]{1,20} ){1,2}(?:${AND}) )$`)));
const COMPANION_UNITS = 60;

/**
 * A statement of a slot's value with the rest of its sentence: the value may stand in it ("Moved in! Boxes everywhere, Zwolle is great"), or its
 * subject. Other statements are returned as they are.
 * @param clausesIn the clauses of the message that share units with a span
 * @param takenIn what is taken from it there, which is left out
 */
export function wholeSlotStatement<T extends Span>(
  text: string,
  statement: T,
  { clausesIn, takenIn }: { clausesIn: (span: Span) => Clause[]; takenIn: (span: Span) => Span[] },
): T {
  const { start, end } = statement;
  const who = COMPANION.exec(text.slice(Math.max(0, start - COMPANION_UNITS), start))?.groups?.who ?? "";
  const from = start - who.length;
  const slot = speakerSlotOf(text.slice(from, end));
  if (slot === null) return statement;
  const last = clausesIn(statement).at(-1);
  let until = end;
  for (const clause of clausesIn({ start: end, end: end + SENTENCE_UNITS })) {
    if (clause.start < end) continue;
    const isTaken = takenIn(clause).some((other) => other !== statement);
    if (clause.sentence !== last?.sentence || isTaken || clause.standing !== "own" || clause.isQuestion) break;
    until = clause.end;
  }
  return speakerSlotOf(text.slice(from, until)) === slot
    ? { ...statement, start: from, end: until }
    : { ...statement, start: from };
}

const CONJUNCTION = starts(`(?:${alternatives(({ conjunctions }) => conjunctions)})(?=$|[^\\p{L}]|(?<=\\p{Script=Han}))`);
const COORDINATION = starts(`(?:${alternatives(({ forms }) => forms?.relationships?.and)})(?= )`);

/**
 * A statement as several: the clauses that fill or empty a slot of the speaker, which a later value replaces, apart from those that say something
 * else. It stays whole where those would not stand alone.
 */
export function splitAtSlots<T extends Span>(text: string, statement: T, clausesIn: (span: Span) => Clause[]): T[] {
  const own = clausesIn(statement);
  const slots = speakerSlotsIn(text.slice(statement.start, statement.end)).map(({ start, end }) => ({
    start: statement.start + start,
    end: statement.start + end,
  }));
  const fills = ({ start, end }: Span) => slots.some((slot) => slot.start < end && start < slot.end);
  const groups: Clause[][] = [];
  for (const clause of own) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group !== undefined && first !== undefined && fills(first) === fills(clause)) group.push(clause);
    else groups.push([clause]);
  }
  if (slots.length === 0 || groups.length < 2 || !groups.slice(1).every(standsAlone)) return [statement];
  return groups.flatMap((group) => {
    const [start, end] = [group[0]?.start ?? 0, group.at(-1)?.end ?? 0];
    const span = trimSpan(text, { start: Math.max(start, statement.start), end: Math.min(end, statement.end) });
    return span === null ? [] : [{ ...statement, ...span }];
  });
}

/** Whether clauses are no part of the statement before them: they have a subject, and no word that makes them depend on it. */
function standsAlone([first]: readonly Clause[]): boolean {
  if (first === undefined || firstSubjectOf(first.text) === null) return false;
  const words = lowerCase(first.text);
  return !CONJUNCTION.test(words) || COORDINATION.test(words) || reopens(words);
}
