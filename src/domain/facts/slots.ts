import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, statement } from "#db/client";
import { type RowOf, row } from "#db/row";
import { FACT } from "#db/schema/facts";

/**
 * The rank of a list's own row, which has no value: its time is when the whole list was last stated or retracted. Older statements do not
 * change the list, in whichever order messages arrive.
 */
export const WHOLE_LIST_RANK = sql.raw("1000000");

/** The SQL expressions for the columns of a written slot. */
export type SlotSource = {
  with?: SQL;
  from: SQL;
  userId: SQL;
  sessionId: SQL;
  projectId: SQL;
  topic: SQL;
  kind: SQL;
  rank: SQL;
  value: SQL;
  messageId: SQL;
  episodeId: SQL;
  at: SQL;
};

const SLOT = row(FACT.of(sql`facts`, "topic", "kind", "rank"));

export type Slot = RowOf<typeof SLOT>;

/** Writes slots whose new values are newer than the stored ones; returns the written slots. */
export function writeSlots(ctx: Ctx<"now">, source: SlotSource): Query<Slot> {
  const { userId, sessionId, projectId, topic, kind, rank, at } = source;
  return statement(
    SLOT,
    sql`
    ${source.with ?? sql``}
    insert into facts
      (user_id, topic, session_id, project_id, kind, rank, tenant_id, value, source_message_id, episode_id, created_at, stored_at)
    select ${userId}, ${topic}, ${sessionId}, ${projectId}, ${kind}, ${rank}, ${ctx.tenantId}, ${source.value}, ${source.messageId},
      ${source.episodeId}, ${at}, ${ctx.now()}
    from ${source.from}
    where not exists (
      select 1 from facts whole where whole.user_id = ${userId} and whole.topic = ${topic} and whole.session_id = ${sessionId}
        and whole.project_id = ${projectId} and whole.kind = 'ranked' and ${kind} = 'ranked' and whole.rank = ${WHOLE_LIST_RANK}
        and whole.created_at >= ${at})
    on conflict (user_id, topic, session_id, project_id, kind, rank) do update set
      value = excluded.value, source_message_id = excluded.source_message_id, episode_id = excluded.episode_id,
      created_at = excluded.created_at, stored_at = excluded.stored_at
    where excluded.created_at > facts.created_at
    returning ${SLOT.columns}`,
  );
}
