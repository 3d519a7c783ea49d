import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { rowsInParts, rowsOf } from "#db/rows";
import { factStatements, type SaidFacts } from "#domain/facts";
import { enqueue } from "#domain/jobs";
import { CHUNKS_PER_SESSION } from "./chunk-id.ts";
import type { EpisodeDraft } from "./parse-episodes-input.ts";

/** Written out, because D1 binds every number as a real, and a real divides without rounding. */
const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

/** The inserts of one append. The first decides; the others start from the first episode, and find nothing if it is not there. */
export function appendStatements(
  ctx: Ctx<"db" | "now">,
  append: {
    externalId: string;
    session: { id: number; spaceId: number; userId: number | null } | undefined;
    drafts: readonly EpisodeDraft[];
    said: SaidFacts | null;
    total: number;
    unchanged: SQL;
    jobId: string;
  },
): Statement[] {
  const { externalId, session, drafts, said, total, unchanged, jobId } = append;
  const episodes = drafts.map(({ id, offset, messages, chunks, firstAt, occurredAt }) => [
    id,
    offset,
    { json: JSON.stringify(messages) },
    { json: JSON.stringify(chunks) },
    chunks.length,
    firstAt,
    occurredAt,
  ]);
  const texts = drafts.flatMap((draft) => draft.tokens.map((tokens, i) => [draft.offset + i, tokens]));
  const messageKeys = drafts.flatMap((draft) =>
    draft.messages.flatMap((message, ordinal) =>
      message.messageId === null ? [] : [[message.messageId, draft.offset, ordinal]],
    ),
  );
  const first = sql`(select id, id / ${PER_SESSION} as session_id from episodes where public_id = ${drafts[0]?.id ?? ""}) first`;
  const space =
    session === undefined
      ? sql`(select 's' || s.space_id from sessions s where s.id = first.session_id)`
      : sql`${`s${session.spaceId}`}`;
  // Whoever makes a session by saying something in it is its owner.
  const by =
    session?.userId == null
      ? sql`(select so.owner_id from sessions so where so.id = first.session_id)`
      : sql.raw(String(session.userId));
  const latest = Math.max(...drafts.map((draft) => draft.occurredAt));
  const earliest = Math.min(...drafts.map((draft) => draft.firstAt));
  return [
    ctx.db.run(sql`
      insert into episodes (id, public_id, tenant_id, session_id, messages, chunks, chunk_count, first_at, occurred_at, created_at)
      select s.id * ${PER_SESSION} + s.next_seq + j.c1, j.c0, s.tenant_id, s.id, j.c2, j.c3, j.c4, j.c5, j.c6, ${ctx.now()}
      from sessions s cross join ${rowsOf(episodes)} j
      where s.tenant_id = ${ctx.tenantId} and s.external_id = ${externalId} and ${unchanged}
        and s.next_seq + ${total} <= ${CHUNKS_PER_SESSION}`),
    ctx.db.run(sql`
      update sessions set next_seq = next_seq + ${total}, last_at = max(coalesce(last_at, ${latest}), ${latest}),
        in_order = case when ${isInOrder(drafts)} and coalesce(last_at, ${earliest}) - ${TOLERANCE_MS} <= ${earliest} then in_order else 0 end
      where tenant_id = ${ctx.tenantId} and ${session === undefined ? sql`external_id = ${externalId}` : sql`id = ${session.id}`}
        and changes() > 0`),
    ...rowsInParts(texts).map((part) =>
      ctx.db.run(sql`
        insert into message_fts (rowid, space, text) select first.id + j.c0, ${space}, j.c1 from ${first} cross join ${part} j`),
    ),
    ...rowsInParts(messageKeys).map((part) =>
      ctx.db.run(sql`
        insert into message_keys (session_id, message_id, episode_id, ordinal)
        select first.session_id, j.c0, first.id + j.c1, j.c2 from ${first} cross join ${part} j`),
    ),
    ...(said === null ? [] : factStatements(ctx, said, { first, by })),
    // The last statement: whether it wrote a row is what the audit goes by.
    enqueue(ctx, {
      id: jobId,
      kind: "episodes.index",
      payload: sql`json_object('from', first.id, 'chunks', ${sql.raw(String(total))}, 'by', ${by})`,
      from: first,
    }),
  ];
}

/** Messages sent at the same moment may be stored in either order; `recent` looks a little further back than it must. */
const TOLERANCE_MS = 60_000;

function isInOrder(drafts: readonly EpisodeDraft[]): boolean {
  return drafts.every((draft, i) => draft.firstAt >= (drafts[i - 1]?.occurredAt ?? draft.firstAt) - TOLERANCE_MS);
}
