import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { codec } from "#db/row";

/** A collection of documents: of a project, or of the tenant's library, which is read where there is no project. */
export const sources = sqliteTable(
  "sources",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    externalId: text("external_id").notNull(),
    /** Null for the tenant's library. Never changes. */
    projectId: integer("project_id"),
    /** The project's space, or the tenant's. */
    spaceId: integer("space_id").notNull(),
    name: text("name").notNull(),
    /** Internal id of the user who made it; null for the library's. */
    createdBy: integer("created_by"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("sources_public_id").on(t.publicId),
    uniqueIndex("sources_external_id").on(t.tenantId, t.externalId),
    index("sources_space").on(t.spaceId, t.id),
  ],
);

export const SOURCE = codec(sources);

/** One document of a source. `sha256` and `bytes` are of the file as it was uploaded, which is deleted once its text is stored in chunks. */
export const files = sqliteTable(
  "files",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    sourceId: integer("source_id").notNull(),
    path: text("path").notNull(),
    mediaType: text("media_type").notNull(),
    bytes: integer("bytes").notNull(),
    sha256: text("sha256").notNull(),
    title: text("title"),
    status: text("status", { enum: ["waiting", "reading", "ready", "failed"] }).notNull(),
    /** Why it failed, in our own words. */
    error: text("error"),
    /** Counts the uploads of another content; the chunks that are shown are those of `readRevision`. */
    revision: integer("revision").notNull(),
    readRevision: integer("read_revision").notNull(),
    pages: integer("pages"),
    characters: integer("characters"),
    chunkCount: integer("chunk_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [uniqueIndex("files_public_id").on(t.publicId), uniqueIndex("files_path").on(t.sourceId, t.path)],
);

export const FILE = codec(files);

/** One passage of a file. `startAt` and `endAt` are offsets in the file's text, in UTF-16 code units. */
export const chunks = sqliteTable(
  "chunks",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    /** Those of its source. */
    sourceId: integer("source_id").notNull(),
    spaceId: integer("space_id").notNull(),
    fileId: integer("file_id").notNull(),
    revision: integer("revision").notNull(),
    ordinal: integer("ordinal").notNull(),
    text: text("text").notNull(),
    startAt: integer("start_at").notNull(),
    endAt: integer("end_at").notNull(),
    /** From 1; null for files without pages. */
    page: integer("page"),
    /** The headings above it, the outermost first. */
    headings: text("headings", { mode: "json" }).$type<string[]>().notNull(),
    /** The embedder whose vector is stored; null until the job has run. */
    vectorModel: text("vector_model"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("chunks_public_id").on(t.publicId),
    uniqueIndex("chunks_file").on(t.fileId, t.revision, t.ordinal),
    index("chunks_source").on(t.sourceId, t.id),
  ],
);

export const CHUNK = codec(chunks);
