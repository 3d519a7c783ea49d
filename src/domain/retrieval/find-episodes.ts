import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { QueryTerm } from "#core/text/query";
import { type Query, statement } from "#db/client";
import { flag, integer, json, nullable, type RowOf, row, text } from "#db/row";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import {
  decideInPool,
  type EpisodeRule,
  type Pool,
  seesEpisodesOf,
  type ViewerRef,
  viewerCte,
  visibleSpaces,
} from "#domain/visibility";
import { type IdList, idsByTerm, type Posting, postings } from "./postings.ts";

/** If the viewer's own rows contain a term more often than this, only the newest are read. */
const MAX_ROWS_A_TERM = 50_000;
/** Episodes that may have been stored out of order within a minute, in a session that counts as stored in order. */
const STORED_AT_ONCE = 5;
/** Sessions that are searched for what was said before a time. */
const MAX_SESSIONS_BEFORE = 1000;

const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

export type Span = { from: number | null; to: number | null };

/** The user whom a message names as its speaker. `userId` is the app's id. */
export type NamedSpeaker = { userId: string; name: string; isViewer: boolean };

/**
 * For each term the ids of the visible chunks that contain it, in one statement. Every MATCH names the spaces it may search, and terms are
 * weighed by these rows alone, so other people's rows change neither the cost nor the ranking.
 */
export function findEpisodes(
  ctx: Ctx,
  viewer: ViewerRef,
  { terms, span }: { terms: readonly QueryTerm[]; span: Span },
): Query<Posting> {
  const shape = postings(
    sql`t.value`,
    sql`
    select f.rowid as id from viewer v cross join message_fts f
    cross join sessions s on s.id = f.rowid / ${PER_SESSION}
    where f.message_fts match ((select expression from spaces_match) || '"' || t.value || '"')
      and ${seesEpisodesOf(ctx.tenantId, sql`s`)} and ${saidWithin(span, sql`f.rowid`)}
    order by f.rowid desc limit ${MAX_ROWS_A_TERM}`,
  );
  return statement(
    shape,
    sql`
    with ${viewerCte(viewer)},
    spaces_match as materialized (
      select 'space : (' || group_concat('"s' || space_id || '"', ' OR ') || ') AND text : ' as expression from ${visibleSpaces(viewer)})
    select ${shape.columns} from json_each(${JSON.stringify(terms.map(({ term }) => term))}) t
    where (select expression from spaces_match) is not null`,
  );
}

/** Whether the message of this chunk was said in the time span; looked up only if one is named. */
function saidWithin(span: Span, chunkId: SQL): SQL {
  if (span.from === null && span.to === null) return sql`true`;
  return sql`(
    select json_extract(se.messages, '$[' || json_extract(se.chunks, '$[' || (${chunkId} - se.id) || '].m') || '].occurredAt')
    from episodes se where se.id = (select max(sx.id) from episodes sx where sx.id <= ${chunkId})
  ) between ${span.from ?? Number.MIN_SAFE_INTEGER} and ${(span.to ?? Number.MAX_SAFE_INTEGER) - 1}`;
}

/** The chunks of each term, in the order of the terms, and at least how many chunks were searched. */
export type FoundEpisodes = { postings: IdList[]; total: number };

export function readEpisodes(found: readonly Posting[], terms: readonly QueryTerm[]): FoundEpisodes {
  const byTerm = idsByTerm(found, terms);
  return { postings: byTerm, total: chunksSeen(byTerm) };
}

/** A lower bound of the number of chunks in the sessions that matched, from the highest position found in each. */
function chunksSeen(lists: readonly IdList[]): number {
  const highest = new Map<number, number>();
  for (const ids of lists) {
    for (const id of ids) {
      const session = Math.floor(id / CHUNKS_PER_SESSION);
      const count = (id % CHUNKS_PER_SESSION) + 1;
      if (count > (highest.get(session) ?? 0)) highest.set(session, count);
    }
  }
  return [...highest.values()].reduce((sum, count) => sum + count, 0);
}

const message = sql`json_extract(passages.messages, '$[' || (passages.chunk ->> 'm') || ']')`;

/**
 * A passage, and what the rule needs to know of its session (`in…`) and of its viewer. From `viewer v`, `passages`, `sessions s`, `projects
 * p`.
 */
