import { type Clause, readClauses } from "#core/language/clause-reader";
import { toNormalizedText } from "#core/language/folded";
import { withoutHarmless } from "#core/language/frames";
import { inAnyLanguage } from "#core/language/patterns";
import { isNegated } from "#core/text/negation";
import { SENTENCE_END } from "./clean-value.ts";

/** How much of a text before a list is read, in UTF-16 units. */
const LEAD = 400;
const ASKED_FOR = inAnyLanguage(({ lists }) => lists?.askedFor);
const OTHERS = inAnyLanguage(({ lists }) => lists?.others);
const DENIALS = inAnyLanguage(
  ({ lists }) => lists?.denials,
  (source) => `(?<!\\p{L})(?:${source})(?!\\p{L})`,
);
const TAKEN_BACK = inAnyLanguage(
  ({ lists }) => lists?.takenBack,
  (source) => `^[\\s"'.!,()]*(?:${source})(?!\\p{L})`,
);
const ATTRIBUTED = inAnyLanguage(
  ({ lists }) => lists?.saidAfter,
  (source) => `^[\\s"',.!]*(?:${source})(?!\\p{L})`,
);

const PARTICLE = inAnyLanguage(
  ({ lists }) => lists?.particles,
  (source) => `(?:${source})\\s*$`,
);
const ASKING = new RegExp(`[?？]\\s*$|${PARTICLE.source}`);

/** Whether the words from `at` to `end` are the speaker's own, present and plain statement, judged by the words before them. */
export function isOwnStatement(text: string, { at, end }: { at: number; end: number }): boolean {
  const from = beginningOf(text, at);
  const clauses = readClauses(text.slice(from, end));
  const clause = clauses.findLast(({ start }) => start <= at - from);
  if (clause === undefined || clause.end <= at - from || clause.standing !== "own") return false;
  const denial = withoutHarmless(toNormalizedText(text.slice(from + clause.start, at)));
  if (isNegated(denial) || DENIALS.test(denial)) return false;
  const lead = toNormalizedText(text.slice(from + beginningOfSentence(clauses, clause), at));
  return !ASKED_FOR.test(lead) && !OTHERS.test(lead);
}

function beginningOfSentence(clauses: readonly Clause[], { sentence, start }: Clause): number {
  return clauses.find((clause) => clause.sentence === sentence)?.start ?? start;
}

/** Where to begin to read, at the beginning of a sentence or line if there is one. */
function beginningOf(text: string, at: number): number {
  const from = Math.max(0, at - LEAD);
  return from === 0 ? 0 : from + (/[.!?](?=\s)|[。！？\n]/u.exec(text.slice(from, at))?.index ?? -1) + 1;
}

/** Whether the words after a list take it back or attribute it to somebody else. */
export function isTakenBack(normalizedText: string, from: number): boolean {
  const rest = normalizedText.slice(from, from + 100);
  return TAKEN_BACK.test(rest) || ATTRIBUTED.test(rest);
}

/** Whether the sentence in which a list ends is a question. */
export function isAsked(text: string, from: number): boolean {
  const rest = text.slice(from, from + 200);
  const end = /\n/.exec(rest)?.index ?? rest.length;
  const stop = SENTENCE_END.exec(rest.slice(0, end));
  return stop === null ? ASKING.test(rest.slice(0, end)) : /[?？]/.test(stop[0]) || PARTICLE.test(rest.slice(0, stop.index));
}
