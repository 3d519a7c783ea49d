import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, type Statement, select } from "#db/client";
import { integer, row, text } from "#db/row";
import type { RemovedVersion } from "#db/schema/forgettings";
import { mayChange, type Writer } from "./access.ts";

const SAID = row({
  memory: integer(sql`v.memory_id`),
  version: integer(sql`v.version`),
  replacedAt: integer(sql`v.replaced_at`),
  data: text(sql`v.data`),
  content: text(sql`v.data ->> 'content'`),
});

/** Earlier versions, learned in these episodes, of live memories in these spaces that the writer may change. */
export function findVersionsSaid(
  ctx: Ctx,
  writer: Writer,
  { spaces, episodes }: { spaces: readonly number[]; episodes: readonly number[] },
): Query<RemovedVersion & { content: string }> {
  return select(SAID)`from json_each(${JSON.stringify(episodes)}) j
    cross join memory_versions v on v.data ->> 'episodeId' = j.value
    cross join memories m on m.id = v.memory_id and m.deleted_at is null
    where m.tenant_id = ${ctx.tenantId} and ${mayChange(ctx, writer, sql`m`)}
      and m.space_id in (select value from json_each(${JSON.stringify(spaces)}))`;
}

export function removeVersions(ctx: Ctx<"db">, versions: readonly RemovedVersion[]): Statement[] {
  if (versions.length === 0) return [];
  return [
    ctx.db.run(sql`
      delete from memory_versions where (memory_id, version) in (
        select j.value ->> 'memory', j.value ->> 'version' from json_each(${JSON.stringify(versions)}) j
        cross join memories m on m.id = j.value ->> 'memory' where m.tenant_id = ${ctx.tenantId})`),
  ];
}

/** Puts back versions of memories that are still there. */
export function putBackVersions(ctx: Ctx<"db">, versions: readonly RemovedVersion[]): Statement[] {
  if (versions.length === 0) return [];
  return [
    ctx.db.run(sql`
      insert into memory_versions (memory_id, version, data, replaced_at)
      select m.id, j.value ->> 'version', j.value ->> 'data', j.value ->> 'replacedAt' from json_each(${JSON.stringify(versions)}) j
      cross join memories m on m.id = j.value ->> 'memory' where m.tenant_id = ${ctx.tenantId}
      on conflict do nothing`),
  ];
}
