import { createBuiltInEmbedder } from "#adapters/built-in-embedder";

const { similarities } = createBuiltInEmbedder();

/** That of the default embedder. */
export function similarity(query: string, texts: readonly string[]): number[] {
  return similarities?.(query, texts).map(({ cosine }) => cosine) ?? [];
}
