import { breaksRule } from "#core/errors";
import { toMillis } from "#core/fields";
import { offsetIn } from "#core/local-time";
import { refuseSecretName } from "#core/safety/name-secrets";
import { piiRisk } from "#core/safety/pii-risk";
import { refuseLabelledSecret, refuseSecrets } from "#core/safety/refuse-secrets";
import { sensitivityOf, stricter } from "#core/safety/sensitivity";
import { storable } from "#core/text/normalize";
import { versionData } from "#db/schema/memories";
import { DEFAULT_TYPE, isMemoryType, lifetimeMs, MEMORY_TYPES, type MemoryType, type Privacy } from "./defaults.ts";
import type { StoredMemory } from "./rows.ts";
import { About, MAX_METADATA_BYTES, MAX_METADATA_DEPTH, type MemoryDraftInput } from "./schemas.ts";

type ValueName = Exclude<keyof typeof About, "subjects"> | "content";

/** A memory's values: every column that an input may name. Times are Unix milliseconds. */
export type Values = Pick<StoredMemory, ValueName>;

/** The keys of a record whose type has no others. */
export function namesOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[];
}

function isValueName(name: keyof typeof About): name is Exclude<keyof typeof About, "subjects"> {
  return name !== "subjects";
}

const VALUE_NAMES: readonly ValueName[] = ["content", ...namesOf(About).filter(isValueName)];

/** The values of a memory when nothing is named. Type, privacy and times have defaults of their own elsewhere. */
const NO_VALUES = { ...emptyValues(), confidence: 1, pinned: false, metadata: {} };

/** Null for every nullable value. The others are set where this is used. */
function emptyValues(): { [K in ValueName as null extends Values[K] ? K : never]: null } {
  return Object.fromEntries(VALUE_NAMES.map((name) => [name, null])) as ReturnType<typeof emptyValues>;
}

/** The values of a row without its other columns. */
export function valuesOf(row: Values): Values {
  return Object.fromEntries(VALUE_NAMES.map((name) => [name, row[name]])) as Values;
}

/** A memory's values for a reader from elsewhere: the owner's own names and notes are left out. */
export function withoutMarks(row: Values): Values {
  const { content, type, workspaceId, confidence, sensitivity, portable, pinned, expiresAt, validFrom } = row;
  return { ...NO_VALUES, content, type, workspaceId, confidence, sensitivity, portable, pinned, expiresAt, validFrom };
}

/** What a version of a memory was, as `memory_versions.data` keeps it. */
export type StoredVersion = Omit<Values, "pinned" | "expiresAt" | "validFrom"> &
  Pick<StoredMemory, "subjects" | "statedBy" | "learnedIn" | "learnedAt" | "status"> & {
    /** The episode that stated it; absent in versions that were kept before it was. */
    episodeId?: number | null;
    /** Absent in what was stored before versions had it. */
    validFrom?: number;
  };

export const VERSION_DATA = versionData<StoredVersion>();

export function versionOf(row: StoredMemory): StoredVersion {
  const { pinned, expiresAt, ...values } = valuesOf(row);
  const { subjects, statedBy, learnedIn, episodeId, learnedAt, status } = row;
  return { ...values, subjects, statedBy, learnedIn, episodeId, learnedAt, status };
}

/** Whether the values are equal; metadata is compared as written. */
export function sameValues(a: Partial<Values>, b: Partial<Values>): boolean {
  return Object.entries(a).every(([name, value]) => JSON.stringify(value) === JSON.stringify(Reflect.get(b, name)));
}

/** Below this confidence, a memory waits for review. */
const APPROVED_FROM = 0.6;
/** From this risk on, it waits for review too. */
export const REVIEWED_FROM = 2;

/** The fields that an input may name. A null key removes the key. */
type Fields = Partial<Omit<MemoryDraftInput, "key">> & { key?: string | null | undefined };

/** Fields that are stored in another form than given. */
type Converted = "content" | "type" | "validFrom" | "expiresAt";

/** The named fields that are stored as given. */
function givenAsIs(input: Fields): Partial<Omit<Values, Converted>> {
  const { content, type, validFrom, expiresAt, ...asIs } = input;
  const named = new Map<string, unknown>(Object.entries(asIs));
  return Object.fromEntries(VALUE_NAMES.flatMap((name) => (named.get(name) === undefined ? [] : [[name, named.get(name)]])));
}

/**
 * Parses the fields that an input names.
 * @throws unprocessable for what breaks a rule, with the field; for a secret, with its kind and never its text.
 */
export function parseGiven(input: Fields, { now, path }: { now: number; path: string }): Partial<Values> {
  const { content, type, validFrom, expiresAt } = input;
  const asIs = givenAsIs(input);
  const values: Partial<Values> = {
    ...(content === undefined ? {} : { content: storable(content).trim() }),
    ...(type === undefined ? {} : { type: requireType(type, path) }),
    ...asIs,
    ...(validFrom === undefined ? {} : { validFrom: toMillis(validFrom) }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : toMillis(expiresAt) }),
  };
  if (values.expiresAt !== undefined && values.expiresAt !== null && values.expiresAt <= now)
    throw breaksRule(`${path}expiresAt`, "A memory cannot expire in the past.");
  refuseSecrets({ content: values.content, metadata: proseOf(values.metadata, path) }, path);
  for (const [field, name] of Object.entries(asIs)) if (typeof name === "string") refuseSecretName(`${path}${field}`, name);
  return values;
}

