import { type SQL, sql } from "drizzle-orm";
import { type Column, flag } from "#db/row";
import type { MemoryPlace, MemoryRelation, Reach } from "./memory-rule.ts";
import { viewerCte } from "./predicate.ts";
import type { ViewerRef } from "./rule.ts";

/** A viewer of memories as a request names it. */
export type MemoryViewerRef = ViewerRef & {
  workspaceId: string | null;
  scopeType: string | null;
  scopeId: string | null;
  /** Whether a viewer without a project gets none of their own memories of projects either. */
  ownProjectOnly: boolean;
  reach: Reach;
  /** Ids of persons as the body of a subquery (`select … as person_id`), `anyone`, or null for nobody. */
  about: SQL | "anyone" | null;
  exceptOwner: SQL | null;
  /** A time, or `ever`: valid at any time. */
  asOf: number | "ever" | null;
  now: number;
};

/**
 * `viewer as (…), reader as (…)`: the viewer of `viewerCte` with the data that only memories need: their own person, whether they are in a
 * group session with others (`is_group`), their project and whether others belong to it (`is_shared`), and the tenant's setting. At most
 * one row.
 */
export function readerCte(viewer: MemoryViewerRef): SQL {
  return sql`${viewerCte(viewer)},
  reader as materialized (
    select v.user_id, v.session_id, v.pool, case v.kind when 'group' then exists (
        select 1 from participants ot where ot.session_id = v.session_id and ot.left_at is null and ot.user_id <> v.user_id) else 0 end as is_group,
      pj.id as project_id, pj.external_id as project, pj.owner_id as project_owner, coalesce(pj.own_memories, 0) as own_memories,
      coalesce(pj.owner_id <> v.user_id, 0) or exists (
        select 1 from project_members om where om.project_id = pj.id and om.user_id <> v.user_id) as is_shared,
      (select u.space_id from users u where u.id = v.user_id) as space_id,
      (select pe.id from persons pe where pe.user_id = v.user_id) as person_id,
      ${disclosesLegacy(viewer.tenantId)} as legacy
    from viewer v left join projects pj on pj.id = v.project_id where v.pool <> 'none'
  )`;
}

/** Whether others read what is written in the viewer's place. */
const OTHERS_READ: SQL = sql`(r.is_group or r.is_shared)`;

/** The default is closed; see `DEFAULT_SETTINGS`. Read in the statement itself, so that a change applies from the next read on. */
function disclosesLegacy(tenantId: number): SQL {
  return sql`coalesce((select st.data ->> 'legacyDisclosure' from settings st where st.tenant_id = ${tenantId}), 0)`;
}

/**
 * Whether the viewer may see the memory row `m`: `decideMemory` in SQL. It uses the row `r` of `readerCte`, so a statement that reads
 * memories has `reader r` in its `from` and this condition in its `where`. What nests deepest comes last, because SQLite allows a depth of 100.
 */
export function seesMemory(viewer: MemoryViewerRef, m: SQL): SQL {
  return sql`(${counts(viewer, m)} and ${isInReach(viewer, m)} and ${fitsProject(viewer, m)} and ${passesPrivacy(m)} and ${isValid(viewer, m)})`;
}

/** Tenant, status, workspace and scope. The plus keeps SQLite from choosing the tenant's index: rows are found by space, person or id. */
function counts(viewer: MemoryViewerRef, m: SQL): SQL {
  const { workspaceId, scopeType, scopeId } = viewer;
  const scoped =
    scopeType === null
      ? sql`true`
      : scopeType === "global"
        ? sql`(${m}.scope_type is null or ${m}.scope_type = 'global')`
        : sql`${m}.scope_type = ${scopeType}`;
  return sql`+${m}.tenant_id = ${viewer.tenantId} and ${m}.deleted_at is null and ${m}.status = 'approved'
    and (${m}.expires_at is null or ${m}.expires_at > ${viewer.now})
    and ${workspaceId === null ? sql`${m}.workspace_id = ''` : sql`${m}.workspace_id in ('', ${workspaceId})`}
    and ${scoped} and ${scopeId === null ? sql`true` : sql`${m}.scope_id = ${scopeId}`}
    and ${viewer.ownProjectOnly ? sql`(${m}.scope_type is not 'project' or ${isScopedHere(whereaboutsOf(m))})` : sql`true`}`;
}

