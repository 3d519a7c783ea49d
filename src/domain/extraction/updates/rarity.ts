import common from "./common-words.json" with { type: "json" };

/** Weights of stems by how many messages of the training talk have them; written by `npm run train:judge`. */
const WEIGHT_OF: ReadonlyMap<string, number> = new Map(
  [common.frequent, common.usual].flatMap((stems, i) => stems.split(" ").map((stem) => [stem, i === 0 ? 0.5 : 0.75] as const)),
);

/** How much a shared stem says that two statements are about the same thing, from 0.5 to 1. */
export function rarityOf(stem: string): number {
  return WEIGHT_OF.get(stem) ?? 1;
}

/** How much a stem says among statements: what many of them are about says little of which one is meant. */
export function rarityAmong(statements: readonly { stems: ReadonlySet<string> }[]): (stem: string) => number {
  const counts = new Map<string, number>();
  for (const { stems } of statements) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return (stem) => rarityOf(stem) / Math.cbrt(Math.max(1, counts.get(stem) ?? 1));
}
