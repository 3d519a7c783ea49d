import type { Cosines } from "#core/rank/cut";
import type { Nature } from "#core/rank/ranking";

/** `document` is text to be found, `query` is a question: asymmetric models embed them differently. */
export type EmbeddingPurpose = "document" | "query";

export interface Embedder {
  /** Names the vector space, as `model@dimensions`. Vectors of two names are never ranked together. */
  readonly model: string;
  readonly dimensions: number;
  /** `lexical` vectors repeat what the text index finds, so they get hardly any weight in a fused ranking. */
  readonly nature: Nature;
  /** What its cosines mean; they differ from model to model. */
  readonly cosines: Cosines;
  /**
   * One unit-length vector for each text, in order. Splits into batches itself.
   * @throws upstream_failed
   * @throws misconfigured on a wrong dimension.
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
  /**
   * For an embedder that needs no server: how each text resembles the query, in order. `cosine` is that of its vectors; of a `lexical`
   * embedder it is exact, where the vectors only estimate it, because several features share a dimension and can cancel each other out.
   * `contained` is the share of the query's words and letter groups that the text contains, however long it is.
   */
  similarities?(query: string, texts: readonly string[]): { cosine: number; contained: number }[];
  /** The vectors of single words of the text index, in order, longer for words that say more; null for a word that has none. */
  wordVectors?(words: readonly string[]): (Float32Array | null)[];
  /** How its vectors are to be read for this question, where that depends on the question. */
  readingOf?(query: string): Reading;
}

export type Reading = Pick<Embedder, "nature" | "cosines" | "similarities"> & {
  /** The floor of what vectors estimate, if it is below that of exact cosines. */
  estimateFloor?: number;
};
