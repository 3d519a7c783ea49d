import type { Named } from "#core/linear/named";

/** Where the candidates that are next after the best ones stand: what is as near as those is near to anything. */
const NEXT = { from: 4, to: 14 };

/**
 * A number that each candidate has, seen beside those of the others: as it is, how far below the best one, how far above the next ones, its
 * rank, and how far it leads. Where there are few candidates, 0, the value of unrelated texts, stands for those that are missing.
 */
export function besideOthers(name: string, values: readonly number[]): Named[] {
  const sorted = values.toSorted((a, b) => b - a);
  const best = sorted[0] ?? 0;
  const lead = best - (sorted[1] ?? 0);
  const next = sorted.slice(NEXT.from, NEXT.to).reduce((sum, value) => sum + value, 0) / (NEXT.to - NEXT.from);
  return values.map((value) => {
    const rank = sorted.indexOf(value);
    return {
      [name]: value,
      [`${name}: below the best`]: best - value,
      [`${name}: above the next`]: value - next,
      [`${name}: rank`]: Math.log2(1 + rank),
      [`${name}: of the best`]: best,
      [`${name}: lead`]: rank === 0 ? lead : 0,
    };
  });
}
