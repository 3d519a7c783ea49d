import { type SQL, sql } from "drizzle-orm";
import { type Column, flag } from "#db/row";
import type { MemoryRelation, Reach } from "./memory-rule.ts";
import { viewerCte } from "./predicate.ts";
import type { ViewerRef } from "./rule.ts";

/** A viewer of memories as a request names it. */
export type MemoryViewerRef = ViewerRef & {
  workspaceId: string | null;
  scopeType: string | null;
  scopeId: string | null;
  /** Whether of memories with the scope `project` only those of the viewer's own project count. */
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
 * group session with others (`is_group`), the tenant's setting, and the project's name if it matters. At most one row.
 */
export function readerCte(viewer: MemoryViewerRef): SQL {
  return sql`${viewerCte(viewer)},
  reader as materialized (
    select v.user_id, v.session_id, v.pool, case v.kind when 'group' then exists (
        select 1 from participants ot where ot.session_id = v.session_id and ot.left_at is null and ot.user_id <> v.user_id) else 0 end as is_group,
      (select u.space_id from users u where u.id = v.user_id) as space_id,
      (select pe.id from persons pe where pe.user_id = v.user_id) as person_id,
      ${disclosesLegacy(viewer.tenantId)} as legacy,
      ${viewer.ownProjectOnly ? sql`(select pj.external_id from projects pj where pj.id = v.project_id)` : sql`null`} as project
    from viewer v where v.pool <> 'none'
  )`;
}

/** The default is closed; see `DEFAULT_SETTINGS`. Read in the statement itself, so that a change applies from the next read on. */
function disclosesLegacy(tenantId: number): SQL {
  return sql`coalesce((select st.data ->> 'legacyDisclosure' from settings st where st.tenant_id = ${tenantId}), 0)`;
}

/**
 * Whether the viewer may see the memory row `m`: `decideMemory` in SQL. It uses the row `r` of `readerCte`, so a statement that reads
 * memories has `reader r` in its `from` and this condition in its `where`.
 */
export function seesMemory(viewer: MemoryViewerRef, m: SQL): SQL {
  return sql`(${counts(viewer, m)} and ${isInReach(viewer, m)} and ${passesPrivacy(m)})`;
}

/**
 * Tenant, status, time, workspace, scope and project. The plus keeps SQLite from choosing the tenant's index: rows are found by space,
 * person or id.
 */
function counts(viewer: MemoryViewerRef, m: SQL): SQL {
  const { asOf, workspaceId, scopeType, scopeId } = viewer;
  const valid =
    asOf === null
      ? sql`(${m}.superseded_by is null or ${stillHolds(viewer, m)})`
      : asOf === "ever"
        ? sql`true`
        : sql`${m}.valid_from <= ${asOf} and (${m}.valid_to is null or ${m}.valid_to > ${asOf} or ${stillHolds(viewer, m)})`;
  const scoped =
    scopeType === null
      ? sql`true`
      : scopeType === "global"
        ? sql`(${m}.scope_type is null or ${m}.scope_type = 'global')`
        : sql`${m}.scope_type = ${scopeType}`;
  return sql`+${m}.tenant_id = ${viewer.tenantId} and ${m}.deleted_at is null and ${m}.status = 'approved'
    and (${m}.expires_at is null or ${m}.expires_at > ${viewer.now}) and ${valid}
    and ${workspaceId === null ? sql`${m}.workspace_id = ''` : sql`${m}.workspace_id in ('', ${workspaceId})`}
    and ${scoped} and ${scopeId === null ? sql`true` : sql`${m}.scope_id = ${scopeId}`}
    and ${viewer.ownProjectOnly ? sql`(${m}.scope_type is not 'project' or coalesce(${m}.scope_id = r.project, false))` : sql`true`}`;
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

function isShared(m: SQL): SQL {
  return sql`(${m}.owner_id is null and ${m}.session_id is null)`;
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
  const ofThisGroup = sql`(${m}.session_id is r.session_id or ${m}.learned_in is r.session_id)`;
  return sql`case r.is_group
    when 1 then
      case when ${ofThisGroup} then ${m}.sensitivity is null or ${subjectTakesPart(m)}
      else ${m}.sensitivity is not 'sensitive' and (${m}.portable = 1 or not ${own})
        and (${m}.sensitivity is null or (${subjectTakesPart(m)} and (${own} or ${isSubject(m)})))
        and ${isDisclosed(m)}
      end
    else
      case ${m}.sensitivity when 'personal' then ${own} or ${isSubject(m)} when 'sensitive' then (${own} and not ${hasSubject(m)}) or ${isSubject(m)} else true end
      and ${isDisclosed(m)}
    end`;
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
    cross join participants qd on qd.user_id = pd.user_id and qd.session_id = r.session_id and qd.left_at is null
    where sd.memory_id = ${m}.id)`;
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

/** The columns with which `decideRelation` is evaluated again: the relation of the row `m` to the reader `r`. */
export function relationColumns(viewer: MemoryViewerRef, m: SQL) {
  return {
    isGroup: flag(sql`r.is_group`),
    legacyDisclosure: flag(sql`r.legacy`),
    isOwner: flag(sql`${m}.owner_id is r.user_id`),
    inItsGroup: flag(sql`coalesce(${m}.session_id = r.session_id, 0)`),
    isShared: flag(isShared(m)),
    learnedHere: flag(sql`coalesce(${m}.learned_in = r.session_id, 0)`),
    hasSubject: flag(hasSubject(m)),
    isSubject: flag(isSubject(m)),
    subjectTakesPart: flag(sql`r.is_group and ${subjectTakesPart(m)}`),
    isAskedAbout: flag(isAskedAbout(viewer, m)),
    hasStated: flag(saidIt(m)),
    wasPresent: flag(wasPresent(m)),
    hasRecordedSession: flag(sql`${m}.learned_in is not null`),
  } satisfies { [K in keyof MemoryRelation | "isGroup" | "legacyDisclosure"]: Column<boolean> };
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
