export type Channel = { name: string; weight: number; ranked: readonly { id: number; score: number }[] };

export type Fused = { id: number; score: number; channels: Record<string, { rank: number; score: number }> };

/** The usual constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). */
const RANK_OFFSET = 60;

/** Weighted reciprocal rank fusion: Σ weight ÷ (60 + rank), ranks from 1. Ties go to the better best rank, then to the newer id. */
export function fuse(channels: readonly Channel[]): Fused[] {
  const fused = new Map<number, Fused>();
  for (const { name, weight, ranked } of channels) {
    let rank = 0;
    for (const { id, score } of ranked) {
      const entry = fused.get(id) ?? { id, score: 0, channels: {} };
      if (Object.hasOwn(entry.channels, name)) continue;
      rank++;
      entry.score += weight / (RANK_OFFSET + rank);
      entry.channels[name] = { rank, score };
      fused.set(id, entry);
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || bestRank(a) - bestRank(b) || b.id - a.id);
}

function bestRank({ channels }: Fused): number {
  return Math.min(...Object.values(channels).map(({ rank }) => rank));
}
