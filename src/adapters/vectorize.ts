import { AppError, misconfigured, Unavailable, upstreamFailed } from "#core/errors";
import type { VectorIndex, VectorItem, VectorMetadata, VectorRef } from "#ports/vector-index";
import { batches, inParallel, Passing, type Pause, retryPassing } from "./calls.ts";
import { bestOf, lastOfEach, type Operand, toConditions, type VectorCondition } from "./vectors.ts";

const MAX_TOP_K = 100;
const MAX_DELETE = 100;
const MAX_GET = 20;
/** A call may hold 1,000; half of that keeps 1,536 dimensions, as text, under 16 MB. */
const MAX_UPSERT = 500;
const MAX_ID_BYTES = 64;
const MAX_FILTER_BYTES = 2_048;
/** The limit of a Worker's simultaneous connections. */
const PARALLEL_CALLS = 6;
/** An index compares only this many bytes of a text. */
const MAX_INDEXED_BYTES = 64;
const DIGEST_CHARACTERS = 60;
const TOO_MANY_REQUESTS = "40041";

/** Writes are visible after 30 s in the median and 2 min for 99 of 100 (changelog of 2026-06-30); this is well beyond that. */
const SETTLES_AFTER_MS = 300_000;

/** The part of the binding that is used. */
export type VectorizeBinding = Pick<Vectorize, "describe" | "query" | "upsert" | "deleteByIds" | "getByIds">;

export type VectorizeOptions = { index: VectorizeBinding; dimensions: number; pause?: Pause };

/** The dimensions of indexes, cached for the life of the isolate. */
const described = new WeakMap<VectorizeBinding, number>();

/**
 * `retag` reads whole vectors and writes them back: a vector that is not visible yet is not changed, and one that was replaced in the last
 * minutes may be reverted. Retag only what was written a while ago.
 */
export function createVectorizeIndex({ index, dimensions, pause }: VectorizeOptions): VectorIndex {
  const call = <T>(work: () => Promise<T>) => retryPassing(() => translated(work), pause);

  return {
    settlesAfterMs: SETTLES_AFTER_MS,

    async upsert(tenantId, items) {
      const vectors = await Promise.all(lastOfEach(items).map((item) => toVector(tenantId, item)));
      if (vectors.length === 0) return;
      await refuseOtherDimensions();
      for (const item of items) refuseOtherLength(item.values);
      await write(vectors);
    },

    async query(tenantId, { vector, spaces, filter, topK }) {
      const conditions = toConditions(filter);
      if (spaces.length === 0 || topK <= 0 || conditions.some(matchesNothing)) return [];
      refuseOtherLength(vector);
      await refuseOtherDimensions();
      const asked = await toFilter(conditions);
      const filters = fitting({ ...asked, space: { $in: [...new Set(spaces)] } });
      const namespace = String(tenantId);
      const limit = Math.min(Math.floor(topK), MAX_TOP_K);
      const answers = await inParallel(filters, PARALLEL_CALLS, (part) =>
        call(() => index.query(vector, { namespace, topK: limit, filter: part, returnMetadata: "none", returnValues: false })),
      );
      const lists = answers.map(({ matches }) =>
        matches.flatMap(({ id, score }) => ownId(tenantId, id).map((own) => ({ id: own, score }))),
      );
      return bestOf(lists, limit);
    },

    async remove(tenantId, refs) {
      await inParallel(batches(storedIds(tenantId, refs), MAX_DELETE), PARALLEL_CALLS, (ids) =>
        call(() => index.deleteByIds(ids)),
      );
    },

    async retag(tenantId, refs, change) {
      const tags = await indexed(change);
      for (const part of batches(refs, MAX_UPSERT)) await retagPart(tenantId, part, tags);
    },

    async stored(tenantId, refs) {
      const vectors = await read(tenantId, refs);
      return vectors.flatMap(({ id }) => ownId(tenantId, id));
    },
  };

  /** In parts, because whole vectors pass through memory. */
  async function retagPart(tenantId: number, refs: readonly VectorRef[], tags: Record<string, Tag>): Promise<void> {
    const vectors = await read(tenantId, refs);
    const namespace = String(tenantId);
    await write(vectors.map(({ id, values, metadata }) => ({ id, values, namespace, metadata: { ...metadata, ...tags } })));
  }

  /** Reading by id ignores namespaces and spaces. */
  async function read(tenantId: number, refs: readonly VectorRef[]): Promise<VectorizeVector[]> {
    const spaces = new Map(refs.map(({ id, space }) => [storedId(tenantId, id), space]));
    const found = await inParallel(batches([...spaces.keys()], MAX_GET), PARALLEL_CALLS, (ids) =>
      call(() => index.getByIds(ids)),
    );
    return found.flat().filter(({ id, metadata }) => metadata?.space === spaces.get(id));
  }

  async function write(vectors: readonly VectorizeVector[]): Promise<void> {
    await inParallel(batches(vectors, MAX_UPSERT), 1, (batch) => call(() => index.upsert(batch)));
  }

  /** If an index cannot be described now, it is still used: it refuses a wrong length itself, and the next call tries again. */
  async function refuseOtherDimensions(): Promise<void> {
    const known = described.get(index) ?? (await index.describe().catch(() => undefined))?.dimensions;
    if (known === undefined) return;
    described.set(index, known);
    if (known !== dimensions) throw wrongIndex(known, dimensions);
  }

  function refuseOtherLength(vector: Float32Array): void {
    if (vector.length === dimensions) return;
    throw misconfigured(
      `A vector has ${vector.length} dimensions, but ${dimensions} are configured. Set EMBEDDING_DIMENSIONS to ${vector.length}.`,
    );
  }
}

