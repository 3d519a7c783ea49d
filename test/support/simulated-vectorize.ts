import type { VectorizeBinding } from "#adapters/vectorize";
import { passes } from "./reference-filter.ts";

const INDEXED = ["kind", "space", "session", "project", "workspace", "scope", "type", "createdDay", "expiresDay", "model"];
const COMPARISONS = ["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"];
const RANGES = ["$lt", "$lte", "$gt", "$gte"];
const LISTS = ["$in", "$nin"];

export type SimulatedVectorizeOptions = {
  dimensions: number;
  /** Writes stay invisible until `process` is called. */
  delayed?: boolean;
  /** Thrown by the next calls, first to last. */
  failures?: Error[];
};

type Stored = { id: string; values: number[]; namespace: string | undefined; metadata: Record<string, unknown> };

/**
 * Simulates a Vectorize index with ten metadata indexes and exact scores, and refuses what the real one refuses: ids over 64 bytes, 1,000
 * vectors an upsert, 100 ids a deletion, 20 ids a reading, topK over 100 (50 with values), filters of 2,048 bytes or with operators that do
 * not combine, other dimensions. Reading and deleting by id ignore namespaces, and an index reads 64 bytes of a text. Stricter than the
 * real one where that is not documented: a filter on a property without an index, and one id twice in a call, are refused.
 */
export class SimulatedVectorize implements VectorizeBinding {
  readonly calls: string[] = [];
  readonly #dimensions: number;
  readonly #delayed: boolean;
  readonly #failures: Error[];
  readonly #stored = new Map<string, Stored>();
  #pending: (() => void)[] = [];
  #mutations = 0;

  constructor({ dimensions, delayed = false, failures = [] }: SimulatedVectorizeOptions) {
    this.#dimensions = dimensions;
    this.#delayed = delayed;
    this.#failures = failures;
  }

  /** Makes earlier writes visible. */
  process(): void {
    for (const mutation of this.#pending) mutation();
    this.#pending = [];
  }

  async describe(): Promise<VectorizeIndexInfo> {
    this.#begin("describe");
    return {
      vectorCount: this.#stored.size,
      dimensions: this.#dimensions,
      processedUpToDatetime: 0,
      processedUpToMutation: this.#mutations,
    };
  }

  async query(vector: VectorFloatArray | number[], options: VectorizeQueryOptions = {}): Promise<VectorizeMatches> {
    this.#begin("query");
    const { topK = 5, namespace, filter, returnValues = false, returnMetadata = "none" } = options;
    this.#checkLength(vector, "VECTOR_QUERY_ERROR");
    const most = returnValues || returnMetadata === "all" || returnMetadata === true ? 50 : 100;
    if (!Number.isInteger(topK) || topK < 1 || topK > most)
      throw refused("VECTOR_QUERY_ERROR", 40025, `topK may be 1 to ${most}, got ${topK}`);
    if (filter !== undefined) checkFilter(filter);
    const matches = [...this.#stored.values()]
      .filter((stored) => namespace === undefined || stored.namespace === namespace)
      .filter(({ metadata }) => filter === undefined || passes(asIndexed(metadata), filter))
      .map(({ id, namespace: owner, values }) => ({ id, namespace: owner, score: cosine(vector, values) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, topK);
    return { matches, count: matches.length };
  }

  async upsert(vectors: VectorizeVector[]): Promise<VectorizeAsyncMutation> {
    this.#begin("upsert");
    const name = "VECTOR_UPSERT_ERROR";
    if (vectors.length < 1 || vectors.length > 1_000) throw refused(name, 40007, `1 to 1000 vectors, got ${vectors.length}`);
    if (new Set(vectors.map(({ id }) => id)).size < vectors.length) throw refused(name, 40023, "an id is there twice");
    const stored = vectors.map(({ id, values, namespace, metadata = {} }): Stored => {
      if (bytesOf(id) > 64) throw refused(name, 40008, `id too long; max is 64 bytes, got ${bytesOf(id)} bytes`);
      if (bytesOf(namespace ?? "") > 64) throw refused(name, 40009, "namespace too long; max is 64 bytes");
      if (bytesOf(JSON.stringify(metadata)) > 10_240) throw refused(name, 40011, "metadata too large; max is 10240 bytes");
      this.#checkLength(values, name);
      return { id, values: Array.from(values), namespace, metadata: structuredClone(metadata) };
    });
    return this.#mutate(() => {
      for (const vector of stored) this.#stored.set(vector.id, vector);
    });
  }

  async deleteByIds(ids: string[]): Promise<VectorizeAsyncMutation> {
    this.#begin("deleteByIds");
    if (ids.length < 1 || ids.length > 100) throw refused("VECTOR_DELETE_ERROR", 40007, `max id count is 100, got ${ids.length}`);
    return this.#mutate(() => {
      for (const id of ids) this.#stored.delete(id);
    });
  }