const PASSAGE = row({
  id: integer(sql`passages.chunk_id`),
  episodeId: text(sql`passages.public_id`),
  vectorModel: nullable(text(sql`passages.vector_model`)),
  text: text(sql`substr(${message} ->> 'text', (passages.chunk ->> 'p') + 1, passages.chunk ->> 'n')`),
  start: integer(sql`passages.chunk ->> 's'`),
  end: integer(sql`passages.chunk ->> 'e'`),
  index: integer(sql`passages.chunk ->> 'm'`),
  messageId: nullable(text(sql`${message} ->> 'messageId'`)),
  role: text(sql`${message} ->> 'role'`),
  /** The label of the message. */
  speaker: nullable(text(sql`${message} ->> 'speaker'`)),
  saidBy: nullable(
    json<NamedSpeaker>(sql`(
      select json_object('userId', mu.external_id, 'name', mp.name, 'isViewer', json(iif(mu.id = v.user_id, 'true', 'false')))
      from users mu cross join persons mp on mp.user_id = mu.id where mu.id = ${message} ->> 'userId')`),
  ),
  occurredAt: integer(sql`${message} ->> 'occurredAt'`),
  /** Minutes ahead of UTC where it was said, if that is known. */
  offset: nullable(integer(sql`${message} ->> 'offset'`)),
  sessionId: text(sql`s.external_id`),
  projectId: nullable(text(sql`case v.pool when 'project' then p.external_id end`)),
  inSession: integer(sql`s.id`),
  inTenant: integer(sql`s.tenant_id`),
  inKind: text<"private" | "group">(sql`s.kind`),
  inOwner: integer(sql`s.owner_id`),
  inProject: nullable(integer(sql`s.project_id`)),
  takesPart: flag(sql`s.kind = 'group' and v.pool = 'user' and exists (
    select 1 from participants tp where tp.user_id = v.user_id and tp.session_id = s.id and tp.left_at is null)`),
  viewerUser: integer(sql`v.user_id`),
  viewerSession: nullable(integer(sql`v.session_id`)),
  viewerProject: nullable(integer(sql`v.project_id`)),
  includeGroups: flag(sql`v.include_groups`),
  pool: text<Pool>(sql`v.pool`),
});

type PassageRow = RowOf<typeof PASSAGE>;

/** A passage of an episode that the viewer may see, and the rule that makes it visible. */
export type VisibleEpisode = PassageRow & { kind: "episode"; visibleBy: EpisodeRule };

/** Loads those of the chunks that exist and that the viewer may see. The statement that loads them decides visibility. */
export function loadEpisodes(
  ctx: Ctx,
  viewer: ViewerRef,
  { ids, span }: { ids: readonly number[]; span: Span },
): Query<PassageRow> {
  return statement(
    PASSAGE,
    sql`
    with ${viewerCte(viewer)}, ${passagesOf(sql`
      select c.value as chunk_id, (select max(x.id) from episodes x where x.id <= c.value) as episode_id
      from json_each(${JSON.stringify(ids)}) c`)}
    ${selectVisible(ctx, span)}`,
  );
}

function selectVisible(ctx: Ctx, span: Span): SQL {
  return sql`
    select ${PASSAGE.columns} from viewer v cross join passages
    cross join sessions s on s.id = passages.session_id
    left join projects p on p.id = s.project_id
    where ${seesEpisodesOf(ctx.tenantId, sql`s`)} and ${saidWithin(span, sql`passages.chunk_id`)}`;
}

/** The latest passages beside what a search finds: of so many sessions, and of so many episodes of each. */
export const LATEST = { limit: 60, sessions: 24, episodes: 10 };

/** Whether these latest passages are about all that the viewer may see. */
export function areAll(latest: readonly Pick<VisibleEpisode, "id">[]): boolean {
  const bySession = Map.groupBy(latest, ({ id }) => Math.floor(id / CHUNKS_PER_SESSION));
  const said = [...bySession.values()].reduce((sum, of) => sum + 1 + Math.max(...of.map(({ id }) => id % CHUNKS_PER_SESSION)), 0);
  return latest.length < LATEST.limit && bySession.size < LATEST.sessions && said < LATEST.limit;
}

export type RecentWanted = {
  limit: number;
  span: Span;
  /** Only in so many of the latest sessions, and in so many of the last episodes of each; the limit when absent. */
  sessions?: number;
  episodes?: number;
};

/**
 * The newest chunks that the viewer may see, by conversation time. They are in the sessions of the latest times; in a session that was
 * stored in order among its last episodes, in another one anywhere.
 */
