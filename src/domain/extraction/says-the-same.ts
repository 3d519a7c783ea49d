import { isNegated } from "#core/text/negation";
import { nameKey } from "#core/text/normalize";
import { queryTerms } from "#core/text/query";

/** How much of the shorter of two statements the other must repeat. */
const SHARED = 0.75;

type Taken = { type: string; content: string };

/** What was taken from the same episode already that a model's memory adds nothing to: the same in other words, or words that are in it. */
export function takenAlready<T extends Taken>(memory: Taken & { quote: string }, taken: readonly T[]): T | undefined {
  const quote = ` ${nameKey(memory.quote)} `;
  return taken.find(
    ({ type, content }) =>
      saysTheSame(content, memory.content) || (type === memory.type && ` ${nameKey(content)} `.includes(quote)),
  );
}

/** Whether two statements taken from one episode are the same one in other words. */
export function saysTheSame(a: string, b: string): boolean {
  if (isNegated(a) !== isNegated(b)) return false;
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const fewer = Math.min(left.size, right.size);
  const shared = [...left].filter((word) => right.has(word)).length;
  return fewer > 0 && shared / fewer >= SHARED;
}

function wordsOf(text: string): Set<string> {
  return new Set(queryTerms(text).terms.map(({ term }) => term));
}
