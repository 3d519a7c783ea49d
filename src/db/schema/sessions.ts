import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { codec, storedAsInteger } from "#db/row";

/** Chunks that one session can hold. 2^31 sessions times 2^22 chunks just fit the integers that JSON carries exactly. */
export const CHUNKS_PER_SESSION = 2 ** 22;

export const projects = sqliteTable(
  "projects",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    externalId: text("external_id").notNull(),
    ownerId: integer("owner_id").notNull(),
    spaceId: integer("space_id").notNull(),
    name: text("name").notNull(),
    /** Whether what lastingly holds of a user comes into the project from outside. */
    ownMemories: integer("own_memories").notNull().default(1),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [uniqueIndex("projects_external_id").on(t.tenantId, t.externalId), index("projects_owner").on(t.ownerId, t.publicId)],
);

export const PROJECT = codec(projects, { ownMemories: storedAsInteger });

export const projectMembers = sqliteTable(
  "project_members",
  {
    projectId: integer("project_id").notNull(),
    userId: integer("user_id").notNull(),
    /** Of the project, which never changes: a user's projects are listed in its order. */
    projectPublicId: text("project_public_id").notNull(),
    addedAt: integer("added_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.userId] }), index("project_members_made").on(t.userId, t.projectPublicId)],
);

export const sessions = sqliteTable(
  "sessions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    externalId: text("external_id").notNull(),
    kind: text("kind", { enum: ["private", "group"] }).notNull(),
    /** A private session's only user; a group session's creator, who has no rights beyond those of a participant. */
    ownerId: integer("owner_id").notNull(),
    /** The owner's space when private, a space of its own when group. Never changes. */
    spaceId: integer("space_id").notNull(),
    projectId: integer("project_id"),
    title: text("title"),
    /** How many chunks were ever written: the low part of the next episode's id. */
    nextSeq: integer("next_seq").notNull().default(0),
    /** Conversation time of the latest message; null before the first episode. */
    lastAt: integer("last_at"),
    /** Whether episodes were stored in the order of conversation time, within a minute; otherwise the latest may be anywhere. */
    inOrder: integer("in_order").notNull().default(1),
    /** The project that this session's vectors are tagged with, 0 for none; differs from `project_id` until a move's job has run. */
    taggedProjectId: integer("tagged_project_id").notNull().default(0),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("sessions_external_id").on(t.tenantId, t.externalId),
    index("sessions_space_last").on(t.spaceId, t.lastAt),
    index("sessions_space_made").on(t.spaceId, t.publicId),
    index("sessions_project_made").on(t.projectId, t.publicId).where(sql`project_id is not null`),
    index("sessions_project_space").on(t.projectId, t.spaceId).where(sql`project_id is not null`),
    index("sessions_moved").on(t.spaceId).where(sql`tagged_project_id <> coalesce(project_id, 0)`),
    index("sessions_tenant").on(t.tenantId, t.id),
  ],
);

export const SESSION = codec(sessions, { inOrder: storedAsInteger });

/** Taking part has a start and an end; a user who left and returned has two rows. */
export const participants = sqliteTable(
  "participants",
  {
    sessionId: integer("session_id").notNull(),
    userId: integer("user_id").notNull(),
    /** Of the session, which never changes: a user's groups are listed in its order. */
    sessionPublicId: text("session_public_id").notNull(),
    joinedAt: integer("joined_at").notNull(),
    leftAt: integer("left_at"),
  },
  (t) => [
    primaryKey({ columns: [t.sessionId, t.userId, t.joinedAt] }),
    uniqueIndex("participants_current").on(t.userId, t.sessionId).where(sql`left_at is null`),
    index("participants_made").on(t.userId, t.sessionPublicId).where(sql`left_at is null`),
  ],
);

export type StoredMessage = {
  role: string;
  /** A label to show, which identifies nobody. */
  speaker: string | null;
  /** Internal id of the user who said it, where the request named one. */
  userId?: number;
  text: string;
  /** Unix milliseconds. */
  occurredAt: number;
  /** Minutes ahead of UTC where it was said, if the request had an offset. */
  offset?: number;
  messageId: string | null;
};

/**
 * One passage: message index, then start and end in UTF-16 code units, then start and length in code points for SQL's `substr`. A length of 0
 * hides it from every search: it was redacted, or asks for something to be forgotten.
 */
export type StoredChunk = { m: number; s: number; e: number; p: number; n: number };

/**
 * `id` is `session_id * 2^22 + seq`, where `seq` counts the session's chunks; the episode's chunks own the ids from `id` on.
 * So a session's history is one range of the primary key, a chunk's neighbours are its id ± 1, and no index is written for either.
 */
export const episodes = sqliteTable(
  "episodes",
  {
    id: integer("id").primaryKey(),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    sessionId: integer("session_id").notNull(),
    messages: text("messages", { mode: "json" }).$type<StoredMessage[]>().notNull(),
    chunks: text("chunks", { mode: "json" }).$type<StoredChunk[]>().notNull(),
    chunkCount: integer("chunk_count").notNull(),
    /** Conversation times of the earliest and the latest message. */
    firstAt: integer("first_at").notNull(),
    occurredAt: integer("occurred_at").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The embedder whose vectors of this episode are stored; null until the job has run. */
    vectorModel: text("vector_model"),
    /** How far extraction has come: by the rules, or by a model too; null until the job has run. `off`: they never read it. */
    extracted: text("extracted", { enum: ["rules", "model", "off"] }),
    /** Internal id of the user who sent it; null for episodes that were stored before this was recorded. */
    sentBy: integer("sent_by"),
    /** Counts the redactions of its words. */
    redactions: integer("redactions").notNull().default(0),
    /** Internal id of the memory that summarizes it; 0 if it was read and has nothing to summarize; null for none. */
    summaryId: integer("summary_id"),
  },
  (t) => [uniqueIndex("episodes_public_id").on(t.publicId)],
);

export const EPISODE = codec(episodes);

export const messageKeys = sqliteTable(
  "message_keys",
  {
    sessionId: integer("session_id").notNull(),
    messageId: text("message_id").notNull(),
    episodeId: integer("episode_id").notNull(),
    ordinal: integer("ordinal").notNull(),
  },
  (t) => [primaryKey({ columns: [t.sessionId, t.messageId] })],
);
