import { queryTerms } from "#core/text/query";

/** How much of the shorter of two statements the other must repeat. */
const SHARED = 0.75;
const NEGATION = /\b(?:not|never|no longer|don't|doesn't|n't|nicht|kein\w*|no|nunca|pas|jamais)\b|不|没/iu;

/** Whether two statements taken from one episode are the same one in other words. */
export function saysTheSame(a: string, b: string): boolean {
  if (NEGATION.test(a) !== NEGATION.test(b)) return false;
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const fewer = Math.min(left.size, right.size);
  const shared = [...left].filter((word) => right.has(word)).length;
  return fewer > 0 && shared / fewer >= SHARED;
}

function wordsOf(text: string): Set<string> {
  return new Set(queryTerms(text).terms.map(({ term }) => term));
}