/** The offset that goes with `validFrom`: of the time that is given, else that of the memory which keeps its time. */
export function offsetOf(validFrom: string | undefined, before: Pick<StoredMemory, "validOffset"> | null): number | null {
  return validFrom === undefined ? (before?.validOffset ?? null) : offsetIn(validFrom);
}

function requireType(type: string, path: string): MemoryType {
  if (!isMemoryType(type)) throw breaksRule(`${path}type`, `The types are ${MEMORY_TYPES.join(", ")}.`);
  return type;
}

/** How many outer names a line of prose may begin with. */
const MAX_OUTER_NAMES = 3;

/**
 * Names and values as lines of prose, which rules about words can search.
 * @throws unprocessable for values that JSON cannot return unchanged: nested too deep, or a number that is not finite.
 */
function proseOf(metadata: Record<string, unknown> | undefined, path: string): string | undefined {
  if (metadata === undefined) return undefined;
  requireSound(metadata, { path, depth: 0 });
  requireSmall(metadata, path);
  const lines: string[] = [];
  const walk = (names: readonly string[], value: unknown): void => {
    const name = names.at(-1) ?? "";
    // Also on a line by itself: a name may hold the whole secret.
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

/** The statement of a memory: its words, type, key and metadata. */
export type Words = { content: string; type: MemoryType; beside: readonly string[] };

/** The place where a memory is written, as far as its default privacy depends on it. */
export type Completion = { now: number; path: string; isShared: boolean; privacyOf: (words: Words) => Privacy };

/**
 * Completes the given values with the memory's previous ones (metadata is merged shallowly) or with defaults. `privacyOf` gives the privacy
 * of a statement for which none is named; if an existing memory's statement changes, the stricter of that and the previous privacy applies.
 * A new key or new metadata may hold sensitive words too. A shared memory is always public.
 * @throws unprocessable
 */
export function complete(given: Partial<Values>, before: Values | null, { now, path, isShared, privacyOf }: Completion): Values {
  const type = given.type ?? before?.type ?? DEFAULT_TYPE;
  const content = given.content ?? before?.content ?? "";
  const key = given.key === undefined ? (before?.key ?? null) : given.key;
  if (key !== null && (given.content ?? given.key ?? undefined) !== undefined)
    refuseLabelledSecret(key, content, `${path}content`);
  const metadata = { ...before?.metadata, ...given.metadata };
  const beside = [key ?? "", proseOf(metadata, path) ?? ""];
  const isSame = before !== null && before.content === content;
  const privacy: Privacy = isSame
    ? { sensitivity: isShared ? "public" : sensitivityOf(beside.join("\n")), portable: true }
    : privacyOf({ content, type, beside });
  const values: Values = {
    ...NO_VALUES,
    validFrom: now,
    ...before,
    sensitivity: before === null ? privacy.sensitivity : stricter(privacy.sensitivity, before.sensitivity),
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

/** The given expiry; else the previous one, unless the type or the words changed, which restart its type's lifetime. */
function expiryOf(type: MemoryType, given: Partial<Values>, before: Values | null, now: number): number | null {
  if (given.expiresAt !== undefined) return given.expiresAt;
  if (before !== null && before.type === type && given.content === undefined) return before.expiresAt;
  const lifetime = lifetimeMs(type);
  if (lifetime === null) return before !== null && before.type === type ? before.expiresAt : null;
  return Math.max(now + lifetime, before?.type === type ? (before.expiresAt ?? 0) : 0);
}

/**
 * Refuses the fields of a memory that no request may store.
 * @throws unprocessable as `parseGiven` and `complete` do.
 */
export function refuseUnstorable(input: Fields, now: number): void {
  const privacyOf = (): Privacy => ({ sensitivity: "public", portable: true });
  complete(parseGiven(input, { now, path: "" }), null, { now, path: "", isShared: false, privacyOf });
}

/** The status of a memory before any review, and the risk that decided it. */
export function judge(
  { content, confidence, metadata }: Pick<Values, "content" | "confidence" | "metadata">,
  { piiReview }: { piiReview: boolean },
): { status: "approved" | "pending"; piiRisk: number } {
  const risk = piiRisk([content, proseOf(metadata, "") ?? ""].join("\n"));
  const waits = confidence < APPROVED_FROM || (piiReview && risk >= REVIEWED_FROM);
  return { status: waits ? "pending" : "approved", piiRisk: risk };
}

/** Words and confidence are judged when they are new; a person's decision is kept otherwise. */
export function judgedAgain(
  before: StoredMemory | null,
  { given, values, piiReview }: { given: Partial<Values>; values: Values; piiReview: boolean },
): Pick<StoredMemory, "status" | "piiRisk"> {
  if (before !== null && values.content === before.content && given.confidence === undefined)
    return { status: before.status, piiRisk: before.piiRisk };
  return judge(values, { piiReview });
}
