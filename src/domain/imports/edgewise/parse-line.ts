import { getTableColumns } from "drizzle-orm";
import { z } from "zod";
import { ExternalId } from "#core/fields";
import { type IdKind, isPublicId, withPrefix } from "#core/ids";
import { isRecord } from "#core/is-record";
import { findSecrets } from "#core/safety/find-secrets";
import { storable } from "#core/text/normalize";
import { CHUNKS_PER_SESSION } from "#db/schema/sessions";
import { exportedColumns, FORMAT_VERSION, KINDS, type Kind, NAMED_BY_APP, TABLES } from "#domain/exports";
import { refusalOf } from "./api-rules.ts";
import { hasSoundChunks, JSON_COLUMNS, Millis, WITHIN, ZoneOffset } from "./values.ts";

/** A row of an export with its properties as they will be stored, and with the ids of the export. */
export type Line = { kind: Kind; row: Record<string, unknown> };

export type Parsed =
  | { is: "row"; line: Line }
  | { is: "links"; row: Record<string, unknown> }
  | { is: "settings"; data: unknown }
  | { is: "header"; scope: string; userId: string | null; version: unknown }
  /** A line that no import reads. */
  | { is: "other"; kind: string }
  | { is: "wrong"; title: string; reason: string };

/** Bytes of one line: D1 takes 2 MB for a row. */
const MAX_LINE_CHARACTERS = 1_800_000;

const OTHERS: ReadonlySet<string> = new Set(["end", "said_in_groups"]);

/** Parses one line, as JSON text or as the object that it was parsed to. `now`: Unix milliseconds. */
export function parseLine(given: unknown, now: number): Parsed {
  const line = typeof given === "string" ? toJson(given) : given;
  if (!isRecord(line) || typeof line.kind !== "string") return wrong("a line", "It is no line of an export.");
  const { kind } = line;
  if (kind === "header" && line.format === "edgewise")
    return {
      ...{ is: "header", scope: String(line.scope), userId: typeof line.userId === "string" ? line.userId : null },
      version: line.version,
    };
  if (OTHERS.has(kind)) return { is: "other", kind };
  if (!isRecord(line.row)) return wrong(kind.slice(0, 40), "It has no row.");
  if (kind === "links") return { is: "links", row: line.row };
  if (kind === "settings") return { is: "settings", data: line.row.data };
  if (!isKind(kind)) return wrong(kind.slice(0, 40), "This release does not know the kind.");
  if (JSON.stringify(line).length > MAX_LINE_CHARACTERS) return wrong(kind, "It is too long.");
  return parseRow(kind, line.row, now);
}

/** Whether this release reads the format. */
export function isReadable(version: unknown): boolean {
  return version === FORMAT_VERSION;
}

function isKind(kind: string): kind is Kind {
  return KINDS.some((known) => known === kind);
}