export function loadRecentEpisodes(ctx: Ctx, viewer: ViewerRef, wanted: RecentWanted): Query<PassageRow> {
  const newer = wanted.span.from === null ? sql`s.last_at is not null` : sql`s.last_at >= ${wanted.span.from}`;
  // With an upper bound, the newest sessions may have nothing before it.
  const many = wanted.span.to === null ? (wanted.sessions ?? wanted.limit) : MAX_SESSIONS_BEFORE;
  const inSpan = sql`e.id >= l.id * ${PER_SESSION} and e.id < (l.id + 1) * ${PER_SESSION}
    and ${wanted.span.to === null ? sql`true` : sql`e.first_at < ${wanted.span.to}`}`;
  const enough = (wanted.episodes ?? wanted.limit) + STORED_AT_ONCE;
  return statement(
    PASSAGE,
    sql`
    with ${viewerCte(viewer)},
    latest as materialized (
      select s.id as id, s.in_order as in_order from viewer v cross join sessions s
      where s.id in (${sessionsInReach(viewer, { tenantId: ctx.tenantId, newer, many })}) and ${seesEpisodesOf(ctx.tenantId, sql`s`)} and ${newer}
      order by s.last_at desc, s.id desc limit ${many}),
    ${passagesOf(sql`
      select e.id + c.key as chunk_id, e.id as episode_id
      from latest l
      cross join episodes e on e.id in (
        select id from (select e.id as id from episodes e where l.in_order = 1 and ${inSpan} order by e.id desc limit ${enough})
        union all
        select id from (select e.id as id from episodes e where l.in_order = 0 and ${inSpan} order by e.occurred_at desc limit ${enough}))
      cross join json_each(e.chunks) c`)}
    ${selectVisible(ctx, wanted.span)}
    order by occurredAt desc, id desc limit ${wanted.limit}`,
  );
}

/** SQL has decided already; the pure rule checks again. If they ever differ, nothing is shown and the log reports it. */
export function visibleEpisodes(ctx: Ctx<"log">, rows: readonly PassageRow[]): VisibleEpisode[] {
  return rows.flatMap((passage) => {
    const { pool, includeGroups } = passage;
    const standing = {
      tenantId: ctx.tenantId,
      userId: passage.viewerUser,
      sessionId: passage.viewerSession,
      projectId: passage.viewerProject,
      includeGroups,
      pool,
    };
    const { visible, rule } = decideInPool(standing, {
      id: passage.inSession,
      tenantId: passage.inTenant,
      kind: passage.inKind,
      ownerId: passage.inOwner,
      projectId: passage.inProject,
      viewerTakesPart: passage.takesPart,
    });
    if (visible) return [{ ...passage, speaker: shownSpeaker(passage), kind: "episode" as const, visibleBy: rule }];
    ctx.log("visibility.disagreement", { rule, pool, session: passage.inSession });
    return [];
  });
}

/** The label of the message; if it has none, the name of who said it, except of the viewer alone with the assistant. */
function shownSpeaker({ speaker, saidBy, inKind }: PassageRow): string | null {
  return speaker ?? (saidBy === null || (saidBy.isViewer && inKind === "private") ? null : saidBy.name);
}

/**
 * Ids of the sessions that could be visible, the latest of each kind of pool, found by indexes that are in the order of time (except a
 * user's groups, which are few). The predicate decides visibility; it is here too, so that hidden sessions do not use up the limit.
 */
function sessionsInReach(viewer: ViewerRef, wanted: { tenantId: number; newer: SQL; many: number }): SQL {
  const sees = seesEpisodesOf(wanted.tenantId, sql`s`);
  const inSession = viewer.sessionExternalId !== null;
  // The sessions come first, found by one value each, so that the index gives them in order and the limit ends the walk.
  const latestOf = (found: SQL) => sql`
    select id from (
      select s.id as id from sessions s cross join viewer v where ${found} and ${sees} and ${wanted.newer}
      order by s.last_at desc limit ${wanted.many})`;
  const parts = [
    sql`s.space_id = (select u.space_id from viewer vv cross join users u on u.id = vv.user_id where vv.pool = 'user')`,
    ...(viewer.includeGroups
      ? [
          sql`s.id in (select g.session_id from viewer vv cross join participants g on g.user_id = vv.user_id and g.left_at is null where vv.pool = 'user')`,
        ]
      : []),
    ...(inSession ? [sql`s.id = (select session_id from viewer where pool = 'session')`] : []),
    ...(inSession || viewer.projectExternalId !== null
      ? [sql`s.project_id = (select project_id from viewer where pool = 'project')`]
      : []),
  ].map(latestOf);
  return sql.join(parts, sql` union all `);
}

/** `passages as (…)`: chunk ids with the episode that each would belong to; ids that are no chunk of it, and hidden passages, are left out. */
function passagesOf(ids: SQL): SQL {
  return sql`passages as (
    select e.id as episode_id, e.public_id as public_id, e.session_id as session_id, e.vector_model as vector_model, ids.chunk_id as chunk_id,
      e.messages as messages, json_extract(e.chunks, '$[' || (ids.chunk_id - e.id) || ']') as chunk
    from (${ids}) ids cross join episodes e on e.id = ids.episode_id
    where ids.chunk_id < e.id + e.chunk_count and json_extract(e.chunks, '$[' || (ids.chunk_id - e.id) || '].n') > 0)`;
}
