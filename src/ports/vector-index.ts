/** What a vector may be filtered by. Numbers are internal ids and days since 1970; 0 and "" mean none. */
export type VectorMetadata = {
  kind: string;
  space: number;
  session: number;
  project: number;
  owner: number;
  workspace: string;
  type: string;
  createdDay: number;
  expiresDay: number;
  model: string;
};

export type VectorItem = { id: string; values: Float32Array; metadata: VectorMetadata };

/** Names a stored vector: an id is unique in the whole index, its space says where it is stored. */
export type VectorRef = { id: string; space: number };

type Condition<V> = V | { $eq?: V; $ne?: V; $in?: readonly V[]; $nin?: readonly V[]; $lt?: V; $lte?: V; $gt?: V; $gte?: V };

/** All conditions must hold. Either one equality-like operator a key, or one lower and one upper bound. */
export type VectorFilter = { [K in keyof Omit<VectorMetadata, "space">]?: Condition<VectorMetadata[K]> };

export type VectorQuery = {
  vector: Float32Array;
  /** Spaces that may be looked into; none given means nothing found. */
  spaces: readonly number[];
  filter: VectorFilter;
  topK: number;
};

/** `score` is cosine similarity, best first. */
export type VectorMatch = { id: string; score: number };

/** Finds ids and knows no permissions: what a caller may see is decided where the rows are loaded. */
export interface VectorIndex {
  /** How long after a write the index may still show the state before it; 0 when a write is seen at once. Milliseconds. */
  readonly settlesAfterMs: number;
  /** Replaces vectors of the same id. */
  upsert(tenantId: number, items: readonly VectorItem[]): Promise<void>;
  query(tenantId: number, query: VectorQuery): Promise<VectorMatch[]>;
  /** Unknown ids are no error. */
  remove(tenantId: number, refs: readonly VectorRef[]): Promise<void>;
  /**
   * Changes metadata and keeps the values; unknown ids are no error. `space` cannot change. Vectors written within
   * `settlesAfterMs` may be missed or put back to what they were: those are better upserted again.
   */
  retag(tenantId: number, refs: readonly VectorRef[], change: Partial<Omit<VectorMetadata, "space">>): Promise<void>;
  /** The ids of those refs that are stored, each where its ref says. */
  stored(tenantId: number, refs: readonly VectorRef[]): Promise<string[]>;
  /**
   * Ids that are stored in a space, in an order of the index's own, those behind `after`; `next` is null at the end. Absent from an index
   * that cannot list what it holds.
   */
  list?(
    tenantId: number,
    space: number,
    page: { after: string | null; limit: number },
  ): Promise<{ ids: string[]; next: string | null }>;
}