/** Whether it holds now, or held at the time that the viewer asks about. */
function isValid(viewer: MemoryViewerRef, m: SQL): SQL {
  const { asOf } = viewer;
  if (asOf === "ever") return sql`true`;
  if (asOf === null) return sql`(${m}.superseded_by is null or ${stillHolds(viewer, m)})`;
  return sql`(${m}.valid_from <= ${asOf} and (${m}.valid_to is null or ${m}.valid_to > ${asOf} or ${stillHolds(viewer, m)}))`;
}

/** Memories that replaced each other one after the other, as far as they are followed. */
const MAX_SUCCESSORS = 20;

/**
 * Whether a superseded memory is current for the viewer all the same: it is not theirs, and they may see nothing of what replaced it. If all
 * of that was forgotten or has expired, it holds for nobody. Evaluated only for rows that are superseded.
 */
export function stillHolds(viewer: MemoryViewerRef, m: SQL): SQL {
  const nx = sql`nx`;
  return sql`(${m}.superseded_by is not null and ${m}.owner_id is not r.user_id and (
    with recursive successors (id, step) as (
      select ${m}.superseded_by, 1 union all
      select nw.superseded_by, sx.step + 1 from successors sx cross join memories nw on nw.id = sx.id
      where nw.superseded_by is not null and sx.step < ${MAX_SUCCESSORS})
    select count(*) > 0 and not coalesce(max(${maySee(nx)}), 0) from successors sy cross join memories nx on nx.id = sy.id
    where nx.tenant_id = ${viewer.tenantId} and nx.deleted_at is null and nx.status = 'approved'
      and (nx.expires_at is null or nx.expires_at > ${viewer.now})))`;
}

/** Whether some query of the viewer may return the row, by its privacy. */
function maySee(m: SQL): SQL {
  const isNear = sql`(coalesce(${m}.session_id = r.session_id, false) or coalesce(${m}.owner_id = r.user_id, false))`;
  return sql`((${isNear} or ${isShared(m)} or ${m}.portable = 1) and ${passesPrivacy(m)})`;
}

function isInReach(viewer: MemoryViewerRef, m: SQL): SQL {
  const inItsGroup = sql`${m}.session_id = r.session_id`;
  const own = sql`${m}.owner_id = r.user_id`;
  switch (viewer.reach) {
    case "session":
      return sql`(${inItsGroup} or (${own} and ${m}.learned_in = r.session_id))`;
    case "user":
      return sql`(${inItsGroup} or ${own})`;
    case "tenant":
      return sql`(${inItsGroup} or ${own} or ${isShared(m)} or ${crossesContext(viewer, m)})`;
  }
}

/** Where a memory, or an earlier version of one, is: its columns. */
type Whereabouts = Record<"ownerId" | "sessionId" | "learnedIn" | "scopeType" | "scopeId", SQL>;

function whereaboutsOf(m: SQL): Whereabouts {
  return {
    ownerId: sql`${m}.owner_id`,
    sessionId: sql`${m}.session_id`,
    learnedIn: sql`${m}.learned_in`,
    scopeType: sql`${m}.scope_type`,
    scopeId: sql`${m}.scope_id`,
  };
}

/** Whether its scope names the viewer's project. */
function isScopedHere({ scopeType, scopeId }: Whereabouts): SQL {
  return sql`(${scopeType} is 'project' and coalesce(${scopeId} = r.project, 0))`;
}

/** The project in which its session is now: the group's whose memory it is, else the one in which it was learned. */
function projectOf({ sessionId, learnedIn }: Whereabouts): SQL {
  return sql`(select hs.project_id from sessions hs where hs.id = coalesce(${sessionId}, ${learnedIn}))`;
}

/** In a group with outsiders only what is of that group is of the project. */
function isOfProject(at: Whereabouts): SQL {
  return sql`(case r.pool when 'project' then ${isScopedHere(at)} or (not ${isSharedAt(at)} and coalesce(${projectOf(at)} = r.project_id, 0))
    else r.project_id is not null and coalesce(r.session_id in (${at.sessionId}, ${at.learnedIn}), 0) end)`;
}

function isOfAnyProject(at: Whereabouts): SQL {
  return sql`(${at.scopeType} is 'project' or ${projectOf(at)} is not null)`;
}

