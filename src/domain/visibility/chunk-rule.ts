import { type SQL, sql } from "drizzle-orm";
import { tenantSpaceId } from "./memory-predicate.ts";
import { type Decision, type Pool, type PoolRule, poolOf, type Viewer } from "./rule.ts";

/** What the rule needs to know of a passage of a document. */
export type ChunkFacts = {
  tenantId: number;
  /** The project of its source; null for the tenant's library. */
  projectId: number | null;
  revision: number;
  /** The revision of its file that is shown. */
  readRevision: number;
};

export type ChunkRule = "same_project" | "library" | "not_current" | "outside_pool" | "other_tenant";

/**
 * Documents belong to a project or to the tenant's library. Those of a project are visible only if the viewer's pool is the whole project;
 * those of the library to every viewer without a project.
 */
export function decideChunk(viewer: Viewer, chunk: ChunkFacts): Decision<ChunkRule | PoolRule> {
  const { pool, rule } = poolOf(viewer);
  if (pool === "none" && chunk.tenantId === viewer.tenantId) return { visible: false, rule };
  return decideChunkInPool({ tenantId: viewer.tenantId, projectId: viewer.project?.id ?? null, pool }, chunk);
}

/** The rule once the pool is known; search evaluates it again for every row that SQL returned. */
export function decideChunkInPool(
  standing: { tenantId: number; projectId: number | null; pool: Pool },
  chunk: ChunkFacts,
): Decision<ChunkRule> {
  if (chunk.tenantId !== standing.tenantId) return { visible: false, rule: "other_tenant" };
  const sees = standing.pool === "project" || (standing.pool !== "none" && standing.projectId === null);
  if (!sees || chunk.projectId !== standing.projectId) return { visible: false, rule: "outside_pool" };
  if (chunk.revision !== chunk.readRevision) return { visible: false, rule: "not_current" };
  return { visible: true, rule: chunk.projectId === null ? "library" : "same_project" };
}

type ChunkTables = { chunk: SQL; file: SQL; source: SQL };

/** `decideChunk` in SQL, about a chunk with its file and its source, in a statement that has `viewerCte` and `viewer v` in its `from`. */
export function seesChunk(tenantId: number, { chunk, file, source }: ChunkTables): SQL {
  return sql`(+${chunk}.tenant_id = ${tenantId} and +${source}.tenant_id = ${tenantId} and ${chunk}.revision = ${file}.read_revision
    and case v.pool
      when 'project' then ${source}.project_id = v.project_id
      when 'none' then 0
      else v.project_id is null and ${source}.project_id is null
    end)`;
}

/** The space of the documents that the viewer of `viewerCte` may see: their project's, or the tenant's. Null for none. */
export function documentSpace(tenantId: number): SQL {
  return sql`(
    select case when dv.pool = 'project' then (select dp.space_id from projects dp where dp.id = dv.project_id)
      when dv.pool <> 'none' and dv.project_id is null then (select ds.id from spaces ds where ds.public_id = ${tenantSpaceId(tenantId)})
    end from viewer dv)`;
}
