import type { Item, PutOperation } from "@langchain/langgraph-checkpoint";
import { keyOf, SCOPE_TYPE, scopeIdOf } from "./address.ts";
import { textOf } from "./value-text.ts";

/** The most bytes of a memory's metadata as JSON. */
const MAX_METADATA_BYTES = 8_192;

/** The place and the value of an item, under one name, because a change replaces the fields of metadata one by one. */
type Stored = {
  namespace: string[];
  key: string;
  value: Record<string, unknown>;
  /** false: a search by a query does not rank it. */
  index: boolean;
};

/** The field of a memory's metadata that has the item. */
const FIELD = "langgraph";

type PutValue = Omit<PutOperation, "value"> & { value: Record<string, unknown> };

/**
 * An item as a memory: its place as the key, its text as the words, the value itself in the metadata.
 *
 * @throws TypeError, RangeError for a value that would not come back as it is.
 */
export async function toMemory({ namespace, key, value, index }: PutValue) {
  const stored: Stored = { namespace, key, value, index: index !== false };
  const metadata = { [FIELD]: stored };
  const bytes = new TextEncoder().encode(JSON.stringify(metadata, soundly)).length;
  if (bytes > MAX_METADATA_BYTES)
    throw new RangeError(
      `The value has ${bytes} bytes as JSON with its namespace and key, and EdgewiseStore takes ${MAX_METADATA_BYTES}. Split it, or store it elsewhere and put a reference.`,
    );
  const text = index === false ? "" : textOf(value, index);
  return {
    key: await keyOf(namespace, key),
    scopeType: SCOPE_TYPE,
    scopeId: await scopeIdOf(namespace[0] ?? ""),
    // A memory has words. An item without any is found by its place.
    content: text === "" ? [...namespace, key].join(" / ") : text,
    metadata,
    expiresAt: null,
  };
}

/** JSON writes these as null or leaves them out without a word. */
function soundly(_: string, value: unknown): unknown {
  const isLost = typeof value === "number" ? !Number.isFinite(value) : ["function", "symbol", "bigint"].includes(typeof value);
  if (isLost) throw new TypeError(`A value is stored as JSON, which cannot hold the ${typeof value} in it as it is.`);
  return value;
}

type Memory = { metadata: Record<string, unknown>; createdAt: string; updatedAt: string };

/** The item of a memory; null for a memory that no store has made. */
export function itemOf({ metadata, createdAt, updatedAt }: Memory): (Item & { isRanked: boolean }) | null {
  const stored = metadata[FIELD];
  if (!isStored(stored)) return null;
  const { namespace, key, value, index } = stored;
  return { namespace, key, value, isRanked: index, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}

function isStored(field: unknown): field is Stored {
  if (typeof field !== "object" || field === null) return false;
  const { namespace, key, value, index }: Partial<Record<keyof Stored, unknown>> = field;
  const isPlace = Array.isArray(namespace) && namespace.every((label) => typeof label === "string") && typeof key === "string";
  return isPlace && typeof value === "object" && value !== null && typeof index === "boolean";
}
