import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { codec } from "#db/row";

/** The people that memories are about. Every user has their own person; most persons are no users. */
export const persons = sqliteTable(
  "persons",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    /** The user whose own person it is. Never changes: who is whom decides what may be seen. */
    userId: integer("user_id"),
    name: text("name").notNull(),
    aliases: text("aliases", { mode: "json" }).$type<string[]>().notNull(),
    relationship: text("relationship"),
    notes: text("notes"),
    /** The user who made it; the user themselves for their own person. */
    createdBy: integer("created_by").notNull(),
    /** The survivor of a merge. It is never merged itself: chains are resolved to their end. */
    mergedInto: integer("merged_into"),
    version: integer("version").notNull().default(1),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("persons_public_id").on(t.publicId),
    uniqueIndex("persons_user").on(t.userId).where(sql`user_id is not null`),
    index("persons_made").on(t.createdBy, t.publicId),
    index("persons_merged").on(t.mergedInto).where(sql`merged_into is not null`),
  ],
);

export const PERSON = codec(persons);

/** Names and aliases in the form for lookups: normalised, so that case, width and accents do not matter. */
export const personNames = sqliteTable(
  "person_names",
  {
    tenantId: integer("tenant_id").notNull(),
    nameKey: text("name_key").notNull(),
    personId: integer("person_id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.nameKey, t.personId] })],
);

export const personMerges = sqliteTable(
  "person_merges",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    fromId: integer("from_id").notNull(),
    intoId: integer("into_id").notNull(),
    /** Names that the merge added to the survivor. */
    addedNames: text("added_names", { mode: "json" }).$type<string[]>().notNull(),
    mergedBy: integer("merged_by").notNull(),
    mergedAt: integer("merged_at").notNull(),
    undoneAt: integer("undone_at"),
  },
  (t) => [
    uniqueIndex("person_merges_public_id").on(t.publicId),
    uniqueIndex("person_merges_open").on(t.fromId).where(sql`undone_at is null`),
  ],
);

export const PERSON_MERGE = codec(personMerges);

/** The edges that a merge moved, so that undoing it moves back only those. */
export const personMergeEdges = sqliteTable(
  "person_merge_edges",
  {
    mergeId: integer("merge_id").notNull(),
    memoryId: integer("memory_id").notNull(),
    /** `about`: the subject was moved; `both`: the survivor was a subject already. */
    edge: text("edge", { enum: ["about", "both"] }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.mergeId, t.memoryId, t.edge] })],
);
