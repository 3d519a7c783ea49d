import common from "./common-words.json" with { type: "json" };

/** Weights of stems by how many messages of the training talk have them; written by `npm run train:judge`. */
const WEIGHT_OF: ReadonlyMap<string, number> = new Map(
  [common.frequent, common.usual].flatMap((stems, i) => stems.split(" ").map((stem) => [stem, i === 0 ? 0.5 : 0.75] as const)),
);

/** How much a shared stem says that two statements are about the same thing, from 0.5 to 1. */
export function rarityOf(stem: string): number {
  return WEIGHT_OF.get(stem) ?? 1;
}
