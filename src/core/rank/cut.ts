/** What a hit has of the question. */
export type Evidence = {
  /** The value of each of the question's terms that it contains, in the order of the terms; 0 for the others. */
  terms: readonly number[];
};

/** What cosines of an embedder mean. */
export type Cosines = {
  /** Of a text with a question that it has nothing to do with, in the mean. */
  unrelated: number;
  /** Below this, a vector alone says nothing. */
  floor: number;
};

/**
 * The share of the best hit's words that a further hit must add. Higher values lose the second half of compound questions ("when is the
 * lease up, and who services the boiler").
 */
const ADDS = 0.3;
/** Hits that contain nearly as much of the question as the best one answer it as well ("both children", "all invoices"). */
const AS_MUCH = 0.8;

/**
 * The hits that earn their place by their words alone, in rank order: each adds words of the question that those before it do not have, or
 * has nearly as many as the best. A plain share of the best score would lose the other parts of a compound question.
 */
export function cutByWords<T extends Evidence>(ranked: readonly T[]): T[] {
  const most = Math.max(0, ...ranked.map(({ terms }) => totalOf(terms)));
  const covered = new Set<number>();
  const kept: T[] = [];
  for (const hit of ranked) {
    const added = hit.terms.filter((_, term) => !covered.has(term));
    const hasWords = has(added, ADDS * most) || has(hit.terms, AS_MUCH * most);
    if (!hasWords && (most > 0 || kept.length > 0)) continue;
    kept.push(hit);
    for (const [term, value] of hit.terms.entries()) if (value > 0) covered.add(term);
  }
  return kept;
}

function totalOf(terms: readonly number[]): number {
  return terms.reduce((sum, value) => sum + value, 0);
}

function has(terms: readonly number[], least: number): boolean {
  const value = totalOf(terms);
  return value > 0 && value >= least;
}
