import type { Item, PutOperation } from "@langchain/langgraph-checkpoint";
import { keyOf, SCOPE_TYPE, scopeIdOf } from "./address.ts";
import { requireJson } from "./require-json.ts";
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
  requireJson(value);
  const stored: Stored = { namespace, key, value, index: index !== false };
  const metadata = { [FIELD]: stored };
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
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

type Memory = { id: string; key: string | null; metadata: Record<string, unknown>; createdAt: string; updatedAt: string };

type StoredItem = Item & { memoryId: string; isRanked: boolean };

/** The item of a memory; null for a memory that no store has made, or whose metadata names another place than its key. */
export async function itemOf({ id, key: memoryKey, metadata, createdAt, updatedAt }: Memory): Promise<StoredItem | null> {
  const stored = metadata[FIELD];
  if (!isStored(stored)) return null;
  const { namespace, key, value, index } = stored;
  if (memoryKey !== (await keyOf(namespace, key))) return null;
  const times = { createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
  return { memoryId: id, namespace, key, value, isRanked: index, ...times };
}

function isStored(field: unknown): field is Stored {
  if (typeof field !== "object" || field === null) return false;
  const { namespace, key, value, index }: Partial<Record<keyof Stored, unknown>> = field;
  const isPlace = Array.isArray(namespace) && namespace.every((label) => typeof label === "string") && typeof key === "string";
  return isPlace && typeof value === "object" && value !== null && typeof index === "boolean";
}