function wrongIndex(found: number, configured: number): AppError {
  return misconfigured(
    `The Vectorize index has ${found} dimensions, but ${configured} are configured. Set EMBEDDING_DIMENSIONS to ${found} with a model that makes ` +
      `${found}, or create an index with "wrangler vectorize create <name> --dimensions=${configured} --metric=cosine", ` +
      `create its metadata indexes, and name it in wrangler.toml.`,
  );
}

async function toVector(tenantId: number, { id, values, metadata }: VectorItem): Promise<VectorizeVector> {
  return { id: storedId(tenantId, id), values, namespace: String(tenantId), metadata: await indexed(metadata) };
}

function storedIds(tenantId: number, refs: readonly VectorRef[]): string[] {
  return [...new Set(refs.map(({ id }) => storedId(tenantId, id)))];
}

function storedId(tenantId: number, id: string): string {
  const stored = `${tenantId}/${id}`;
  if (bytesOf(stored) <= MAX_ID_BYTES) return stored;
  throw new AppError("internal", `A vector's id is too long: with its tenant's number it may have ${MAX_ID_BYTES} bytes.`);
}

/** Null for an id of another tenant, which the namespace should already have excluded. */
function ownId(tenantId: number, stored: string): string[] {
  const prefix = `${tenantId}/`;
  return stored.startsWith(prefix) ? [stored.slice(prefix.length)] : [];
}

type Tag = Operand;

/** Metadata as it is stored: a text longer than an index reads is stored as its digest, so that equality stays exact. */
async function indexed(metadata: Partial<VectorMetadata>): Promise<Record<string, Tag>> {
  const tags: Record<string, Tag> = {};
  for (const [key, value] of Object.entries(metadata)) if (value !== undefined) tags[key] = await asIndexed(value);
  return tags;
}

async function asIndexed(value: Tag): Promise<Tag> {
  if (typeof value === "number") return value;
  const bytes = new TextEncoder().encode(value);
  if (bytes.length <= MAX_INDEXED_BYTES) return value;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `~${hex.slice(0, DIGEST_CHARACTERS)}`;
}

type FilterPart = Record<string, Tag | Record<string, Tag | Tag[]>>;

async function toFilter(conditions: readonly VectorCondition[]): Promise<FilterPart> {
  const filter: Record<string, Record<string, Tag | Tag[]>> = {};
  for (const condition of conditions) {
    if (matchesAll(condition)) continue;
    const operand = "values" in condition ? await Promise.all(condition.values.map(asIndexed)) : await asIndexed(condition.value);
    filter[condition.key] = { ...filter[condition.key], [condition.operator]: operand };
  }
  return filter;
}

/** Halves the longest list of alternatives until each part fits; the parts share no vector, so their answers can be merged. */
function fitting(filter: FilterPart): VectorizeVectorMetadataFilter[] {
  if (bytesOf(JSON.stringify(filter)) < MAX_FILTER_BYTES) return [asVectorizeFilter(filter)];
  const [longest] = Object.entries(filter)
    .flatMap(([key, condition]) =>
      typeof condition === "object" && Array.isArray(condition.$in) ? [{ key, values: condition.$in }] : [],
    )
    .sort((a, b) => b.values.length - a.values.length);
  if (longest === undefined || longest.values.length < 2) {
    throw new AppError("internal", `A vector filter is too long: written as JSON it may have ${MAX_FILTER_BYTES} bytes.`);
  }
  const half = Math.ceil(longest.values.length / 2);
  return [longest.values.slice(0, half), longest.values.slice(half)].flatMap(($in) =>
    fitting({ ...filter, [longest.key]: { $in } }),
  );
}

/** The vendor's type allows one kind of operator for each key; `toConditions` has checked that. */
function asVectorizeFilter(filter: FilterPart): VectorizeVectorMetadataFilter {
  return filter as VectorizeVectorMetadataFilter;
}

function matchesNothing(condition: VectorCondition): boolean {
  return condition.operator === "$in" && condition.values.length === 0;
}

function matchesAll(condition: VectorCondition): boolean {
  return condition.operator === "$nin" && condition.values.length === 0;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error);
  }
}

/**
 * Only the numeric code is used: the message may repeat what was sent. Codes of 40,000 and more are permanent, except too many requests.
 */
function failureOf(error: unknown): Error {
  const code = error instanceof Error ? /code = (\d+)/.exec(error.message)?.[1] : undefined;
  if (code === undefined) return new Passing(new Unavailable("Vectorize did not answer."));
  const sentence = `Vectorize refused the request (${code}).`;
  if (code === TOO_MANY_REQUESTS) return new Passing(new Unavailable(sentence, { kind: "busy" }));
  return code.startsWith("40") ? upstreamFailed(sentence) : new Passing(new Unavailable(sentence));
}
