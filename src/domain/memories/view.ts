import { toIso } from "#core/fields";
import type { MemoryVisibilityReason } from "#domain/visibility";
import { classOf } from "./defaults.ts";
import type { MemoryRow, NamedPerson } from "./rows.ts";
import type { MemoryView } from "./schemas.ts";
import { type Values, valuesOf, withoutMarks } from "./values.ts";

/** Whether the reader was there when it was said, or said it. */
type ReaderPresence = { wasPresent: boolean; hasStated: boolean };

export type PeopleOfMemory = {
  about: NamedPerson[];
  saidBy: NamedPerson | null;
  /** Of what comes from another owner or group, who vouches for it: null where its owner said it themselves, and for all else. */
  notedBy: NamedPerson | "another user" | "a group" | null;
};

/**
 * Whom a memory is about, who said it and who noted it, as far as the reader may know. What another owner or group notes as the reader's own
 * words is not shown as such.
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

/** What comes from elsewhere names who said it only to who was there. */
function disclosesSpeaker(row: Partial<ReaderPresence>, visibilityReason: MemoryVisibilityReason): boolean {
  return visibilityReason !== "cross_context" || row.wasPresent === true || row.hasStated === true;
}

/** What a view shows of a memory. */
export type ShownMemory = Values &
  Omit<
    MemoryRow,
    "id" | "tenantId" | "spaceId" | "ownerId" | "sessionId" | "hash" | "learnedAt" | "supersedes" | "notedBy" | Unshown
  >;

type Unshown = "recalledAt" | "deletedAt" | "deletedBecause";

/** `model` is the embedder in use: vectors of another do not count as indexed. What comes from another's memory leaves their own marks behind. */
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
