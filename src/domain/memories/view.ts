import { toIso } from "#core/fields";
import type { MemoryVisibilityReason } from "#domain/visibility";
import { classOf } from "./defaults.ts";
import type { MemoryRow, NamedPerson } from "./rows.ts";
import type { MemoryView } from "./schemas.ts";
import { type Values, valuesOf, withoutMarks } from "./values.ts";

/** Whether the reader took part when it was said, or said it. */
type ReaderPresence = { wasPresent: boolean; hasStated: boolean };

export type PeopleOfMemory = {
  about: NamedPerson[];
  saidBy: NamedPerson | null;
  /** Who confirms a memory from another owner or group: null if its owner stated it themselves, and in all other cases. */
  notedBy: NamedPerson | "another user" | "a group" | null;
};

/**
 * Whom a memory is about, who stated it and who stored it, as far as the reader may know. Words that another owner or group attributes to
 * the reader are not shown as the reader's.
 */
export function peopleIn(row: MemoryRow & Partial<ReaderPresence>, visibilityReason: MemoryVisibilityReason): PeopleOfMemory {
  const about = row.subjects;
  if (visibilityReason !== "cross_context") return { about, saidBy: row.statedBy, notedBy: null };
  const isDisclosed = disclosesSpeaker(row, visibilityReason);
  const saidBy = isDisclosed ? row.statedBy : null;
  const owner = row.notedBy;
  if (saidBy !== null && saidBy.id === owner?.id) return { about, saidBy, notedBy: null };
  const noter = row.ownership === "group" ? "a group" : isDisclosed && owner !== null ? owner : "another user";
  return { about, saidBy: saidBy?.isReader === true ? null : saidBy, notedBy: noter };
}

/** Persons of whom only the ids are known. */
export function asPersons(ids: readonly string[]): NamedPerson[] {
  return ids.map((id) => ({ id, name: "", isReader: false }));
}

/** A memory from elsewhere names who stated it only to readers who took part. */
function disclosesSpeaker(row: Partial<ReaderPresence>, visibilityReason: MemoryVisibilityReason): boolean {
  return visibilityReason !== "cross_context" || row.wasPresent === true || row.hasStated === true;
}

/** The fields of a memory's view. */
export type ShownMemory = Values &
  Omit<
    MemoryRow,
    | "id"
    | "tenantId"
    | "spaceId"
    | "ownerId"
    | "sessionId"
    | "hash"
    | "learnedAt"
    | "validOffset"
    | "supersedes"
    | "notedBy"
    | Unshown
  >;

type Unshown = "recalledAt" | "deletedAt" | "deletedBecause";

/**
 * `model` is the embedder in use: vectors of another model do not count as indexed. A memory from elsewhere is shown without key, metadata
 * and notes.
 */
export function toMemory(
  row: ShownMemory & Partial<ReaderPresence>,
  { model, visibilityReason }: { model: string; visibilityReason: MemoryVisibilityReason },
): MemoryView {
  const isForeign = visibilityReason === "cross_context";
  const { publicId, ownership, status, piiRisk, contradicts, version } = row;
  return {
    ...{ id: publicId, ownership },
    ownerId: isForeign ? null : row.ownerExternalId,
    sessionId: isForeign ? null : row.sessionExternalId,
    ...(isForeign ? withoutMarks(row) : valuesOf(row)),
    ...{ status, piiRisk, contradicts, version },
    class: classOf(row.type),
    subjects: row.subjects.map(({ id }) => id),
    statedBy: disclosesSpeaker(row, visibilityReason) ? (row.statedBy?.id ?? null) : null,
    learnedIn: row.learnedIn === null ? null : { sessionId: row.learnedIn, episodeId: row.episodeId },
    validFrom: toIso(row.validFrom),
    validTo: row.validTo === null ? null : toIso(row.validTo),
    supersededBy: isForeign ? null : row.supersededBy,
    expiresAt: row.expiresAt === null ? null : toIso(row.expiresAt),
    seen: { count: row.seenCount, lastAt: toIso(row.lastSeenAt) },
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
    indexed: { text: true, vector: row.vectorModel === model },
  };
}
