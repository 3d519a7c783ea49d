import type { QueryTerm } from "#core/text/query";

/** How many hold each term, in the order of the terms, of how many. */
export type Counted = { holders: readonly number[]; total: number };

/** What each term is worth: its weight by how rare it is. */
export function termValues(terms: readonly QueryTerm[], { holders, total }: Counted): number[] {
  return terms.map(({ weight }, i) => weight * idf(holders[i] ?? 0, total));
}

/** Never zero, so that a term which is everywhere still breaks ties (Lucene's form). */
function idf(holders: number, total: number): number {
  return Math.log(1 + (Math.max(total, holders) - holders + 0.5) / (holders + 0.5));
}
