import { createBuiltInEmbedder } from "#adapters/built-in-embedder";

const { similarities, words } = createBuiltInEmbedder();

/** How texts and words resemble each other by the built-in embedder: cosines, in order, and the vectors of words. */
export const builtInLikeness = {
  similarity: (query: string, texts: readonly string[]): number[] =>
    similarities?.(query, texts).map(({ cosine }) => cosine) ?? [],
  meanings: words,
};
