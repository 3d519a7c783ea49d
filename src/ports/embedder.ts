/** `document` is text to be found, `query` is a question: asymmetric models embed them differently. */
export type EmbeddingPurpose = "document" | "query";

export interface Embedder {
  /** Names the vector space, as `model@dimensions`. Vectors of two names are never ranked together. */
  readonly model: string;
  readonly dimensions: number;
  /** `lexical` vectors repeat what the text index knows; only `semantic` ones earn weight in a fused ranking. */
  readonly nature: "lexical" | "semantic";
  /** One unit-length vector a text, in order. Batches by itself. Throws `upstream_failed`, or `misconfigured` on a wrong dimension. */
  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
  /**
   * Of a `lexical` embedder: the cosine of each text with the query, exact, in order. Its vectors only estimate it, because several
   * features share a dimension there and can cancel each other out.
   */
  similarities?(query: string, texts: readonly string[]): number[];
}
