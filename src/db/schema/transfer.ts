import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { codec, storedAsInteger } from "#db/row";

/** One import of an export of a chat platform, or of Edgewise's own. `problems` names conversations that were left out. */
export const imports = sqliteTable(
  "imports",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    /** The user whose conversations they become; null for the import of a whole tenant. */
    userId: integer("user_id"),
    platform: text("platform", { enum: ["chatgpt", "claude", "gemini", "openai", "edgewise"] }).notNull(),
    fileName: text("file_name").notNull(),
    /** Of the whole file, in hex. */
    sha256: text("sha256").notNull(),
    projectId: integer("project_id"),
    extraction: text("extraction", { enum: ["off", "rules", "model"] }).notNull(),
    dryRun: integer("dry_run").notNull(),
    status: text("status", { enum: ["open", "finished", "failed"] }).notNull(),
    statistics: text("statistics", { mode: "json" }).$type<Record<string, number>>().notNull(),
    problems: text("problems", { mode: "json" }).$type<{ title: string; reason: string }[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (t) => [
    uniqueIndex("imports_public_id").on(t.publicId),
    index("imports_tenant").on(t.tenantId, t.id),
    index("imports_file").on(t.tenantId, t.userId, t.sha256),
  ],
);

export const IMPORT = codec(imports, { dryRun: storedAsInteger });

/** Which row here stands for a row of an export of Edgewise, while the export is imported, and which of the memories it stored. */
export const importedIds = sqliteTable(
  "imported_ids",
  {
    importId: integer("import_id").notNull(),
    tableName: text("table_name").notNull(),
    oldId: integer("old_id").notNull(),
    newId: integer("new_id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.tableName, t.oldId] })],
);

export const IMPORTED_ID = codec(importedIds);

/** One erasure. Nothing in it says whom it was about: `subjectHash` is keyed, `subjectId` is null when it has ended. */
export const erasures = sqliteTable(
  "erasures",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    kind: text("kind", { enum: ["user", "session", "project", "source"] }).notNull(),
    subjectHash: text("subject_hash").notNull(),
    /** Internal id of the subject while the erasure runs. */
    subjectId: integer("subject_id"),
    /** What becomes of memories of others that are about the person. */
    aboutOthers: text("about_others", { enum: ["unlink", "erase", "review"] }).notNull(),
    dryRun: integer("dry_run").notNull(),
    basis: text("basis"),
    requestRef: text("request_ref"),
    /** The public id of the key or token that asked for it. */
    requestedBy: text("requested_by").notNull(),
    status: text("status", { enum: ["initialized", "running", "finished", "partial_success", "failed"] }).notNull(),
    /** How far it has come: counts by store, and where the next step begins. */
    progress: text("progress", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** As it was signed; null until it has ended. */
    receipt: text("receipt"),
    signature: text("signature"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
  },
  (t) => [uniqueIndex("erasures_public_id").on(t.publicId), index("erasures_tenant").on(t.tenantId, t.id)],
);

export const ERASURE = codec(erasures, { dryRun: storedAsInteger });

/** What was erased, as keyed hashes, so that late jobs and repeated imports do not bring it back. */
export const tombstones = sqliteTable(
  "tombstones",
  {
    tenantId: integer("tenant_id").notNull(),
    /** Of the kind and the app's id. */
    subjectHash: text("subject_hash").notNull(),
    erasureId: integer("erasure_id").notNull(),
    erasedAt: integer("erased_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.subjectHash] }), index("tombstones_erasure").on(t.erasureId)],
);

export const TOMBSTONE = codec(tombstones);
