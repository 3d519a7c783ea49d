import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { codec } from "#db/row";

/** Words of a message that were redacted: from `start`, in UTF-16 code units. */
export type RedactedWords = { episode: number; message: number; start: number; words: string };

/** The value of a list that was removed with the words that stated it. */
export type RemovedFact = {
  topic: string;
  sessionId: number;
  projectId: number;
  kind: string;
  rank: number;
  value: string;
  createdAt: number;
};

/** An earlier version of a memory that is still there; `data` is its row's. */
export type RemovedVersion = { memory: number; version: number; replacedAt: number; data: string };

/** What a person was called who was named in the words alone; `id` is the public one. */
export type RemovedName = {
  id: string;
  name: string;
  aliases: readonly string[];
  relationship: string | null;
  notes: string | null;
};

/** What undoing needs. `memories` are public ids; `hidden` are internal ids of passages that asked for it. */
export type Originals = {
  words: readonly RedactedWords[];
  memories: readonly string[];
  facts: readonly RemovedFact[];
  hidden: readonly number[];
  versions: readonly RemovedVersion[];
  names: readonly RemovedName[];
};

/** One thing that was forgotten with the words that stated it. The row is deleted when it can no longer be undone. */
export const forgettings = sqliteTable(
  "forgettings",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    /** The user who forgot it, whose words they are. */
    userId: integer("user_id").notNull(),
    /** The message that asked for it, as `episode:message`, which counts once; or the public id of the memory that was deleted. */
    askedBy: text("asked_by").notNull(),
    /** The session that the message is in; null for a deleted memory. */
    sessionId: integer("session_id"),
    originals: text("originals", { mode: "json" }).$type<Originals>().notNull(),
    forgottenAt: integer("forgotten_at").notNull(),
    undoneAt: integer("undone_at"),
  },
  (t) => [
    uniqueIndex("forgettings_public_id").on(t.publicId),
    index("forgettings_user").on(t.userId, t.id),
    uniqueIndex("forgettings_asked").on(t.tenantId, t.askedBy).where(sql`session_id is not null`),
    index("forgettings_time").on(t.forgottenAt),
  ],
);

export const FORGETTING = codec(forgettings);
