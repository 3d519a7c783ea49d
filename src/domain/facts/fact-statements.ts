import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { type Cell, rowsInParts, rowsOf } from "#db/rows";
import { storeListMessages } from "./list-messages.ts";
import { ACTING_USER, type SaidFacts, type SaidInAppend } from "./said-facts.ts";
import { WHOLE_LIST_RANK, writeSlots } from "./slots.ts";

/**
 * The stored episodes of an append. `first` has a row `first` with `id` and `session_id` if they were stored; `by` finds the acting user.
 */
export type StoredAppend = { first: SQL; by: SQL };

/**
 * Statements that store the facts in an append's messages, and which messages are about lists: nothing if the episodes were not stored, and nothing that is not newer than the
 * stored value. A whole list removes older ranks. Each speaker's last topic is stored for the session.
 */
export function factStatements(ctx: Ctx<"db" | "now">, said: SaidInAppend, stored: StoredAppend): Statement[] {
  const { first } = stored;
  const known = speakers(said, stored);
  const statedBy = sql`cross join who w on w.said_by = j.c0`;
  const source = {
    with: known,
    userId: sql`w.user_id`,
    sessionId: sql`first.session_id`,
    projectId: sql`0`,
    topic: sql`j.c1`,
    kind: sql`'ranked'`,
    messageId: sql`nullif(j.c2, '')`,
    episodeId: sql`first.id + j.c3`,
    at: sql`j.c4`,
  };
  const from = (part: SQL) => sql`${first} cross join ${part} j ${statedBy}`;
  const cells = ({ userId, topic, messageId, offset, at }: SaidFacts["last"][number]): Cell[] => [
    userId,
    topic,
    messageId ?? "",
    offset,
    at,
  ];
  const slots = rowsInParts(said.slots.map((slot) => [...cells(slot), slot.rank, slot.value]));
  const wholes = rowsInParts(said.wholes.map(cells));
  return [
    ...slots.map((part) => writeSlots(ctx, { ...source, from: from(part), rank: sql`j.c5`, value: sql`j.c6` })),
    ...wholes.map((part) => writeSlots(ctx, { ...source, from: from(part), rank: WHOLE_LIST_RANK, value: sql`null` })),
    ...wholes.map((part) => takeAwayOlder(ctx, known, from(part))),
    ...rowsInParts(said.last.map(cells)).map((part) =>
      recordTopics(ctx, {
        with: known,
        from: from(part),
        sessionId: sql`first.session_id`,
        userId: sql`w.user_id`,
        topic: sql`j.c1`,
        at: sql`j.c4`,
      }),
    ),
    ...storeListMessages(ctx, said.lists, { first, who: known }),
  ];
}

/** `who (said_by, user_id)`: the acting user, and those of the other speakers who take part in the group now. */
function speakers(said: SaidInAppend, { first, by }: StoredAppend): SQL {
  const ids = rowsOf([...new Set([...said.last, ...said.lists].map(({ userId }) => userId))].map((userId) => [userId]));
  return sql`with who (said_by, user_id) as materialized (
    select said_by, user_id from (
      select k.c0 as said_by, case when k.c0 = ${sql.raw(String(ACTING_USER))} then ${by} else (
        select pa.user_id from participants pa where pa.session_id = first.session_id and pa.user_id = k.c0 and pa.left_at is null
      ) end as user_id
      from ${first} cross join ${ids} k)
    where user_id is not null)`;
}

/** Ranks that a newer whole list does not have keep their row without a value, so that no older message restores them. */
function takeAwayOlder(ctx: Ctx<"db" | "now">, known: SQL, from: SQL): Statement {
  return ctx.db.run(sql`
    ${known}
    insert into facts
      (user_id, topic, session_id, project_id, kind, rank, tenant_id, value, source_message_id, episode_id, created_at, stored_at)
    select f.user_id, f.topic, f.session_id, f.project_id, f.kind, f.rank, f.tenant_id, null, nullif(j.c2, ''), first.id + j.c3, j.c4,
      ${ctx.now()}
    from ${from} cross join facts f on f.user_id = w.user_id and f.topic = j.c1 and f.session_id = first.session_id
      and f.project_id = 0 and f.kind = 'ranked' and f.rank < ${WHOLE_LIST_RANK} and f.created_at < j.c4
    where f.value is not null
    on conflict (user_id, topic, session_id, project_id, kind, rank) do update set
      value = null, source_message_id = excluded.source_message_id, episode_id = excluded.episode_id,
      created_at = excluded.created_at, stored_at = excluded.stored_at`);
}

/**
 * Stores the last topic that a user stated or asked about in a session. A future time counts as now, so that it does not outlast later
 * topics.
 */
export function recordTopics(
  ctx: Ctx<"db" | "now">,
  source: { with?: SQL; from: SQL; sessionId: SQL; userId: SQL; topic: SQL; at: SQL },
): Statement {
  return ctx.db.run(sql`
    ${source.with ?? sql``}
    insert into session_topics (session_id, user_id, topic, at)
    select ${source.sessionId}, ${source.userId}, ${source.topic}, min(${source.at}, ${ctx.now()}) from ${source.from}
    where true
    on conflict (session_id, user_id) do update set topic = excluded.topic, at = excluded.at where excluded.at >= session_topics.at`);
}
