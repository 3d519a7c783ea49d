import { type SQL, sql } from "drizzle-orm";
import { userIdOf } from "#domain/tenants";
import { mayOpenSession } from "./require-place.ts";
import type { ViewerRef } from "./rule.ts";

/**
 * `with viewer as (…)`: the viewer looked up and their pool decided, as `poolOf` decides it. One row at most, with
 * `user_id`, `session_id`, `project_id`, `kind`, `pool` and `pool_rule`; no row when the user is unknown and may not be new.
 */
export function viewerCte(viewer: ViewerRef): SQL {
  const { tenantId, sessionExternalId, projectExternalId } = viewer;
  return sql`viewer as materialized (
    select user_id, session_id, project_id, kind, include_groups, pool_rule,
      case pool_rule
        when 'no_project' then 'user'
        when 'project_member' then 'project'
        when 'group_of_members' then 'project'
        when 'group_with_outsiders' then 'session'
        when 'group_without_project' then 'session'
        else 'none'
      end as pool
    from (
      select place.*, case
        when ${sessionExternalId !== null && !mayOpenSession(viewer)} and session_id is null then 'not_in_session'
        when kind = 'private' and session_id is not null and owner_id <> user_id then 'not_in_session'
        when kind = 'group' and not ${isCurrentParticipant(sql`place.user_id`, sql`place.session_id`)} then 'not_in_session'
        when ${projectExternalId !== null} and named_project_id is null then 'not_in_project'
        when ${projectExternalId !== null} and session_id is not null and named_project_id is not project_id then 'not_in_project'
        when kind = 'group' and project_id is null then 'group_without_project'
        when kind = 'group' and exists (
          select 1 from participants pa
          where pa.session_id = place.session_id and pa.left_at is null and not ${isMember(sql`pa.user_id`, sql`place.project_id`)}
        ) then 'group_with_outsiders'
        when kind = 'group' then 'group_of_members'
        when project_id is null then 'no_project'
        when ${isMember(sql`place.user_id`, sql`place.project_id`)} then 'project_member'
        else 'not_in_project'
      end as pool_rule
      from (
        select u.id as user_id, vs.id as session_id, vs.owner_id as owner_id, coalesce(vs.kind, 'private') as kind,
          vp.id as named_project_id, case when vs.id is null then vp.id else vs.project_id end as project_id,
          ${viewer.includeGroups ? 1 : 0} as include_groups
        from ${readingUser(viewer)} u
        left join sessions vs on vs.tenant_id = ${tenantId} and vs.external_id = ${sessionExternalId}
        left join projects vp on vp.tenant_id = ${tenantId} and vp.external_id = ${projectExternalId}
      ) as place
    )
  )`;
}

/** In place of the id of a user who is not stored; no row refers to it. */
const NEWCOMER = -1;

/** `(id)`: the viewer's user. */
function readingUser({ tenantId, user, userMayBeNew }: ViewerRef): SQL {
  const known = sql`select ku.id from users ku where ku.tenant_id = ${tenantId} and ku.id = ${userIdOf(tenantId, user)}`;
  return userMayBeNew === true ? sql`(select coalesce((${known}), ${NEWCOMER}) as id)` : sql`(${known})`;
}

/**
 * Whether the viewer sees the episodes of the session row `s`: `decideEpisodes` in SQL. It uses the row `v` of `viewerCte`, so a statement
 * that reads content of sessions has `viewer v` in its `from` and this condition in its `where`.
 */
export function seesEpisodesOf(tenantId: number, s: SQL): SQL {
  // The plus keeps SQLite from choosing the tenant's index: rows are found by their own ids.
  return sql`(+${s}.tenant_id = ${tenantId} and case v.pool
    when 'session' then ${s}.id = v.session_id
    when 'project' then ${s}.project_id = v.project_id
    when 'user' then ${s}.project_id is null and case ${s}.kind
      when 'private' then ${s}.owner_id = v.user_id
      else v.include_groups = 1 and ${isCurrentParticipant(sql`v.user_id`, sql`${s}.id`)}
    end
    else 0
  end)`;
}

/**
 * The ids of the spaces in which sessions can be visible, to which every MATCH and every vector query is limited. Parts that the request
 * cannot need are left out of the statement; the pool is checked in any case.
 */
export function visibleSpaces(viewer: ViewerRef): SQL {
  const { tenantId } = viewer;
  const inSession = viewer.sessionExternalId !== null;
  const parts = [
    sql`select u.space_id as space_id from viewer v cross join users u on u.id = v.user_id where v.pool = 'user'`,
    ...(viewer.includeGroups
      ? [
          sql`select gs.space_id from viewer v cross join participants gp on gp.user_id = v.user_id and gp.left_at is null
            cross join sessions gs on gs.id = gp.session_id and gs.tenant_id = ${tenantId} and gs.project_id is null and gs.kind = 'group'
            where v.pool = 'user' and v.include_groups = 1`,
        ]
      : []),
    ...(inSession
      ? [sql`select vs.space_id from viewer v cross join sessions vs on vs.id = v.session_id where v.pool = 'session'`]
      : []),
    ...(inSession || viewer.projectExternalId !== null
      ? [
          // Steps from one space of the project to the next by the index: a project has fewer spaces than sessions.
          sql`select space_id from (
            with recursive step(space_id) as (
              select (select min(ps.space_id) from sessions ps where ps.project_id = v.project_id) from viewer v where v.pool = 'project'
              union all
              select (select min(ps.space_id) from sessions ps where ps.project_id = v.project_id and ps.space_id > step.space_id)
              from viewer v cross join step where step.space_id is not null)
            select space_id from step where space_id is not null)`,
        ]
      : []),
  ];
  return sql`(${sql.join(parts, sql` union `)})`;
}

/** Whether the user row `u` may enter the session row `s`: then `poolOf` for a user in it is not `none`. */
export function mayEnter(u: SQL, s: SQL): SQL {
  return sql`case ${s}.kind
    when 'private' then ${s}.owner_id = ${u}.id and (${s}.project_id is null or ${isMember(sql`${u}.id`, sql`${s}.project_id`)})
    else ${isCurrentParticipant(sql`${u}.id`, sql`${s}.id`)}
  end`;
}

function isCurrentParticipant(userId: SQL, sessionId: SQL): SQL {
  return sql`exists (select 1 from participants cp where cp.user_id = ${userId} and cp.session_id = ${sessionId} and cp.left_at is null)`;
}

/** `belongsTo` in SQL. */
export function isMember(userId: SQL, projectId: SQL): SQL {
  return sql`exists (
    select 1 from projects mp where mp.id = ${projectId} and (
      mp.owner_id = ${userId} or exists (select 1 from project_members pm where pm.project_id = mp.id and pm.user_id = ${userId})))`;
}
