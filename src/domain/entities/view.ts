import { sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import { type RowOf, row, text } from "#db/row";
import { ENTITY } from "#db/schema/entities";
import type { EntityView } from "./schemas.ts";

const en = sql`en`;

/** Of an entity, from `entities en`, with the app's id of its project. */
export const ENTITY_COLUMNS = {
  ...ENTITY.of(en, "id", "publicId", "tenantId", "projectId", "spaceId", "type", "name", "notes", "mentionCount", "firstSeenAt"),
  ...ENTITY.of(en, "lastSeenAt", "version", "vectorModel", "createdAt", "updatedAt"),
  key: text(sql`en.name_key`),
  projectExternalId: text(sql`(select ep.external_id from projects ep where ep.id = en.project_id)`),
};

export const ENTITY_ROW = row(ENTITY_COLUMNS);

export type EntityRow = RowOf<typeof ENTITY_ROW>;

export function toEntity(row: EntityRow, model: string): EntityView {
  return {
    id: row.publicId,
    projectId: row.projectExternalId,
    type: row.type,
    name: row.name,
    notes: row.notes,
    mentionCount: row.mentionCount,
    firstSeenAt: toIso(row.firstSeenAt),
    lastSeenAt: toIso(row.lastSeenAt),
    version: row.version,
    indexed: { text: true, vector: row.vectorModel === model },
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  };
}
