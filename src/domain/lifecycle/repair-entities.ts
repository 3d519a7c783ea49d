import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { rowsInParts } from "#db/rows";
import { entityWords } from "#domain/entities";
import { enqueue } from "#domain/jobs";
import { strayFact } from "./check-facts.ts";
import type { UpkeepCtx } from "./step.ts";

function listOf(ids: readonly number[]): SQL {
  return sql.raw(ids.join(","));
}

/** Puts entities into the text index anew, as long as they are as they were read. */
export async function reindexEntities(ctx: UpkeepCtx, ids: readonly number[]): Promise<{ statements: Statement[] }> {
  const rows = await ctx.db.all<{ id: number; type: string; name: string; notes: string | null; version: number }>(sql`
    select en.id as id, en.type as type, en.name as name, en.notes as notes, en.version as version
    from entities en where en.id in (${listOf(ids)}) and +en.tenant_id = ${ctx.tenantId}`);
  const read = JSON.stringify(rows.map(({ id, version }) => [id, version]));
  return {
    statements: [
      failUnless(
        ctx.db,
        sql`(
          select count(*) from json_each(${read}) j cross join entities en on en.id = j.value ->> 0
          where en.version = j.value ->> 1 and +en.tenant_id = ${ctx.tenantId}) = ${rows.length}`,
      ),
      ctx.db.run(sql`delete from entity_fts where rowid in (${listOf(rows.map(({ id }) => id))})`),
      ...rowsInParts(rows.map((row) => [row.id, entityWords(row)])).map((part) =>
        ctx.db.run(sql`
          insert into entity_fts (rowid, space, text) select en.id, 's' || en.space_id, j.c1
          from ${part} j cross join entities en on en.id = j.c0`),
      ),
    ],
  };
}

/** Takes words out of the text index; an entity that is gone never comes back. */
export function removeEntitiesFromIndex(ctx: UpkeepCtx, ids: readonly number[]): { statements: Statement[] } {
  return { statements: [ctx.db.run(sql`delete from entity_fts where rowid in (${listOf(ids)})`)] };
}

export function embedEntitiesAgain(ctx: UpkeepCtx, ids: readonly number[]): { statements: Statement[]; jobIds: string[] } {
  const jobId = ctx.newId("job");
  return {
    statements: [
      ctx.db.run(sql`
        update entities set vector_model = null
        where id in (${listOf(ids)}) and +tenant_id = ${ctx.tenantId} and vector_model is not null`),
      enqueue(ctx, { id: jobId, kind: "entities.index", payload: JSON.stringify({ entities: ids }) }),
    ],
    jobIds: [jobId],
  };
}

/** Drops mentions by episodes that are gone, and counts what is left. */
export function recountMentions(ctx: UpkeepCtx, ids: readonly number[]): { statements: Statement[] } {
  return {
    statements: [
      ctx.db.run(sql`
        delete from entity_mentions where entity_id in (${listOf(ids)}) and not exists (
          select 1 from episodes e where e.id = entity_mentions.episode_id and e.tenant_id = ${ctx.tenantId})`),
      ctx.db.run(sql`
        update entities set mention_count = (select count(*) from entity_mentions em where em.entity_id = entities.id)
        where id in (${listOf(ids)}) and +tenant_id = ${ctx.tenantId}`),
    ],
  };
}

export function removeFacts(ctx: UpkeepCtx, userIds: readonly number[]): { statements: Statement[] } {
  return {
    statements: [
      ctx.db.run(sql`
        delete from facts where user_id in (
          select u.id from users u where u.id in (${listOf(userIds)}) and u.tenant_id = ${ctx.tenantId})
        and (user_id, topic, session_id, project_id, kind, rank) in (
          select f.user_id, f.topic, f.session_id, f.project_id, f.kind, f.rank from facts f
          where f.user_id in (${listOf(userIds)}) and ${strayFact})`),
    ],
  };
}
