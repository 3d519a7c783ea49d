import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement, StatementResult } from "#db/client";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import { decideInPool, type EpisodeRule, type Pool, seesEpisodesOf, type ViewerRef, viewerCte } from "#domain/visibility";
import { type Span, saidWithin } from "./retrieve-text.ts";

/** A chunk that the viewer may see, with its passage. */
export type VisibleChunk = {
  id: number;
  episodeId: string;
  text: string;
  start: number;
  end: number;
  index: number;
  messageId: string | null;
  role: string;
  /** The label of the message; where it has none, the name of the user whom it names. */
  speaker: string | null;
  /** Who said it, where the message names a user: a JSON array of the app's id, the name, and 1 for the viewer. */
  saidBy: string | null;
  occurredAt: number;
  sessionId: string;
  /** The rule that let it in. */
  visibleBy: EpisodeRule;
  projectId: string | null;
  vectorModel: string | null;
};

/** Chunks loaded for a closer look. On LoCoMo 50 and 100 find as much; the rest is room for larger histories. */
export const MAX_CANDIDATES = 150;

/** Episodes that may have been stored out of order within a minute, in a session that counts as stored in order. */
const STORED_AT_ONCE = 5;

/** Sessions that are looked through for what was said before a time. */
const MAX_SESSIONS_BEFORE = 1000;

/** Loads the proposed chunks that exist and that the viewer may see, decided in the statement that loads them. */
export function loadVisibleChunks(
  ctx: Ctx<"db">,
  viewer: ViewerRef,
  candidates: { ids: readonly number[]; span: Span },
): Statement {
  return ctx.db.all(sql`
    with ${viewerCte(viewer)}, ${passagesOf(sql`
      select c.value as chunk_id, (select max(x.id) from episodes x where x.id <= c.value) as episode_id
      from json_each(${JSON.stringify(candidates.ids)}) c`)}
    select ${chunkColumns} from viewer v cross join passages
    cross join sessions s on s.id = passages.session_id
    left join projects p on p.id = s.project_id
    where ${seesEpisodesOf(ctx.tenantId, sql`s`)} and ${saidWithin(candidates.span, sql`passages.chunk_id`)}`);
}

/**
 * The newest chunks that the viewer may see, by conversation time. They are in the sessions of the latest times; in a session
 * that was stored in order among its last episodes, in another wherever they are.
 */
export function loadRecentChunks(ctx: Ctx<"db">, viewer: ViewerRef, wanted: { limit: number; span: Span }): Statement {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const newer = wanted.span.from === null ? sql`s.last_at is not null` : sql`s.last_at >= ${wanted.span.from}`;
  // With an end, the newest sessions may have nothing before it.
  const many = wanted.span.to === null ? wanted.limit : MAX_SESSIONS_BEFORE;
  const inSpan = sql`e.id >= l.id * ${per} and e.id < (l.id + 1) * ${per}
    and ${wanted.span.to === null ? sql`true` : sql`e.first_at < ${wanted.span.to}`}`;
  const enough = wanted.limit + STORED_AT_ONCE;
  return ctx.db.all(sql`
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
    select ${chunkColumns} from viewer v cross join passages
    cross join sessions s on s.id = passages.session_id
    left join projects p on p.id = s.project_id
    where ${seesEpisodesOf(ctx.tenantId, sql`s`)} and ${saidWithin(wanted.span, sql`passages.chunk_id`)}
    order by occurredAt desc, id desc limit ${wanted.limit}`);
}

/** A passage with what the rule must know of its session and its viewer. */
type LoadedRow = Omit<VisibleChunk, "visibleBy"> & {
  sessionRow: number;
  tenant: number;
  kind: "private" | "group";
  owner: number;
  project: number | null;
  takesPart: number;
  viewerUser: number;
  viewerSession: number | null;
  viewerProject: number | null;
  includeGroups: number;
  pool: Pool;
};

/** SQL has decided; the pure rule is asked again. Should they ever differ, nothing is shown and the log says so. */
export function readChunks(ctx: Ctx<"log">, result: StatementResult | undefined): VisibleChunk[] {
  return ((result?.rows ?? []) as LoadedRow[]).flatMap((row) => {
    const {
      sessionRow,
      tenant,
      kind,
      owner,
      project,
      takesPart,
      viewerUser,
      viewerSession,
      viewerProject,
      includeGroups,
      pool,
      ...chunk
    } = row;
    const standing = {
      tenantId: ctx.tenantId,
      userId: viewerUser,
      sessionId: viewerSession,
      projectId: viewerProject,
      includeGroups: includeGroups === 1,
      pool,
    };
    const { visible, rule } = decideInPool(standing, {
      id: sessionRow,
      tenantId: tenant,
      kind,
      ownerId: owner,
      projectId: project,
      viewerTakesPart: takesPart === 1,
    });
    if (visible) return [{ ...chunk, visibleBy: rule }];
    ctx.log("visibility.disagreement", { rule, pool, session: sessionRow });
    return [];
  });
}

/**
 * Ids of the sessions that could be visible, the latest of each kind of pool, found by indexes that are in the order of time
 * (but for a user's groups, which are few). The predicate decides, and stands here too, so that what is hidden fills no place.
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

/** `passages as (…)`: chunk ids with the episode that each would belong to, cut to those that are really its chunks. */
function passagesOf(ids: SQL): SQL {
  return sql`passages as (
    select e.id as episode_id, e.public_id as public_id, e.session_id as session_id, e.vector_model as vector_model, ids.chunk_id as chunk_id,
      e.messages as messages, json_extract(e.chunks, '$[' || (ids.chunk_id - e.id) || ']') as chunk
    from (${ids}) ids cross join episodes e on e.id = ids.episode_id
    where ids.chunk_id < e.id + e.chunk_count)`;
}

const message = sql`json_extract(passages.messages, '$[' || (passages.chunk ->> 'm') || ']')`;

const named = (columns: SQL) => sql`(
  select ${columns} from users mu cross join persons mp on mp.user_id = mu.id where mu.id = ${message} ->> 'userId')`;

const chunkColumns = sql`
  passages.chunk_id as id, passages.public_id as episodeId, passages.vector_model as vectorModel,
  substr(${message} ->> 'text', (passages.chunk ->> 'p') + 1, passages.chunk ->> 'n') as text,
  passages.chunk ->> 's' as start, passages.chunk ->> 'e' as "end", passages.chunk ->> 'm' as "index",
  ${message} ->> 'messageId' as messageId, ${message} ->> 'role' as role, 
  coalesce(${message} ->> 'speaker', ${named(sql`mp.name`)}) as speaker,
  ${named(sql`json_array(mu.external_id, mp.name, mu.id = v.user_id)`)} as saidBy,
  ${message} ->> 'occurredAt' as occurredAt, s.external_id as sessionId, case v.pool when 'project' then p.external_id end as projectId,
  s.id as sessionRow, s.tenant_id as tenant, s.kind as kind, s.owner_id as owner, s.project_id as project,
  s.kind = 'group' and v.pool = 'user' and exists (
    select 1 from participants tp where tp.user_id = v.user_id and tp.session_id = s.id and tp.left_at is null) as takesPart,
  v.user_id as viewerUser, v.session_id as viewerSession, v.project_id as viewerProject, v.include_groups as includeGroups, v.pool as pool`;
