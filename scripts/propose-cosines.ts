import type { Cosines } from "#core/rank/cut";

/** How the cosines of pairs are spread: each key is a share of the pairs, each value the cosine that they stay below. */
export type Spread = { pairs: number; mean: number; below: Readonly<Record<string, number>> };

const SHARES = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];
/** The floor lies above this share of unrelated pairs, unless it would be above that share of related ones. */
const UNRELATED_BELOW = 0.95;
const RELATED_BELOW = 0.1;
/** A few hundred pairs measure no finer; rounding down loses no answer. */
const STEP = 0.05;

export function spreadOf(cosines: readonly number[]): Spread {
  const sorted = cosines.toSorted((a, b) => a - b);
  const below = Object.fromEntries(SHARES.map((share) => [String(share), atShare(sorted, share)]));
  return { pairs: sorted.length, mean: sorted.reduce((sum, cosine) => sum + cosine, 0) / sorted.length, below };
}

function atShare(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

/** What to keep beside a model's name, from cosines of pairs that have to do with each other and of pairs that have not. */
export function proposeCosines(related: readonly number[], unrelated: readonly number[]): Cosines {
  const ascending = (cosines: readonly number[]) => cosines.toSorted((a, b) => a - b);
  const most = Math.min(atShare(ascending(unrelated), UNRELATED_BELOW), atShare(ascending(related), RELATED_BELOW));
  return {
    unrelated: Math.round(spreadOf(unrelated).mean * 100) / 100,
    floor: Math.round(Math.floor(most / STEP) * STEP * 100) / 100,
  };
}