function toJson(text: string): unknown {
  try {
    return text.length > MAX_LINE_CHARACTERS ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function wrong(title: string, reason: string): Parsed {
  return { is: "wrong", title, reason };
}

/** Names a row in a report: by its public id, or the app's id, of which nothing else of the row is shown. */
export function titleOf({ kind, row }: Line): string {
  const name = row.externalId ?? row.publicId;
  return typeof name === "string" ? `${kind} ${name.slice(0, 200)}` : kind;
}

function parseRow(kind: Kind, given: Record<string, unknown>, now: number): Parsed {
  const columns = getTableColumns(TABLES[kind].table);
  const row: Record<string, unknown> = {};
  const title = () => titleOf({ kind, row: given });
  for (const { name } of exportedColumns(kind)) {
    const column = columns[name];
    if (column === undefined) continue;
    const value = readValue(kind, { name, given: given[name] ?? (column.hasDefault ? (column.default ?? null) : null) });
    if (!isValid(kind, { name, value, column })) return wrong(title(), `\`${name}\` is not as an export writes it.`);
    row[name] = typeof value === "string" ? storable(value) : value;
  }
  for (const name of Object.keys(TABLES[kind].within)) {
    const parsed = WITHIN[`${kind}.${name}`]?.safeParse(given[name] ?? (name === "person" ? null : []));
    if (parsed?.success !== true) return wrong(title(), `\`${name}\` is not as an export writes it.`);
    row[name] = parsed.data;
  }
  const broken = brokenRule(kind, row);
  if (broken !== null) return wrong(title(), broken);
  const refusal = refusalOf(kind, row, now);
  if (refusal !== null) return wrong(kind, refusal);
  const [secret] = textsOf(kind, row).flatMap((text) => findSecrets(text));
  if (secret !== undefined)
    return wrong(title(), `Secrets are never stored, and it holds one: ${secret.kind.replaceAll("_", " ")}.`);
  return { is: "row", line: { kind, row } };
}

/** The ids of what the app names are exported without their prefix. */
function readValue(kind: Kind, { name, given }: { name: string; given: unknown }): unknown {
  const idKind = ID_KINDS[kind];
  const isBare = name === "publicId" && NAMED_BY_APP.has(kind) && typeof given === "string" && idKind !== undefined;
  return isBare ? withPrefix(idKind, given) : given;
}

type Column = { notNull: boolean; hasDefault: boolean; dataType: string; columnType: string; enumValues?: string[] | undefined };
type Cell = { name: string; value: unknown; column: Column };

/** By the kind of the table, as ids are named. */
const ID_KINDS: Partial<Record<Kind, IdKind>> = {
  ...{ users: "user", projects: "project", sessions: "session", episodes: "episode", persons: "person", memories: "memory" },
  ...{ person_merges: "merge", entities: "entity", forgettings: "forgetting", sources: "source", files: "file", chunks: "chunk" },
};

const TIME = /At$|^(?:at|validFrom|validTo)$/;
/** Offsets of a chunk in its file's text. */
const OFFSET = /^(?:startAt|endAt)$/;
const Whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const LONG = new Set(["content", "text", "value", "notes", "relationship", "title", "error", "name"]);
const MAX_NAME = 2_000;

function isValid(kind: Kind, { name, value, column }: Cell): boolean {
  if (value === null) return !column.notNull;
  if (column.dataType === "json") return JSON_COLUMNS.get(`${kind}.${name}`)?.schema.safeParse(value).success === true;
  if (column.columnType === "SQLiteReal") return typeof value === "number" && value >= 0 && value <= 1;
  if (column.dataType === "number") return schemaOf(name).safeParse(value).success;
  if (typeof value !== "string") return false;
  if (column.enumValues !== undefined && column.enumValues.length > 0 && !column.enumValues.includes(value)) return false;
  if (name === "externalId") return ExternalId.safeParse(value).success;
  const idKind = ID_KINDS[kind];
  if (name === "publicId" && idKind !== undefined) return isPublicId(idKind, value);
  return LONG.has(name) || value.length <= MAX_NAME;
}

function schemaOf(name: string): z.ZodType {
  if (name === "validOffset") return ZoneOffset;
  return TIME.test(name) && !OFFSET.test(name) ? Millis : Whole;
}

const HASH = /^[0-9a-f]{64}$/;

/** What holds between the columns of a row, and is not said by their types; null if all of it does. */
function brokenRule(kind: Kind, row: Record<string, unknown>): string | null {
  switch (kind) {
    case "episodes":
      if (Math.floor(Number(row.id) / CHUNKS_PER_SESSION) !== row.sessionId) return "It is not in its session.";
      if (Number(row.id) % CHUNKS_PER_SESSION > CHUNKS_PER_SESSION - Number(row.chunkCount)) return "It is beyond its session.";
      return hasSoundChunks(row) ? null : "Its passages are not parts of its messages.";
    case "sessions":
      return Number(row.nextSeq) <= CHUNKS_PER_SESSION ? null : "It is longer than a session can be.";
    case "memories":
      if (!HASH.test(String(row.hash))) return "`hash` is not as an export writes it.";
      return isOwned(row) ? null : "Its owner and its session do not fit its ownership.";
    case "memory_versions":
      return Number(row.version) >= 1 ? null : "A version is at least 1.";
    default:
      return null;
  }
}

function isOwned({ ownership, ownerId, sessionId }: Record<string, unknown>): boolean {
  if (ownership === "personal") return ownerId !== null && sessionId === null;
  if (ownership === "group") return sessionId !== null;
  return ownerId === null && sessionId === null;
}

/** Columns with what people said, in which no secret may be stored. */
const SAID: Partial<Record<Kind, readonly string[]>> = {
  episodes: ["messages"],
  persons: ["name", "aliases", "relationship", "notes"],
  users: ["name", "appName", "person"],
  memories: ["content", "key", "metadata"],
  memory_versions: ["data"],
  entities: ["name", "notes"],
  facts: ["value"],
  chunks: ["text"],
};

function textsOf(kind: Kind, row: Record<string, unknown>): string[] {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) walk(inner);
  };
  for (const name of SAID[kind] ?? []) walk(row[name]);
  return texts;
}
