import { breaksRule } from "#core/errors";
import { toMillis } from "#core/fields";
import { refuseSecretName } from "#core/safety/name-secrets";
import { piiRisk } from "#core/safety/pii-risk";
import { refuseLabelledSecret, refuseSecrets } from "#core/safety/refuse-secrets";
import { sensitivityOf } from "#core/safety/sensitivity";
import { storable } from "#core/text/normalize";
import type { Sensitivity } from "#domain/visibility";
import type { Privacy } from "./default-privacy.ts";
import { MAX_METADATA_BYTES, MAX_METADATA_DEPTH, type MemoryDraftInput } from "./schemas.ts";
import { DEFAULT_TYPE, isMemoryType, lifetimeMs, MEMORY_TYPES, type MemoryType } from "./types.ts";

/** What a memory says and how: everything of it that may be changed, but for whom it is about. Times are Unix milliseconds. */
export type Values = {
  content: string;
  type: MemoryType;
  key: string | null;
  workspaceId: string | null;
  scopeType: string | null;
  scopeId: string | null;
  confidence: number;
  /** null is public. */
  sensitivity: Sensitivity;
  portable: boolean;
  pinned: boolean;
  metadata: Record<string, unknown>;
  expiresAt: number | null;
  validFrom: number;
};

/** Whether they say the same; metadata is compared as it is written. */
export function sameValues(a: Partial<Values>, b: Partial<Values>): boolean {
  return Object.entries(a).every(([name, value]) => JSON.stringify(value) === JSON.stringify(Reflect.get(b, name)));
}

const STRICTNESS = { public: 0, personal: 1, sensitive: 2 };

export function stricter(a: Sensitivity, b: Sensitivity): Sensitivity {
  return STRICTNESS[a ?? "public"] >= STRICTNESS[b ?? "public"] ? a : b;
}

export type Status = "approved" | "pending" | "rejected";

/** Below this a memory waits for a person. */
const APPROVED_FROM = 0.6;
/** From this risk on it does too. */
export const REVIEWED_FROM = 2;

type Fields = Partial<Omit<MemoryDraftInput, "key">> & { key?: string | null | undefined };

/** Reads the fields that an input names. 422 for what breaks a rule, with the field; for a secret, its kind and never its text. */
export function parseGiven(input: Fields, given: { now: number; path: string }): Partial<Values> {
  const { now, path } = given;
  const values: Partial<Values> = {};
  if (input.content !== undefined) values.content = storable(input.content).trim();
  if (input.type !== undefined) {
    if (!isMemoryType(input.type)) throw breaksRule(`${path}type`, `The types are ${MEMORY_TYPES.join(", ")}.`);
    values.type = input.type;
  }
  if (input.key !== undefined) values.key = input.key;
  if (input.workspaceId !== undefined) values.workspaceId = input.workspaceId;
  if (input.scopeType !== undefined) values.scopeType = input.scopeType;
  if (input.scopeId !== undefined) values.scopeId = input.scopeId;
  if (input.confidence !== undefined) values.confidence = input.confidence;
  if (input.sensitivity !== undefined) values.sensitivity = input.sensitivity === "public" ? null : input.sensitivity;
  if (input.portable !== undefined) values.portable = input.portable;
  if (input.pinned !== undefined) values.pinned = input.pinned;
  if (input.metadata !== undefined) values.metadata = input.metadata;
  if (input.validFrom !== undefined) values.validFrom = toMillis(input.validFrom);
  if (input.expiresAt !== undefined) values.expiresAt = input.expiresAt === null ? null : toMillis(input.expiresAt);
  if (values.expiresAt !== undefined && values.expiresAt !== null && values.expiresAt <= now)
    throw breaksRule(`${path}expiresAt`, "A memory cannot expire in the past.");
  const { content, key, workspaceId, scopeType, scopeId } = values;
  refuseSecrets({ content, metadata: proseOf(values.metadata, path) }, path);
  for (const [field, name] of Object.entries({ key, workspaceId, scopeType, scopeId }))
    if (typeof name === "string") refuseSecretName(`${path}${field}`, name);
  return values;
}

/** Outer names that a line of prose begins with, at most. */
const MAX_OUTER_NAMES = 3;

/**
 * Names and values as lines of prose, where a rule about words finds them. 422 for what JSON cannot give back as it came: nested too
 * deep, or a number beyond all numbers.
 */
