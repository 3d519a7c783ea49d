import { percentile } from "../quality/table.ts";
import type { Call, Request } from "./client.ts";

/** Milliseconds of one search in one place: as the caller waits for it, and in the database. */
export type Sample = { round: number; total: number; database: number };

export type Spread = { median: number; least: number; most: number };

export type TimeRatio<Place extends string = string> = { place: Place; total: Spread; database: Spread };

/**
 * Asks every question in every place, one after the other, so that whatever else the machine does meets all places alike. The first
 * round warms up and does not count. Each round begins with another place.
 */
export async function timeInTurns<Place extends string>(
  places: ReadonlyMap<Place, Call>,
  asked: readonly Request[],
  rounds: number,
): Promise<Map<Place, Sample[]>> {
  const all = [...places];
  const samples = new Map<Place, Sample[]>(all.map(([place]) => [place, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [i, request] of asked.entries()) {
      for (let turn = 0; turn < all.length; turn++) {
        const [place, call] = all[(round + i + turn) % all.length] ?? [];
        if (place === undefined || call === undefined) continue;
        const { milliseconds, databaseMs } = await call(request);
        if (round > 0) samples.get(place)?.push({ round, total: milliseconds, database: databaseMs });
      }
    }
  }
  return samples;
}

/** How much longer it takes in each place than in `base`: round by round the p50s, or in the database, where a millisecond is the finest, the means. */
export function timeRatios<Place extends string>(
  samples: ReadonlyMap<Place, readonly Sample[]>,
  base: Place,
): TimeRatio<Place>[] {
  const least = samples.get(base) ?? [];
  return [...samples]
    .filter(([place]) => place !== base)
    .map(([place, here]) => ({
      place,
      total: spread(
        byRound(here, least, (of) =>
          percentile(
            of.map(({ total }) => total),
            0.5,
          ),
        ),
      ),
      database: spread(byRound(here, least, (of) => of.reduce((sum, { database }) => sum + database, 0) / of.length)),
    }));
}

function byRound(here: readonly Sample[], least: readonly Sample[], value: (of: readonly Sample[]) => number): number[] {
  const rounds = Map.groupBy(least, ({ round }) => round);
  return [...Map.groupBy(here, ({ round }) => round)].map(([round, of]) => value(of) / value(rounds.get(round) ?? []));
}

function spread(values: readonly number[]): Spread {
  return { median: percentile(values, 0.5), least: Math.min(...values), most: Math.max(...values) };
}
