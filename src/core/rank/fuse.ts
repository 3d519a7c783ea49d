export type Channel = {
  name: string;
  weight: number;
  ranked: readonly { id: number; score: number }[];
  /** The channel's scores that count as nothing and as everything; scores may lie beyond. */
  scale: { nothing: number; everything: number };
};

export type Fused = { id: number; score: number; channels: Record<string, { rank: number; score: number }> };

/**
 * Convex fusion: Σ weight × the channel's score on its scale (Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid
 * Retrieval", 2023). Ties go to the better best rank, then to the newer id. Reciprocal ranks lost here: they know
 * that a hit is the first of its channel, but not whether it is any good (docs/benchmarks.md).
 */
export function fuse(channels: readonly Channel[]): Fused[] {
  const fused = new Map<number, Fused>();
  for (const { name, weight, ranked, scale } of channels) {
    let rank = 0;
    for (const { id, score } of ranked) {
      const entry = fused.get(id) ?? { id, score: 0, channels: {} };
      if (Object.hasOwn(entry.channels, name)) continue;
      rank++;
      entry.score += weight * onScale(score, scale);
      entry.channels[name] = { rank, score };
      fused.set(id, entry);
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || bestRank(a) - bestRank(b) || b.id - a.id);
}

/** Of a scale without a span, every score is everything. */
function onScale(score: number, { nothing, everything }: Channel["scale"]): number {
  return everything <= nothing ? 1 : Math.max(0, (score - nothing) / (everything - nothing));
}

function bestRank({ channels }: Fused): number {
  return Math.min(...Object.values(channels).map(({ rank }) => rank));
}

/** The scale on which a ranking's first is everything and its last nothing. */
export function ownScale(ranked: Channel["ranked"]): Channel["scale"] {
  return { nothing: ranked.at(-1)?.score ?? 0, everything: ranked[0]?.score ?? 0 };
}

/** Puts the first of a channel at this place (from 0) if it came out lower, so that what only this channel knows is not lost. */
export function withBestOf<T extends Fused>(fused: readonly T[], channel: string, place: number): T[] {
  const found = fused.findIndex(({ channels }) => channels[channel]?.rank === 1);
  const best = fused[found];
  if (best === undefined || found <= place) return [...fused];
  const others = fused.filter((entry) => entry !== best);
  return [...others.slice(0, place), best, ...others.slice(place)];
}
