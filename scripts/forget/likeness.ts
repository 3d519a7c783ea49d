import { createBuiltInEmbedder } from "#adapters/built-in-embedder";
import type { Likeness } from "../../src/domain/forgetting/asked.ts";

const { similarities, words } = createBuiltInEmbedder();

/** That of the default embedder. */
export const likeness: Likeness = {
  similarity: (query, texts) => similarities?.(query, texts).map(({ cosine }) => cosine) ?? [],
  meanings: words,
};
