import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, select } from "#db/client";
import { flag, integer, nullable, type RowOf, row, text } from "#db/row";
import { CHUNKS_PER_SESSION, SESSION } from "#db/schema/sessions";
import { type UserRef, userIdOf } from "#domain/tenants";
import { mayEnter } from "#domain/visibility";

const sessionColumns = {
  ...SESSION.of(sql`s`, "id", "publicId", "externalId", "kind", "spaceId", "projectId"),
  projectExternalId: nullable(text(sql`(select p.external_id from projects p where p.id = s.project_id)`)),
  /** In whose name its summaries are written; null if there is no such user. */
  writerId: nullable(integer(sql`w.id`)),
  writer: nullable(text(sql`w.external_id`)),
  mayEnter: flag(sql`coalesce(${mayEnter(sql`w`, sql`s`)}, 0)`),
};

const SESSION_ROW = row(sessionColumns);

/** A session and the user in whose name it is summarized: a private one's owner, a group's participant. */
export type SessionToSummarize = RowOf<typeof SESSION_ROW>;

/** The session of that name, and whether the user may enter it. */
export function findNamed(
  ctx: Ctx<"db">,
  { externalId, user }: { externalId: string; user: UserRef },
): Query<SessionToSummarize> {
  return select(
    SESSION_ROW,
  )`from sessions s left join users w on w.tenant_id = ${ctx.tenantId} and w.id = ${userIdOf(ctx.tenantId, user)}
    where s.tenant_id = ${ctx.tenantId} and s.external_id = ${externalId}`;
}

/** A chunk of an episode has no more tokens than this: a passage has at most so many UTF-16 units, and each is a token at most. */
const MAX_CHUNK_TOKENS = 2_000;

/**
 * The tenant's next sessions, each with its owner or, of a group, the participant who has been a user for longest. `mayNeed`: it may have more tokens
 * than this, by the chunks that were ever written, or its oldest episode without a summary was stored before `due`.
 */
export function findNext(
  ctx: Ctx<"db">,
  { after, tokens, due, sessions }: { after: number; tokens: number; due: number | null; sessions: number },
): Query<SessionToSummarize & { mayNeed: boolean }> {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const oldest = sql`(select e.created_at from episodes e where e.id >= s.id * ${per} and e.id < (s.id + 1) * ${per}
    and e.summary_id is null order by e.id limit 1)`;
  const shape = row({
    ...sessionColumns,
    mayNeed: flag(
      sql`s.next_seq * ${MAX_CHUNK_TOKENS} > ${tokens} or (${due !== null} and coalesce(${oldest} < ${due ?? 0}, 0))`,
    ),
  });
  return select(shape)`from (
      select x.* from sessions x where x.tenant_id = ${ctx.tenantId} and x.id > ${after} order by x.id limit ${sessions}) s
    left join users w on w.tenant_id = ${ctx.tenantId} and w.id = case s.kind
      when 'private' then s.owner_id
      else (select min(pa.user_id) from participants pa where pa.session_id = s.id and pa.left_at is null) end
    order by s.id`;
}
