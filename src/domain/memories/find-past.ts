import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, statement } from "#db/client";
import { integer, row, text } from "#db/row";
import { mayChange, type Writer } from "./access.ts";
import { STORED, type StoredMemory } from "./rows.ts";

/** How many replacements are followed back, and how many statements are returned, the latest first. */
const MAX_STEPS = 20;
const MAX_STATEMENTS = 40;

/** What a memory said, by the internal id of the episode that it was learned from. */
export type MemoryStatement = { content: string; episodeId: number };

const SAID = row({ content: text(sql`p.content`), episodeId: integer(sql`p.episode`) });

/**
 * What these memories, by internal ids, said before, as far as the writer may change it: `statements`, of their earlier versions and of the
 * memories that they replaced, one by one; `replaced`, those memories that are still there.
 */
export function findPast(
  ctx: Ctx,
  writer: Writer,
  ids: readonly number[],
): { statements: Query<MemoryStatement>; replaced: Query<StoredMemory> } {
  const chain = sql`
    chain (id, step) as (
      select value, 0 from json_each(${JSON.stringify(ids)})
      union
      select c.supersedes, chain.step + 1 from chain cross join memories c on c.id = chain.id
      where c.tenant_id = ${ctx.tenantId} and c.supersedes is not null and chain.step < ${MAX_STEPS})`;
  const isPast = sql`(chain.step = 0 or m.superseded_by is not null) and m.tenant_id = ${ctx.tenantId} and ${mayChange(ctx, writer, sql`m`)}`;
  return {
    statements: statement(
      SAID,
      sql`
      with recursive ${chain}, past (content, episode) as (
        select v.data ->> 'content', v.data ->> 'episodeId' from chain cross join memories m on m.id = chain.id
        cross join memory_versions v on v.memory_id = m.id where ${isPast}
        union
        select m.content, m.episode_id from chain cross join memories m on m.id = chain.id where chain.step > 0 and ${isPast})
      select ${SAID.columns} from past p where p.episode is not null order by p.episode desc limit ${MAX_STATEMENTS}`,
    ),
    replaced: statement(
      STORED,
      sql`
      with recursive ${chain}
      select ${STORED.columns} from (select distinct id from chain where step > 0) w cross join memories m on m.id = w.id
      where m.deleted_at is null and m.superseded_by is not null and m.tenant_id = ${ctx.tenantId} and ${mayChange(ctx, writer, sql`m`)}`,
    ),
  };
}
