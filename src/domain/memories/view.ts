import { toIso } from "#core/fields";
import type { MemoryArrival, Sensitivity } from "#domain/visibility";
import type { Status } from "./draft.ts";
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
  /** JSON arrays of public ids. */
  subjects: string;
  contradicts: string;
  statedBy: string | null;
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
type Heard = { heardIt: number; hasStated: number };

/** `model` is the embedder in use: vectors of another do not count as indexed. What comes from another's memory leaves their own marks behind. */
export function toMemory(
  row: MemoryRow & Partial<Heard>,
  { model, arrival }: { model: string; arrival: MemoryArrival },
): MemoryView {
  const isForeign = arrival === "cross_context";
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
    subjects: JSON.parse(row.subjects),
    statedBy: isForeign && row.heardIt !== 1 && row.hasStated !== 1 ? null : row.statedBy,
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
