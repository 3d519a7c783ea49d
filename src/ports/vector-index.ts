/** What a vector may be filtered by. Numbers are internal ids and days since 1970; 0 and "" mean none. */
export type VectorMetadata = {
  kind: string;
  space: number;
  session: number;
  project: number;
  workspace: string;
  /** `scopeTag` of a memory; a text longer than an index reads is compared by its digest. */
  scope: string;
  type: string;
  createdDay: number;
  expiresDay: number;
  model: string;
};

export type VectorItem = { id: string; values: Float32Array; metadata: VectorMetadata };

/** Identifies a stored vector: an id is unique in the whole index; its space says where it is stored. */
export type VectorRef = { id: string; space: number };

type Condition<V> = V | { $eq?: V; $ne?: V; $in?: readonly V[]; $nin?: readonly V[]; $lt?: V; $lte?: V; $gt?: V; $gte?: V };

/** All conditions must hold. Either one equality-like operator a key, or one lower and one upper bound. */
export type VectorFilter = { [K in keyof Omit<VectorMetadata, "space">]?: Condition<VectorMetadata[K]> };

export type VectorQuery = {
  vector: Float32Array;
  /** Spaces to search; without any, nothing is found. */
  spaces: readonly number[];
  filter: VectorFilter;
  topK: number;
};

/** `score` is cosine similarity, best first. */
export type VectorMatch = { id: string; score: number };

/** Finds ids and checks no permissions: visibility is decided where the rows are loaded. */
export interface VectorIndex {
  /** Milliseconds after a write for which the index may still show the previous state; 0 if a write is visible at once. */
  readonly settlesAfterMs: number;
  /** Replaces vectors of the same id. */
  upsert(tenantId: number, items: readonly VectorItem[]): Promise<void>;
  query(tenantId: number, query: VectorQuery): Promise<VectorMatch[]>;
  /** Unknown ids are ignored. */
  remove(tenantId: number, refs: readonly VectorRef[]): Promise<void>;
  /**
   * Changes metadata and keeps the values; unknown ids are ignored. `space` cannot change. Vectors written within `settlesAfterMs` may be
   * missed or reverted: upsert those again instead.
   */
  retag(tenantId: number, refs: readonly VectorRef[], change: Partial<Omit<VectorMetadata, "space">>): Promise<void>;
  /** The ids of those refs that are stored, each where its ref says. */
  stored(tenantId: number, refs: readonly VectorRef[]): Promise<string[]>;
  /**
   * Ids that are stored in a space, in the index's order, after `after`; `next` is null at the end. Absent if the index cannot list its
   * vectors.
   */
  list?(
    tenantId: number,
    space: number,
    page: { after: string | null; limit: number },
  ): Promise<{ ids: string[]; next: string | null }>;
}
