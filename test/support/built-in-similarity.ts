import { createBuiltInEmbedder } from "#adapters/built-in-embedder";

const { similarities } = createBuiltInEmbedder();

/** How each text resembles a query by the built-in embedder: cosines, in order. */
export function builtInSimilarity(query: string, texts: readonly string[]): number[] {
  return similarities?.(query, texts).map(({ cosine }) => cosine) ?? [];
}