function proseOf(metadata: Record<string, unknown> | undefined, path: string): string | undefined {
  if (metadata === undefined) return undefined;
  requireSound(metadata, { path, depth: 0 });
  requireSmall(metadata, path);
  const lines: string[] = [];
  const walk = (names: readonly string[], value: unknown): void => {
    const name = names.at(-1) ?? "";
    // By itself, too: a name may say all of it.
    lines.push(name);
    if (typeof value !== "object" || value === null) {
      lines.push(`${name}: ${String(value)}`);
      // In {"password": {"new": "x"}} the outer name says what x is.
      if (names.length > 1) lines.push(`${names.slice(-MAX_OUTER_NAMES).join(" ")}: ${String(value)}`);
    } else if (Array.isArray(value)) {
      for (const inner of value) walk(names, inner);
    } else {
      for (const [key, inner] of Object.entries(value)) walk([...names, key], inner);
    }
  };
  walk([], metadata);
  return lines.join("\n");
}

function requireSound(value: unknown, { path, depth }: { path: string; depth: number }): void {
  if (depth > MAX_METADATA_DEPTH)
    throw breaksRule(`${path}metadata`, `Metadata may be nested ${MAX_METADATA_DEPTH} deep at most.`);
  if (typeof value === "number" && !Number.isFinite(value))
    throw breaksRule(`${path}metadata`, "Metadata holds a number that is too large.");
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) requireSound(inner, { path, depth: depth + 1 });
}

function requireSmall(metadata: Record<string, unknown>, path: string): void {
  if (new TextEncoder().encode(JSON.stringify(metadata)).length > MAX_METADATA_BYTES)
    throw breaksRule(`${path}metadata`, `Metadata may have ${MAX_METADATA_BYTES} bytes as JSON.`);
}

/** What a memory says: its statement, its type, and what stands beside it, its key and its metadata. */
export type Words = { content: string; type: MemoryType; beside: readonly string[] };

/**
 * Completes what is given: from what the memory was, whose metadata is merged shallowly, or with defaults. `privacyOf` says who may see
 * a statement of which nothing is given; of a memory whose statement changes, the stricter of that and what it was. A new key or new
 * metadata may hold sensitive words too; a shared memory is public whatever it says.
 */
export function complete(
  given: Partial<Values>,
  before: Values | null,
  place: { now: number; path: string; isShared: boolean; privacyOf: (words: Words) => Privacy },
): Values {
  const { now, path } = place;
  const type = given.type ?? before?.type ?? DEFAULT_TYPE;
  const content = given.content ?? before?.content ?? "";
  const key = given.key === undefined ? (before?.key ?? null) : given.key;
  if (key !== null && (given.content ?? given.key ?? undefined) !== undefined)
    refuseLabelledSecret(key, content, `${path}content`);
  const metadata = { ...before?.metadata, ...given.metadata };
  const beside = [key ?? "", proseOf(metadata, path) ?? ""];
  const isSame = before !== null && before.content === content;
  const privacy = isSame
    ? { sensitivity: place.isShared ? null : sensitivityOf(beside.join("\n")), portable: true }
    : place.privacyOf({ content, type, beside });
  const values: Values = {
    key: null,
    workspaceId: null,
    scopeType: null,
    scopeId: null,
    confidence: 1,
    pinned: false,
    validFrom: now,
    ...before,
    sensitivity: stricter(privacy.sensitivity, before?.sensitivity ?? null),
    portable: privacy.portable && (before?.portable ?? true),
    ...given,
    content,
    type,
    metadata,
    expiresAt: expiryOf(type, given, before, now),
  };
  if (values.scopeId !== null && values.scopeType === null) throw breaksRule(`${path}scopeId`, "A scopeId needs a scopeType.");
  if (values.scopeId !== null && values.scopeType === "global") throw breaksRule(`${path}scopeId`, "The scope global has no id.");
  requireSmall(values.metadata, path);
  return values;
}

/** As it is given; else what it was, unless the type or the words changed, which give it its type's life anew. */
function expiryOf(type: MemoryType, given: Partial<Values>, before: Values | null, now: number): number | null {
  if (given.expiresAt !== undefined) return given.expiresAt;
  if (before !== null && before.type === type && given.content === undefined) return before.expiresAt;
  const lifetime = lifetimeMs(type);
  if (lifetime === null) return before !== null && before.type === type ? before.expiresAt : null;
  return Math.max(now + lifetime, before?.type === type ? (before.expiresAt ?? 0) : 0);
}

/** The status that a memory has before anybody looked at it, and the risk that it was judged by. */
export function judge(
  { content, confidence, metadata }: Pick<Values, "content" | "confidence" | "metadata">,
  { piiReview }: { piiReview: boolean },
): { status: "approved" | "pending"; piiRisk: number } {
  const risk = piiRisk([content, proseOf(metadata, "") ?? ""].join("\n"));
  const waits = confidence < APPROVED_FROM || (piiReview && risk >= REVIEWED_FROM);
  return { status: waits ? "pending" : "approved", piiRisk: risk };
}
