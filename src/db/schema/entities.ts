import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { codec } from "#db/row";

/** Named things that a project's conversations mention. An entity keeps its project when the session that mentioned it moves. */
export const entities = sqliteTable(
  "entities",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    projectId: integer("project_id").notNull(),
    /** The project's space. */
    spaceId: integer("space_id").notNull(),
    type: text("type").notNull(),
    name: text("name").notNull(),
    /** The name in the form for lookups, see `nameKey`. */
    nameKey: text("name_key").notNull(),
    notes: text("notes"),
    /** How often it was mentioned, and when first and last, in conversation time. */
    mentionCount: integer("mention_count").notNull().default(0),
    firstSeenAt: integer("first_seen_at").notNull(),
    lastSeenAt: integer("last_seen_at").notNull(),
    version: integer("version").notNull().default(1),
    /** The embedder whose vector is stored; null until the job has run. */
    vectorModel: text("vector_model"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("entities_public_id").on(t.publicId),
    uniqueIndex("entities_name").on(t.projectId, t.type, t.nameKey),
    index("entities_project").on(t.projectId, t.lastSeenAt),
    index("entities_type").on(t.projectId, t.type, t.lastSeenAt),
  ],
);

export const ENTITY = codec(entities);

/** Which episodes mentioned it, and when they were said. */
export const entityMentions = sqliteTable(
  "entity_mentions",
  { entityId: integer("entity_id").notNull(), episodeId: integer("episode_id").notNull(), at: integer("at").notNull() },
  (t) => [
    primaryKey({ columns: [t.entityId, t.episodeId] }),
    index("entity_mentions_at").on(t.entityId, t.at),
    index("entity_mentions_episode").on(t.episodeId),
  ],
);
