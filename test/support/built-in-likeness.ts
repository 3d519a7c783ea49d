import { createBuiltInEmbedder } from "#adapters/built-in-embedder";

const { similarities, wordVectors } = createBuiltInEmbedder();

/** How texts and words resemble each other by the built-in embedder: cosines, in order, and the vectors of words. */
export const builtInLikeness = {
  similarity: (query: string, texts: readonly string[]): number[] =>
    similarities?.(query, texts).map(({ cosine }) => cosine) ?? [],
  wordVectors,
};
