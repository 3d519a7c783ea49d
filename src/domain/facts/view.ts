import { sql } from "drizzle-orm";
import type { TenantTopic } from "#context";
import { toIso } from "#core/fields";
import { BUILT_IN_NOUNS } from "./built-in-topics.ts";
import type { FactView, TopicView } from "./schemas.ts";
import { labelOf } from "./topics.ts";

export type FactRow = {
  topic: string;
  kind: "ranked" | "single";
  /** 0 for a single one. */
  rank: number;
  value: string;
  sessionId: string | null;
  projectId: string | null;
  messageId: string | null;
  episodeId: string | null;
  createdAt: number;
  storedAt: number;
};

/** The columns of `FactRow`, from `facts f`. */
export const factColumns = sql`
  f.topic as topic, f.kind as kind, f.rank as rank, f.value as value, f.source_message_id as messageId,
  (select fs.external_id from sessions fs where fs.id = f.session_id) as sessionId,
  (select fp.external_id from projects fp where fp.id = f.project_id) as projectId,
  (select fe.public_id from episodes fe where fe.id = f.episode_id) as episodeId,
  f.created_at as createdAt, f.stored_at as storedAt`;

export function toFact(row: FactRow): FactView {
  return {
    topic: row.topic,
    label: labelOf(row.topic),
    kind: row.kind,
    rank: row.kind === "single" ? null : row.rank,
    value: row.value,
    scope: row.sessionId !== null ? "session" : row.projectId !== null ? "project" : "user",
    sessionId: row.sessionId,
    projectId: row.projectId,
    sourceMessageId: row.messageId,
    episodeId: row.episodeId,
    createdAt: toIso(row.createdAt),
    storedAt: toIso(row.storedAt),
  };
}

export function isBuiltIn(key: string): boolean {
  return Object.hasOwn(BUILT_IN_NOUNS, key);
}

export function toTopic(key: string, own: (TenantTopic & { updatedAt: number }) | undefined): TopicView {
  return {
    key,
    label: labelOf(key),
    builtIn: isBuiltIn(key),
    nouns: own?.nouns ?? [],
    updatedAt: own === undefined ? null : toIso(own.updatedAt),
  };
}
