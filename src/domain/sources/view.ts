import { sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import { nullable, type RowOf, row, text } from "#db/row";
import { FILE, SOURCE } from "#db/schema/sources";
import type { FileView, SourceView } from "./schemas.ts";

const so = sql`so`;
const f = sql`f`;

/** Of a source, from `sources so`, with the app's id of its project. */
export const SOURCE_COLUMNS = {
  ...SOURCE.of(so, "id", "publicId", "externalId", "projectId", "spaceId", "name", "createdAt", "updatedAt"),
  projectExternalId: nullable(text(sql`(select sp.external_id from projects sp where sp.id = so.project_id)`)),
};

export type SourceRow = RowOf<typeof SOURCE_COLUMNS>;

export function toSource(row: SourceRow): SourceView {
  return {
    id: row.externalId,
    projectId: row.projectExternalId,
    name: row.name,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  };
}

/** Of a file, from `files f join sources so`. */
export const FILE_ROW = row({
  ...FILE.of(f, "id", "publicId", "path", "mediaType", "bytes", "sha256", "title", "status", "error", "revision", "readRevision"),
  ...FILE.of(f, "pages", "characters", "chunkCount", "createdAt", "updatedAt"),
  sourceExternalId: text(sql`so.external_id`),
});

export type FileRow = RowOf<typeof FILE_ROW>;

export function toFile(row: FileRow): FileView {
  return {
    id: row.publicId,
    sourceId: row.sourceExternalId,
    path: row.path,
    mediaType: row.mediaType,
    bytes: row.bytes,
    sha256: row.sha256,
    title: row.title,
    status: row.status,
    error: row.error,
    searchable: row.readRevision > 0 && row.chunkCount > 0,
    pages: row.pages,
    characters: row.characters,
    chunks: row.chunkCount,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  };
}
