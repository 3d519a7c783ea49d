import type { Cosines } from "#core/rank/cut";

/**
 * What the cosines of models mean, as `npm run tune:embedder` measures it with the texts in test/corpora/memory-questions.ts. A model's name
 * is compared in lower case, and may have a maker before it or a version after it.
 */
const KNOWN: readonly { name: RegExp; cosines: Cosines }[] = [
  { name: /(?:^|\/)all-minilm(?:-l6|:l6|:22m|:latest|$)/, cosines: { unrelated: 0.05, floor: 0.2 } },
  // Not measured here. The model's card shows .14 for two unrelated pairs, .60 and .76 for two related ones.
  { name: /qwen3-embedding[-:]0\.6b/, cosines: { unrelated: 0.14, floor: 0.25 } },
];

/** Cuts little: a model whose cosines are all high needs its own values, and loses no hit by these. */
const UNKNOWN: Cosines = { unrelated: 0, floor: 0.2 };

/** The values of a model; those that the configuration names replace them. */
export function cosinesOf(model: string, configured: Partial<Cosines> = {}): Cosines {
  const known = KNOWN.find(({ name }) => name.test(model.toLowerCase()));
  return { ...(known?.cosines ?? UNKNOWN), ...configured };
}
