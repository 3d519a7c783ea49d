import { sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import type { EntityView } from "./schemas.ts";

/** An entity as `entityColumns` selects it. */
export type EntityRow = {
  id: number;
  publicId: string;
  tenantId: number;
  projectId: number;
  projectExternalId: string;
  spaceId: number;
  type: string;
  name: string;
  key: string;
  notes: string | null;
  mentionCount: number;
  firstSeenAt: number;
  lastSeenAt: number;
  version: number;
  vectorModel: string | null;
  createdAt: number;
  updatedAt: number;
};

/** The columns of `EntityRow`, from `entities en`. */
export const entityColumns = sql`
  en.id as id, en.public_id as publicId, en.tenant_id as tenantId, en.project_id as projectId,
  (select ep.external_id from projects ep where ep.id = en.project_id) as projectExternalId, en.space_id as spaceId,
  en.type as type, en.name as name, en.name_key as key, en.notes as notes, en.mention_count as mentionCount,
  en.first_seen_at as firstSeenAt, en.last_seen_at as lastSeenAt, en.version as version, en.vector_model as vectorModel,
  en.created_at as createdAt, en.updated_at as updatedAt`;

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
