import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { rowsOf } from "#db/rows";
import { CHUNKS_PER_SESSION } from "./chunk-id.ts";

/** Of more, the latest decide. */
const MAX_NAMES = 50;

type Row = { messageId: string; isOver: number };

/**
 * Which time it is, from 1, that these user messages come in the session of that name. They are stored as `name`, the second time as `name-2`,
 * and so on; names have one length. As long as nobody has said anything else there since, it is the same time: a request that is sent again. It
 * decides nothing about who may know: the append that follows does.
 */
export async function timesSaid(ctx: Ctx<"db">, sessionExternalId: string, names: readonly string[]): Promise<number> {
  if (names.length === 0) return 1;
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const asked = rowsOf(names.slice(-MAX_NAMES).map((name) => [name]));
  // A dot is the character that follows the hyphen.
  const [last] = await ctx.db.all<Row>(sql`
    with stored as materialized (
      select s.id as session_id, k.message_id as message_id, k.episode_id as episode_id
      from sessions s cross join ${asked} j
      cross join message_keys k on k.session_id = s.id and k.message_id >= j.c0 and k.message_id < j.c0 || '.'
      where s.tenant_id = ${ctx.tenantId} and s.external_id = ${sessionExternalId}
      order by k.episode_id desc, k.ordinal desc limit 1)
    select l.message_id as messageId, exists (
      select 1 from episodes e cross join json_each(e.messages) m
      where e.tenant_id = ${ctx.tenantId} and e.id > l.episode_id and e.id < (l.session_id + 1) * ${per} and m.value ->> 'role' = 'user'
    ) as isOver
    from stored l`);
  if (last === undefined) return 1;
  const time = Number(last.messageId.slice((names[0]?.length ?? 0) + 1) || 1);
  return last.isOver === 1 ? time + 1 : time;
}
