import type { Cosines } from "#core/rank/cut";
import type { Nature } from "#core/rank/ranking";

/** `document` is text to be found, `query` is a question: asymmetric models embed them differently. */
export type EmbeddingPurpose = "document" | "query";

export interface Embedder {
  /** Names the vector space, as `model@dimensions`. Vectors of two names are never ranked together. */
  readonly model: string;
  readonly dimensions: number;
  /** The host that gets the texts; absent if they do not leave the Worker. */
  readonly host?: string;
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
  /** What single words mean, whatever embeds the texts; an embedder of letters has none. */
  readonly words?: WordMeanings;
  /** How its vectors are to be read for this question, where that depends on the question. */
  readingOf?(query: string): Reading;
}

/**
 * What a word means by itself: a unit-length vector, and how much it says of a text, from about 0.4 ("make") to 2 ("lisinopril"). The weight
 * comes from English as it is written, so it does not depend on the memories of one user.
 */
export type WordMeaning = { vector: Float32Array; weight: number };

export interface WordMeanings {
  /** `token` as `analyse` writes it; null for a word that is not known, as most names. */
  meaningOf(token: string): WordMeaning | null;
}

export type Reading = Pick<Embedder, "nature" | "cosines" | "similarities" | "words"> & {
  /** The floor of what vectors estimate, if it is below that of exact cosines. */
  estimateFloor?: number;
};
