import { toIso } from "#core/fields";
import type { MemoryVisibilityReason, Sensitivity } from "#domain/visibility";
import type { Status } from "./parse-input.ts";
import type { MemoryView } from "./schemas.ts";
import { classOf, type MemoryType } from "./types.ts";

/** A memory with what names it outside, as `memoryColumns` selects it. */
export type MemoryRow = {
  id: number;
  publicId: string;
  ownership: "personal" | "group" | "shared";
  ownerExternalId: string | null;
  sessionExternalId: string | null;
  type: MemoryType;
  content: string;
  key: string;
  workspaceId: string;
  scopeType: string | null;
  scopeId: string | null;
  confidence: number;
  sensitivity: Sensitivity;
  portable: number;
  pinned: number;
  status: Status;
  piiRisk: number;
  metadata: string;
  /** A JSON array of arrays as `statedBy` is one. */
  subjects: string;
  /** A JSON array of public ids. */
  contradicts: string;
  /** A JSON array of the public id, the name, and 1 for the reader's own person. */
  statedBy: string | null;
  /** The person of its owner, as `statedBy`, where that is somebody else than the reader. */
  notedBy: string | null;
  /** Null where the reader may not enter it. */
  learnedIn: string | null;
  episodeId: string | null;
  validFrom: number;
  validTo: number | null;
  supersededBy: string | null;
  seenCount: number;
  lastSeenAt: number;
  expiresAt: number | null;
  version: number;
  vectorModel: string | null;
  createdAt: number;
  updatedAt: number;
};

/** Whether the reader was there when it was said, or said it. */
type ReaderPresence = { wasPresent: number; hasStated: number };

/** A person as the text of a memory may name them. */
export type NamedPerson = { id: string; name: string; isReader: boolean };

export type PeopleOfMemory = {
  about: NamedPerson[];
  saidBy: NamedPerson | null;
  /** Of what comes from another owner or group, who vouches for it: null where its owner said it themselves, and for all else. */
  notedBy: NamedPerson | "another user" | "a group" | null;
};

/**
 * Whom a memory is about, who said it and who noted it, as far as the reader is told. What another owner or group notes as the reader's own
 * words is not told as such.
 */
export function peopleIn(row: MemoryRow & Partial<ReaderPresence>, visibilityReason: MemoryVisibilityReason): PeopleOfMemory {
  const about = subjectsIn(row);
  if (visibilityReason !== "cross_context") return { about, saidBy: speakerIn(row), notedBy: null };
  const isDisclosed = disclosesSpeaker(row, visibilityReason);
  const saidBy = isDisclosed ? speakerIn(row) : null;
  const owner = row.notedBy === null ? null : toPerson(JSON.parse(row.notedBy));
  if (saidBy !== null && saidBy.id === owner?.id) return { about, saidBy, notedBy: null };
  const noter = row.ownership === "group" ? "a group" : isDisclosed && owner !== null ? owner : "another user";
  return { about, saidBy: saidBy?.isReader === true ? null : saidBy, notedBy: noter };
}

/** As SQL writes a person: the public id, the name, and 1 for the reader's own. */
type PersonTuple = [id: string, name: string, isReader: number];

function subjectsIn({ subjects }: MemoryRow): NamedPerson[] {
  const people: PersonTuple[] = JSON.parse(subjects);
  return people.map(toPerson);
}

function speakerIn({ statedBy }: MemoryRow): NamedPerson | null {
  return statedBy === null ? null : toPerson(JSON.parse(statedBy));
}

function toPerson([id, name, isReader]: PersonTuple): NamedPerson {
  return { id, name, isReader: isReader === 1 };
}

/** Subjects of which only the ids are known. */
export function asSubjects(ids: readonly string[]): string {
  return JSON.stringify(ids.map((id): PersonTuple => [id, "", 0]));
}

/** What comes from elsewhere names who said it only to who was there. */
function disclosesSpeaker(row: Partial<ReaderPresence>, visibilityReason: MemoryVisibilityReason): boolean {
  return visibilityReason !== "cross_context" || row.wasPresent === 1 || row.hasStated === 1;
}

/** `model` is the embedder in use: vectors of another do not count as indexed. What comes from another's memory leaves their own marks behind. */
export function toMemory(
  row: MemoryRow & Partial<ReaderPresence>,
  { model, visibilityReason }: { model: string; visibilityReason: MemoryVisibilityReason },
): MemoryView {
  const isForeign = visibilityReason === "cross_context";
  return {
    id: row.publicId,
    ownership: row.ownership,
    ownerId: isForeign ? null : row.ownerExternalId,
    sessionId: isForeign ? null : row.sessionExternalId,
    type: row.type,
    class: classOf(row.type),
    content: row.content,
    key: isForeign || row.key === "" ? null : row.key,
    workspaceId: row.workspaceId === "" ? null : row.workspaceId,
    scopeType: isForeign ? null : row.scopeType,
    scopeId: isForeign ? null : row.scopeId,
    confidence: row.confidence,
    sensitivity: row.sensitivity ?? "public",
    portable: row.portable === 1,
    pinned: row.pinned === 1,
    status: row.status,
    piiRisk: row.piiRisk,
    metadata: isForeign ? {} : JSON.parse(row.metadata),
    subjects: subjectsIn(row).map(({ id }) => id),
    statedBy: disclosesSpeaker(row, visibilityReason) ? (speakerIn(row)?.id ?? null) : null,
    learnedIn: row.learnedIn === null ? null : { sessionId: row.learnedIn, episodeId: row.episodeId },
    validFrom: toIso(row.validFrom),
    validTo: row.validTo === null ? null : toIso(row.validTo),
    supersededBy: isForeign ? null : row.supersededBy,
    contradicts: JSON.parse(row.contradicts),
    expiresAt: row.expiresAt === null ? null : toIso(row.expiresAt),
    seen: { count: row.seenCount, lastAt: toIso(row.lastSeenAt) },
    version: row.version,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
    indexed: { text: true, vector: row.vectorModel === model },
  };
}