/** A project is kept apart: `refusedByProject` in SQL. */
function fitsProject({ ownProjectOnly }: MemoryViewerRef, m: SQL): SQL {
  const at = whereaboutsOf(m);
  const isForThem = ownProjectOnly
    ? sql`false`
    : sql`(coalesce(${m}.session_id = r.session_id, 0) or (${m}.owner_id is r.user_id and not ${OTHERS_READ}))`;
  return sql`case when ${isShared(m)} then true when r.project_id is null then ${isForThem} or not ${isOfAnyProject(at)}
    else ${isOfProject(at)} or (r.own_memories and not ${isOfAnyProject(at)} and ${holdsOfViewer(m)}) end`;
}

/** Whether it lastingly holds of the viewer. */
function holdsOfViewer(m: SQL): SQL {
  const own = sql`${m}.owner_id is r.user_id`;
  return sql`case ${m}.type
    when 'identity' then ${isSubject(m)} or (${own} and not ${hasSubject(m)})
    when 'preference' then ${isSubject(m)} or (${own} and not ${hasSubject(m)})
    when 'relationship' then ${isSubject(m)} or ${own}
    when 'procedural' then ${own} and ${saidIt(m)}
    else false end`;
}

function isShared(m: SQL): SQL {
  return isSharedAt(whereaboutsOf(m));
}

function isSharedAt({ ownerId, sessionId }: Whereabouts): SQL {
  return sql`(${ownerId} is null and ${sessionId} is null)`;
}

function crossesContext(viewer: MemoryViewerRef, m: SQL): SQL {
  return sql`(${m}.portable = 1 and ${isAskedAbout(viewer, m)})`;
}

function isAskedAbout({ about, exceptOwner }: MemoryViewerRef, m: SQL): SQL {
  if (about === null) return sql`false`;
  // A group's memory has no owner, and there may be no owner to leave out: neither excludes a row.
  const others = exceptOwner === null ? sql`true` : sql`coalesce(${m}.owner_id <> ${exceptOwner}, true)`;
  const asked =
    about === "anyone"
      ? hasSubject(m)
      : sql`exists (select 1 from memory_subjects sa where sa.memory_id = ${m}.id and sa.person_id in (${about}))`;
  return sql`(${others} and ${asked})`;
}

function passesPrivacy(m: SQL): SQL {
  const own = sql`${m}.owner_id is r.user_id`;
  const amongReaders = sql`(coalesce(${m}.session_id = r.session_id, 0) or ${learnedAmongReaders(sql`${m}.learned_in`)})`;
  return sql`case when ${OTHERS_READ} then
      case when ${amongReaders} then ${m}.sensitivity is null or ${subjectTakesPart(m)}
      else ${m}.sensitivity is not 'sensitive' and (${m}.portable = 1 or not ${own})
        and (${m}.sensitivity is null or (${subjectTakesPart(m)} and (${own} or ${isSubject(m)})))
        and ${isDisclosed(m)}
      end
    else
      case ${m}.sensitivity when 'personal' then ${own} or ${isSubject(m)} when 'sensitive' then (${own} and not ${hasSubject(m)}) or ${isSubject(m)} else true end
      and ${isDisclosed(m)}
    end`;
}

/** Whether everybody who reads what is written here may read what was said where it was learned. */
function learnedAmongReaders(learnedIn: SQL): SQL {
  return sql`(case when r.pool = 'project' and r.is_group = 0
    then exists (select 1 from sessions la where la.id = ${learnedIn} and la.project_id = r.project_id)
    else coalesce(${learnedIn} = r.session_id, 0) end)`;
}

/** The relation of where something was learned to where the reader `r` is. */
export function placeColumns(at: Whereabouts) {
  return {
    learnedHere: flag(sql`coalesce(${at.learnedIn} = r.session_id, 0)`),
    learnedAmongReaders: flag(learnedAmongReaders(at.learnedIn)),
    isOfProject: flag(isOfProject(at)),
    isOfOtherProject: flag(sql`(not ${isSharedAt(at)} and not ${isOfProject(at)} and ${isOfAnyProject(at)})`),
  };
}

/** A memory about others is disclosed only to users who know it already, unless the tenant published it. */
function isDisclosed(m: SQL): SQL {
  return sql`(${isShared(m)} or ${saidIt(m)} or not ${hasSubject(m)} or ${isSubject(m)} or (${m}.learned_in is null and r.legacy = 1) or ${wasPresent(m)})`;
}

function hasSubject(m: SQL): SQL {
  return sql`exists (select 1 from memory_subjects sb where sb.memory_id = ${m}.id)`;
}