  async getByIds(ids: string[]): Promise<VectorizeVector[]> {
    this.#begin("getByIds");
    if (ids.length < 1 || ids.length > 20) throw refused("VECTOR_GET_ERROR", 40007, `max id count is 20, got ${ids.length}`);
    return ids.flatMap((id) => {
      const stored = this.#stored.get(id);
      return stored === undefined ? [] : [asVector(structuredClone(stored))];
    });
  }

  #begin(name: string): void {
    this.calls.push(name);
    const failure = this.#failures.shift();
    if (failure) throw failure;
  }

  #checkLength({ length }: ArrayLike<number>, name: string): void {
    if (length !== this.#dimensions)
      throw refused(name, 40012, `invalid vector, expected ${this.#dimensions} dimensions, got ${length}`);
  }

  #mutate(mutation: () => void): VectorizeAsyncMutation {
    if (this.#delayed) this.#pending.push(mutation);
    else mutation();
    this.#mutations++;
    return { mutationId: `mutation-${this.#mutations}` };
  }
}

/** An error as the binding throws it. */
export function refused(name: string, code: number, message: string): Error {
  return new Error(`${name} (code = ${code}): ${message}`);
}

function checkFilter(filter: VectorizeVectorMetadataFilter): void {
  const refuse = (message: string) => refused("VECTOR_QUERY_ERROR", 40026, message);
  if (Object.keys(filter).length === 0) throw refuse("filter must be a non-empty object");
  if (bytesOf(JSON.stringify(filter)) >= 2_048) throw refuse("filter must be less than 2048 bytes");
  for (const [key, condition] of Object.entries(filter)) {
    if (!INDEXED.includes(key)) throw refuse(`no metadata index on ${key}`);
    if (typeof condition !== "object" || condition === null) {
      if (!isScalar(condition)) throw refuse(`bad value for ${key}`);
      continue;
    }
    const operators = Object.keys(condition).sort();
    if (!combines(operators)) throw refuse(`operators on ${key} do not combine: ${operators.join()}`);
    for (const [operator, operand] of Object.entries(condition)) {
      if (!takes(operator, operand)) throw refuse(`bad operand for ${key} ${operator}`);
    }
  }
}

function combines(operators: readonly string[]): boolean {
  const [first = "", second = ""] = operators;
  if (operators.length === 1) return [...COMPARISONS, ...LISTS].includes(first);
  return operators.length === 2 && ["$gt", "$gte"].includes(first) && ["$lt", "$lte"].includes(second);
}

function takes(operator: string, operand: unknown): boolean {
  if (LISTS.includes(operator)) return Array.isArray(operand) && operand.length > 0 && operand.every(isScalar);
  if (RANGES.includes(operator)) return typeof operand === "string" || typeof operand === "number";
  return isScalar(operand);
}

function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** The part of a text in a metadata index: 64 bytes, cut between characters. */
function asIndexed(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, typeof value === "string" ? cut(value) : value]),
  );
}

function cut(text: string): string {
  let kept = "";
  for (const character of text) {
    if (bytesOf(kept + character) > 64) break;
    kept += character;
  }
  return kept;
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return dot / Math.sqrt(aa * bb);
}

/** Safe, because `metadata` was a vector's metadata when it was stored. */
function asVector(stored: Stored): VectorizeVector {
  return stored as VectorizeVector;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
