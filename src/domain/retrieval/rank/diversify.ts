import { analyse } from "#core/text/analyse";

export type Diverse<T> = T & { similar: number[] };

/** Token sets that share this much of their union say the same. Lower values cost recall on LoCoMo. */
const SAME = 0.8;

/**
 * Collapses near-duplicates: walks in rank order and takes an entry unless the Jaccard similarity of its tokens with one already taken
 * reaches 0.8; then that one lists its id under `similar`. Stops at `limit` entries.
 */
export function diversify<T extends { id: number; text: string }>(ranked: readonly T[], limit: number): Diverse<T>[] {
  const taken: { entry: Diverse<T>; tokens: ReadonlySet<string> }[] = [];
  for (const candidate of ranked) {
    if (taken.length >= limit) break;
    const tokens = new Set(analyse(candidate.text));
    const duplicate = taken.find((other) => jaccard(tokens, other.tokens) >= SAME);
    if (duplicate === undefined) taken.push({ entry: { ...candidate, similar: [] }, tokens });
    else duplicate.entry.similar.push(candidate.id);
  }
  return taken.map(({ entry }) => entry);
}

/** Of two empty sets, 0: nothing said is not the same thing said. */
function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < SAME * large.size) return 0;
  let shared = 0;
  for (const token of small) if (large.has(token)) shared++;
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}