function isSubject(m: SQL): SQL {
  return sql`exists (select 1 from memory_subjects sc where sc.memory_id = ${m}.id and sc.person_id = r.person_id)`;
}

/** Whether the viewer stated it, as any person that was merged into theirs. */
function saidIt(m: SQL): SQL {
  return sql`exists (select 1 from persons se where se.id = ${m}.stated_by and coalesce(se.merged_into, se.id) = r.person_id)`;
}

function subjectTakesPart(m: SQL): SQL {
  return sql`exists (
    select 1 from memory_subjects sd cross join persons pd on pd.id = sd.person_id
    where sd.memory_id = ${m}.id and ${readsWith(sql`pd.user_id`)})`;
}

/** Several participants of a group are those who talk; elsewhere everybody takes part who may read what is written. */
export function readsWith(userId: SQL): SQL {
  return sql`case r.is_group
    when 1 then exists (select 1 from participants qd where qd.user_id = ${userId} and qd.session_id = r.session_id and qd.left_at is null)
    else ${userId} in (r.user_id, r.project_owner) or exists (
      select 1 from project_members qm where qm.project_id = r.project_id and qm.user_id = ${userId}) end`;
}

/**
 * Whether the viewer took part in the session when the memory was learned: as the owner of a private session, or a participant of a group
 * at that time.
 */
function wasPresent(m: SQL): SQL {
  return sql`exists (
    select 1 from sessions le where le.id = ${m}.learned_in and case le.kind
      when 'private' then le.owner_id = r.user_id
      else exists (
        select 1 from participants lp where lp.session_id = le.id and lp.user_id = r.user_id
          and lp.joined_at <= ${m}.learned_at and (lp.left_at is null or lp.left_at > ${m}.learned_at))
    end)`;
}

/** What of a place the database says. */
type PlaceColumn = Exclude<keyof MemoryPlace, "reach" | "ownProjectOnly">;

/** The columns with which `decideRelation` is evaluated again: the relation of the row `m` to the reader `r`. */
export function relationColumns(viewer: MemoryViewerRef, m: SQL) {
  return {
    isGroup: flag(sql`r.is_group`),
    othersRead: flag(OTHERS_READ),
    isInProject: flag(sql`r.project_id is not null`),
    takesOwnMemories: flag(sql`r.own_memories`),
    legacyDisclosure: flag(sql`r.legacy`),
    isOwner: flag(sql`${m}.owner_id is r.user_id`),
    inItsGroup: flag(sql`coalesce(${m}.session_id = r.session_id, 0)`),
    isShared: flag(isShared(m)),
    ...placeColumns(whereaboutsOf(m)),
    hasSubject: flag(hasSubject(m)),
    isSubject: flag(isSubject(m)),
    subjectTakesPart: flag(sql`${OTHERS_READ} and ${subjectTakesPart(m)}`),
    isAskedAbout: flag(isAskedAbout(viewer, m)),
    hasStated: flag(saidIt(m)),
    wasPresent: flag(wasPresent(m)),
    hasRecordedSession: flag(sql`${m}.learned_in is not null`),
  } satisfies { [K in keyof MemoryRelation | "isGroup" | PlaceColumn]: Column<boolean> };
}

/** The spaces of a viewer's own memories, each as a scalar subquery: their group's, their own, and the tenant's. Some may be null. */
export function memorySpaces(viewer: MemoryViewerRef): SQL[] {
  return [
    ...(viewer.sessionExternalId === null
      ? []
      : [sql`(select ms.space_id from reader rg cross join sessions ms on ms.id = rg.session_id and ms.kind = 'group')`]),
    sql`(select ro.space_id from reader ro)`,
    ...(viewer.reach === "tenant"
      ? [sql`(select ts.id from reader rt cross join spaces ts on ts.public_id = ${tenantSpaceId(viewer.tenantId)})`]
      : []),
  ];
}

/** The viewer's own spaces as an FTS5 expression for the column `space`, from `reader`. */
export function ownTokens(viewer: MemoryViewerRef): SQL {
  const spaces = sql.join(
    memorySpaces(viewer).map((space) => sql`select ${space} as sid`),
    sql` union all `,
  );
  return sql`(select coalesce(group_concat('"s' || sid || '"', ' OR '), '"none"') from (${spaces}) where sid is not null)`;
}

/** The public id of the tenant's one space for shared memories. */
export function tenantSpaceId(tenantId: number): string {
  return `spa_tenant_${tenantId}`;
}
