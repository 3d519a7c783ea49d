import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { codec } from "#db/row";

/** Structured answers: what users stated about themselves, in a session, for a project, or for all of their own sessions. */
export const facts = sqliteTable(
  "facts",
  {
    userId: integer("user_id").notNull(),
    topic: text("topic").notNull(),
    /** The session in which it was said; 0 for none. */
    sessionId: integer("session_id").notNull(),
    /** Of a fact without a session: its project; 0 for none. A session's facts go where the session goes. */
    projectId: integer("project_id").notNull(),
    kind: text("kind", { enum: ["ranked", "single"] }).notNull(),
    /** From 1; 0 for a single one. */
    rank: integer("rank").notNull(),
    tenantId: integer("tenant_id").notNull(),
    /** Null if it was removed: the row stays, so that no older message restores the value. */
    value: text("value"),
    sourceMessageId: text("source_message_id"),
    /** The episode that said it, by its internal id. */
    episodeId: integer("episode_id"),
    /** When it was stated or removed: a write applies only if it is newer. */
    createdAt: integer("created_at").notNull(),
    storedAt: integer("stored_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.topic, t.sessionId, t.projectId, t.kind, t.rank] })],
);

export const FACT = codec(facts);

/** The last topic that a user stated or asked about in a session: what "and the second?" refers to. */
export const sessionTopics = sqliteTable(
  "session_topics",
  {
    sessionId: integer("session_id").notNull(),
    userId: integer("user_id").notNull(),
    topic: text("topic").notNull(),
    at: integer("at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.sessionId, t.userId] })],
);

/** Topics of a tenant, in addition to the built-in ones. */
export const topics = sqliteTable(
  "topics",
  {
    tenantId: integer("tenant_id").notNull(),
    key: text("key").notNull(),
    /** `[{noun, language}]` as they were given. */
    nouns: text("nouns", { mode: "json" }).$type<{ noun: string; language: string | null }[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.key] })],
);

export const TOPIC = codec(topics);

/** A noun, normalized, belongs to one topic. */
export const topicNouns = sqliteTable(
  "topic_nouns",
  { tenantId: integer("tenant_id").notNull(), noun: text("noun").notNull(), topic: text("topic").notNull() },
  (t) => [primaryKey({ columns: [t.tenantId, t.noun] }), index("topic_nouns_topic").on(t.tenantId, t.topic)],
);

/**
 * Messages that state a list or may change one, by who said them. A list is read from them when it is asked for, so it follows what the
 * viewer may see at that moment, and what has been forgotten.
 */
export const listMessages = sqliteTable(
  "list_messages",
  {
    sessionId: integer("session_id").notNull(),
    userId: integer("user_id").notNull(),
    /** Conversation time: lists are read in this order, whenever the messages were stored. */
    saidAt: integer("said_at").notNull(),
    episodeId: integer("episode_id").notNull(),
    /** The message's place in its episode. */
    ordinal: integer("ordinal").notNull(),
    tenantId: integer("tenant_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.sessionId, t.userId, t.saidAt, t.episodeId, t.ordinal] }),
    index("list_messages_latest").on(t.userId, t.saidAt, t.episodeId, t.ordinal),
  ],
);

export const LIST_MESSAGE = codec(listMessages);
