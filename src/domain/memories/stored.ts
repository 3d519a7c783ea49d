import { type SQL, sql } from "drizzle-orm";
import type { Sensitivity } from "#domain/visibility";
import type { Status, Values } from "./parse-input.ts";
import type { MemoryType } from "./types.ts";

/** A memory's row as it is stored, for verbs that change it; what it says is shown only by way of the visibility rule. */
export type StoredMemory = {
  id: number;
  publicId: string;
  spaceId: number;
  ownership: "personal" | "group" | "shared";
  ownerId: number | null;
  sessionId: number | null;
  type: MemoryType;
  content: string;
  key: string;
  hash: string;
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
  statedBy: number | null;
  learnedIn: number | null;
  episodeId: number | null;
  learnedAt: number;
  validFrom: number;
  validTo: number | null;
  supersedes: number | null;
  seenCount: number;
  lastSeenAt: number;
  expiresAt: number | null;
  version: number;
  /** A JSON array of persons' internal ids. */
  subjects: string;
};

/** The columns of `StoredMemory`, from `memories m`. */
export const storedColumns: SQL = sql`
  m.id as id, m.public_id as publicId, m.space_id as spaceId, m.ownership as ownership, m.owner_id as ownerId, m.session_id as sessionId,
  m.type as type, m.content as content, m.key as key, m.hash as hash, m.workspace_id as workspaceId, m.scope_type as scopeType, m.scope_id as scopeId,
  m.confidence as confidence, m.sensitivity as sensitivity, m.portable as portable, m.pinned as pinned, m.status as status,
  m.pii_risk as piiRisk, m.metadata as metadata, m.stated_by as statedBy, m.learned_in as learnedIn, m.episode_id as episodeId,
  m.learned_at as learnedAt, m.valid_from as validFrom, m.valid_to as validTo, m.supersedes as supersedes, m.seen_count as seenCount,
  m.last_seen_at as lastSeenAt, m.expires_at as expiresAt, m.version as version,
  (select json_group_array(su.person_id) from memory_subjects su where su.memory_id = m.id) as subjects`;

export function valuesOf(row: StoredMemory): Values {
  return {
    content: row.content,
    type: row.type,
    key: row.key === "" ? null : row.key,
    workspaceId: row.workspaceId === "" ? null : row.workspaceId,
    scopeType: row.scopeType,
    scopeId: row.scopeId,
    confidence: row.confidence,
    sensitivity: row.sensitivity,
    portable: row.portable === 1,
    pinned: row.pinned === 1,
    metadata: JSON.parse(row.metadata),
    expiresAt: row.expiresAt,
    validFrom: row.validFrom,
  };
}

export function subjectsOf(row: StoredMemory): number[] {
  return JSON.parse(row.subjects);
}

/** What a version of a memory was, as `memory_versions.data` keeps it. */
export type StoredVersion = Pick<
  Values,
  "content" | "type" | "key" | "workspaceId" | "scopeType" | "scopeId" | "confidence" | "sensitivity" | "portable" | "metadata"
> & { subjects: number[]; statedBy: number | null; learnedIn: number | null; learnedAt: number; status: Status };

export function versionOf(row: StoredMemory): StoredVersion {
  const { content, type, key, workspaceId, scopeType, scopeId, confidence, sensitivity, portable, metadata } = valuesOf(row);
  const { statedBy, learnedIn, learnedAt, status } = row;
  return {
    ...{ content, type, key, workspaceId, scopeType, scopeId, confidence, sensitivity, portable, metadata },
    ...{ subjects: subjectsOf(row), statedBy, learnedIn, learnedAt, status },
  };
}
