/** What a hit has of the question. */
export type Evidence = {
  /** The value of each of the question's terms that it contains, in the order of the terms; 0 for the others. */
  terms: readonly number[];
  /** Whether it is about a person whom the question names: its own words seldom repeat the name. */
  isAboutNamed: boolean;
  /** Its cosine with the question; null if it is not known, as for a text that is not embedded yet. */
  cosine: number | null;
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
/**
 * Without a model, hits that contain nearly as much of the question as the best one answer it as well ("both children", "all invoices");
 * with one, those that contain nearly all of it.
 */
const AS_MUCH = 0.8;
/** The share of the best hit's cosine above `unrelated` with which another hit is as near. */
const AS_NEAR = 0.65;
/** Below this share of the floor a model denies that a text has to do with the question, unless the text contains half of the question. */
const DENIED = 0.75;
const HALF = 0.5;

/**
 * The hits that earn their place, in rank order: each adds words of the question that those before it do not have, or is about as near in
 * meaning as the nearest one. It serves questions whose words have no known meaning. A plain share of the best score would lose the other parts of a compound question. `ideal` is the value of
 * all terms of the question. Without `cosines` only words count: a hit without one stays if it is the first.
 */
export function cutHits<T extends Evidence>(
  ranked: readonly T[],
  { ideal, cosines }: { ideal: number; cosines: Cosines | null },
): T[] {
  const most = Math.max(0, ...ranked.map(({ terms }) => totalOf(terms)));
  const nearest = Math.max(-1, ...ranked.map(({ cosine }) => cosine ?? -1));
  const covered = new Set<number>();
  const kept: T[] = [];
  for (const hit of ranked) {
    const asMuch = AS_MUCH * (cosines === null || hit.isAboutNamed ? most : ideal);
    const hasWords = addsWords(hit.terms, covered, most) || has(hit.terms, asMuch);
    const earns =
      cosines === null
        ? hasWords || (most === 0 && kept.length === 0)
        : (hasWords && !isDenied(hit, ideal, cosines)) || isNear(hit, nearest, cosines);
    if (!earns) continue;
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

function addsWords(terms: readonly number[], covered: ReadonlySet<number>, most: number): boolean {
  return has(
    terms.filter((_, term) => !covered.has(term)),
    ADDS * most,
  );
}

function isDenied({ terms, cosine, isAboutNamed }: Evidence, ideal: number, { floor }: Cosines): boolean {
  return !isAboutNamed && cosine !== null && cosine < DENIED * floor && totalOf(terms) < HALF * ideal;
}

function isNear({ cosine }: Evidence, nearest: number, { floor, unrelated }: Cosines): boolean {
  return cosine !== null && cosine >= floor && cosine - unrelated >= AS_NEAR * (nearest - unrelated);
}
