import { type SQL, sql } from "drizzle-orm";
import type { Viewer } from "./rule.ts";
import { type Decision, type Pool, type PoolRule, poolOf } from "./rule.ts";

export type EntityFacts = { tenantId: number; projectId: number };

/** Entities belong to a project. They are visible only if the viewer's pool is the whole project, and only with that project's tag. */
export function decideEntity(viewer: Viewer, entity: EntityFacts): Decision<PoolRule | "same_project" | "outside_pool"> {
  const { pool, rule } = poolOf(viewer);
  if (pool === "none" && entity.tenantId === viewer.tenantId) return { visible: false, rule };
  return decideEntityInPool({ tenantId: viewer.tenantId, projectId: viewer.project?.id ?? null, pool }, entity);
}

/** The rule once the pool is known; search evaluates it again for every row that SQL returned. */
export function decideEntityInPool(
  standing: { tenantId: number; projectId: number | null; pool: Pool },
  entity: EntityFacts,
): Decision<"same_project" | "outside_pool" | "other_tenant"> {
  if (entity.tenantId !== standing.tenantId) return { visible: false, rule: "other_tenant" };
  const isSame = standing.pool === "project" && entity.projectId === standing.projectId;
  return { visible: isSame, rule: isSame ? "same_project" : "outside_pool" };
}

/** The internal id of the project whose entities the viewer of `viewerCte` may see; null for none. */
export const entityProject: SQL = sql`(select ev.project_id from viewer ev where ev.pool = 'project')`;

/** `decideEntity` in SQL, about the entity row `en`, in a statement that has `viewerCte`. */
export function seesEntity(tenantId: number, en: SQL): SQL {
  return sql`(+${en}.tenant_id = ${tenantId} and ${en}.project_id = ${entityProject})`;
}
