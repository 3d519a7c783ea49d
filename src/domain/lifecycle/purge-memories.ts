import { sql } from "drizzle-orm";
import { enqueue } from "#domain/jobs";
import { type Forgotten, findForgotten, GRACE_MS, positionOf } from "./find-forgotten.ts";
import type { PreparedStep, Step, UpkeepCtx } from "./step.ts";

/** Removes for good what was forgotten longer ago than it can be restored. */
export async function purgeMemories(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<PreparedStep> {
  const of = sql`l.tenant_id = ${ctx.tenantId}`;
  const { rows, next } = await findForgotten(ctx, positionOf(cursor), { of, limit, perTenant: limit + 1 });
  return { ...purgeRows(ctx, rows), next: next === null ? null : JSON.stringify(next) };
}

/**
 * Memories of one tenant with their versions, their subjects and what merges remember of them. What was restored meanwhile stays. Their
 * vectors went when they were forgotten; they are removed again, in case that job was given up.
 */
export function purgeRows(
  ctx: UpkeepCtx,
  rows: readonly Pick<Forgotten, "id" | "space">[],
): Pick<PreparedStep, "counts" | "statements" | "jobIds"> {
  if (rows.length === 0) return { counts: { memories: 0 }, statements: [], jobIds: [] };
  const ids = sql.raw(rows.map(({ id }) => id).join(","));
  const gone = sql`(
    select g.id from memories g where g.id in (${ids}) and g.tenant_id = ${ctx.tenantId} and g.deleted_at < ${ctx.now() - GRACE_MS})`;
  const jobId = ctx.newId("job");
  return {
    counts: { memories: rows.length },
    statements: [
      // A merge is found by the persons that were merged into those whom the memory is about or who said it.
      ctx.db.run(sql`
        with recursive party (id) as (
          select su.person_id from memory_subjects su where su.memory_id in ${gone}
          union select st.stated_by from memories st where st.id in ${gone} and st.stated_by is not null
          union select pe.id from party cross join persons pe on pe.merged_into = party.id)
        delete from person_merge_edges where memory_id in ${gone}
          and merge_id in (select mg.id from party cross join person_merges mg on mg.from_id = party.id and mg.undone_at is null)`),
      ctx.db.run(sql`delete from memory_subjects where memory_id in ${gone}`),
      ctx.db.run(sql`delete from memory_versions where memory_id in ${gone}`),
      ctx.db.run(sql`update memories set contradicts = null where contradicts in ${gone} and +tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`delete from memory_fts where rowid in ${gone}`),
      ctx.db.run(sql`delete from memories where id in ${gone}`),
      enqueue(ctx, {
        id: jobId,
        kind: "memories.remove",
        payload: JSON.stringify({ memories: rows.map(({ id, space }) => ({ id, space })) }),
      }),
    ],
    jobIds: [jobId],
  };
}
