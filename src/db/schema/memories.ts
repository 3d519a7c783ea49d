import { type SQL, sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { type Conversion, codec, storedAsEmpty, storedAsInteger, storedAsNull } from "#db/row";

export const MEMORY_TYPES = [
  "preference",
  "identity",
  "relationship",
  "knowledge",
  "procedural",
  "context",
  "event",
  "task",
  "observation",
] as const;

export const memories = sqliteTable(
  "memories",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    /** The owner's space, the group session's, or the tenant's. Never changes. */
    spaceId: integer("space_id").notNull(),
    ownership: text("ownership", { enum: ["personal", "group", "shared"] }).notNull(),
    ownerId: integer("owner_id"),
    /** Of a group memory: its group session. */
    sessionId: integer("session_id"),
    type: text("type", { enum: MEMORY_TYPES }).notNull(),
    content: text("content").notNull(),
    /** The app's stable name; "" for none. */
    key: text("key").notNull(),
    /** SHA-256 of scope, type and normalised content. */
    hash: text("hash").notNull(),
    /** "" for none. */
    workspaceId: text("workspace_id").notNull(),
    scopeType: text("scope_type"),
    scopeId: text("scope_id"),
    confidence: real("confidence").notNull(),
    /** null is public. */
    sensitivity: text("sensitivity", { enum: ["personal", "sensitive"] }),
    portable: integer("portable").notNull().default(1),
    pinned: integer("pinned").notNull().default(0),
    status: text("status", { enum: ["approved", "pending", "rejected"] }).notNull(),
    piiRisk: integer("pii_risk").notNull().default(0),
    metadata: text("metadata", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** The person who stated it, as known then: a merge does not change it; readers look up the survivor. */
    statedBy: integer("stated_by"),
    /** The session in which it was said, and the episode (by its internal id). */
    learnedIn: integer("learned_in"),
    episodeId: integer("episode_id"),
    /** When it was said there: users who took part then may see it. */
    learnedAt: integer("learned_at").notNull(),
    validFrom: integer("valid_from").notNull(),
    /** Minutes ahead of UTC where that was; null if no offset was sent with it. */
    validOffset: integer("valid_offset"),
    validTo: integer("valid_to"),
    supersededBy: integer("superseded_by"),
    /** What it replaces, or, while it waits for review, will replace. */
    supersedes: integer("supersedes"),
    /** A memory by another user that says the opposite; both are kept. */
    contradicts: integer("contradicts"),
    /** How often it was repeated, and when last. */
    seenCount: integer("seen_count").notNull().default(1),
    lastSeenAt: integer("last_seen_at").notNull(),
    /** When a search last returned it, to the day. */
    recalledAt: integer("recalled_at"),
    expiresAt: integer("expires_at"),
    deletedAt: integer("deleted_at"),
    deletedBecause: text("deleted_because", { enum: ["forgotten", "expired", "retention", "cap"] }),
    version: integer("version").notNull().default(1),
    /** The embedder whose vector of this content is stored; null until the job has run. */
    vectorModel: text("vector_model"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("memories_public_id").on(t.publicId),
    uniqueIndex("memories_words").on(t.spaceId, t.hash, t.key).where(sql`deleted_at is null and superseded_by is null`),
    uniqueIndex("memories_key")
      .on(t.spaceId, t.key, t.workspaceId)
      .where(sql`key <> '' and deleted_at is null and superseded_by is null`),
    index("memories_space").on(t.spaceId).where(sql`deleted_at is null`),
    index("memories_pending").on(t.spaceId).where(sql`status = 'pending' and deleted_at is null`),
    index("memories_review").on(t.tenantId).where(sql`status = 'pending' and deleted_at is null`),
    index("memories_expiring").on(t.tenantId, t.expiresAt).where(sql`expires_at is not null and deleted_at is null`),
    index("memories_contradicting").on(t.contradicts).where(sql`contradicts is not null`),
    index("memories_learned").on(t.episodeId).where(sql`episode_id is not null and deleted_at is null`),
    index("memories_deleted").on(t.deletedAt).where(sql`deleted_at is not null`),
  ],
);

const sensitivity = storedAsNull<"public" | "personal" | "sensitive">("public");

export const MEMORY = codec(memories, {
  key: storedAsEmpty,
  workspaceId: storedAsEmpty,
  sensitivity,
  portable: storedAsInteger,
  pinned: storedAsInteger,
});

/** The source in the metadata of a summary, and how its key begins. */
export const SUMMARY_SOURCE = "summary";
export const SUMMARY_KEY = "summary:";

/** Whether the memory row `m` is a summary of episodes; its key comes first, so that the index of keys finds those of one space. */
export function isSummary(m: SQL): SQL {
  return sql`(${m}.key >= 'summary:' and ${m}.key < 'summary;' and ${m}.metadata ->> 'source' = 'summary')`;
}

/** Whom a memory is about. */
export const memorySubjects = sqliteTable(
  "memory_subjects",
  { memoryId: integer("memory_id").notNull(), personId: integer("person_id").notNull() },
  (t) => [primaryKey({ columns: [t.memoryId, t.personId] }), index("memory_subjects_person").on(t.personId, t.memoryId)],
);

/** Earlier versions of memories. */
export const memoryVersions = sqliteTable(
  "memory_versions",
  {
    memoryId: integer("memory_id").notNull(),
    version: integer("version").notNull(),
    data: text("data", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    replacedAt: integer("replaced_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.memoryId, t.version] }), index("memory_versions_learned").on(sql`data ->> 'episodeId'`)],
);

/** `memory_versions.data`: the values as JSON, except the sensitivity, which has the form of its column. */
export function versionData<T extends { sensitivity: "public" | "personal" | "sensitive" }>(): Conversion<T> {
  return {
    decode: (data) => {
      const stored = JSON.parse(String(data));
      return { ...stored, sensitivity: sensitivity.decode(stored.sensitivity) };
    },
    encode: (values) => JSON.stringify({ ...values, sensitivity: sensitivity.encode(values.sensitivity) }),
  };
}

/** The position of each upkeep task in a tenant (0 for all tenants together), from which the next run continues. */
export const upkeep = sqliteTable(
  "upkeep",
  {
    tenantId: integer("tenant_id").notNull(),
    task: text("task").notNull(),
    cursor: text("cursor").notNull(),
    ranAt: integer("ran_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.task] })],
);

export const UPKEEP = codec(upkeep);
