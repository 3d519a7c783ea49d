import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, read, readRows, select } from "#db/client";
import { flag, integer, nullable, row, text } from "#db/row";
import { SUMMARY_KEY, SUMMARY_SOURCE } from "#db/schema/memories";
import { tenantSpaceId } from "#domain/visibility";
import type { AboutOthers } from "./progress.ts";
import { episodesOf } from "./rows.ts";
import { isUserErasure, listOf, type Scope } from "./scope.ts";

/** Memories outside of the spaces that go which one round takes; the next takes the others. */
const MEMORIES_A_ROUND = 20_000;

const ID = row({ id: integer(sql`w.id`) });
const SPACED = row({ id: integer(sql`w.id`), space: integer(sql`w.space`) });

type Found = Pick<Scope, "kind" | "tenantId" | "id" | "publicId"> & { space: number | null };

/**
 * What the subject consists of now. `known` is what earlier rounds found, which stays in it. Memories of others about the user are among those
 * that go if the caller chose so.
 */
export async function surveyScope(
  ctx: Ctx<"db">,
  subject: Found,
  { known, aboutOthers }: { known: Scope | null; aboutOthers: AboutOthers },
): Promise<Scope> {
  // After the first round the user's row may be gone; its space is known.
  const homes = union(known?.spaces, subject.space === null || subject.kind !== "user" ? [] : [subject.space]);
  const places = await findPlaces(ctx, { ...subject, homes, known: known?.groups ?? [] });
  const spaces = [
    ...homes,
    ...places.projects.map(({ space }) => space),
    ...places.sessions.flatMap(({ space, isGroup }) => (isGroup ? [space] : [])),
  ];
  const base: Scope = {
    ...{ kind: subject.kind, tenantId: subject.tenantId, id: subject.id, publicId: subject.publicId },
    spaces: union(known?.spaces, spaces),
    sessions: union(
      known?.sessions,
      places.sessions.map(({ id }) => id),
    ),
    groups: union(
      known?.groups,
      places.groups.map(({ id }) => id),
    ),
    projects: union(
      known?.projects,
      places.projects.map(({ id }) => id),
    ),
    sources: union(
      known?.sources,
      places.sources.map(({ id }) => id),
    ),
    persons: union(
      known?.persons,
      places.persons.map(({ id }) => id),
    ),
    memories: known?.memories ?? [],
    others: [],
    near: union(known?.near, [
      ...places.groups.map(({ space }) => space),
      ...places.sessions.map(({ space }) => space),
      ...places.sources.map(({ space }) => space),
    ]),
  };
  const { elsewhere, about } = await read(ctx, {
    elsewhere: memoriesElsewhere(base),
    about: isUserErasure(base) ? memoriesAbout(base) : null,
  });
  const going = aboutOthers === "erase" ? [...elsewhere, ...about] : elsewhere;
  return {
    ...base,
    memories: union(
      base.memories,
      going.map(({ id }) => id),
    ),
    near: union(
      base.near,
      going.map(({ space }) => space),
    ),
    others: about.map(({ id }) => id),
  };
}

function union(known: readonly number[] = [], found: readonly number[]): number[] {
  return [...new Set([...known, ...found])];
}

const SESSION = row({ id: integer(sql`w.id`), space: integer(sql`w.space`), isGroup: flag(sql`w.kind = 'group'`) });

/**
 * Sessions, groups, projects, sources and persons of the subject. Of groups that earlier rounds knew, one goes whole in which nobody takes
 * part any more: the others may have been erased meanwhile.
 */
async function findPlaces(
  ctx: Ctx<"db">,
  { kind, tenantId, id, homes, known }: Found & { homes: readonly number[]; known: readonly number[] },
) {
  const user = sql.raw(String(id));
  const projects = sql`select p.id, p.space_id as space from projects p where p.tenant_id = ${tenantId}
    and ${kind === "user" ? sql`p.owner_id = ${user}` : kind === "project" ? sql`p.id = ${user}` : sql`false`}`;
  const sources =
    kind === "source"
      ? sql`select x.id, x.space_id as space from sources x where x.tenant_id = ${tenantId} and x.id = ${user}`
      : sql`select x.id, x.space_id as space from (${projects}) pr cross join sources x
          on x.tenant_id = ${tenantId} and x.project_id = pr.id`;
  const ofGroups = sql`from sessions s where s.tenant_id = ${tenantId} and s.kind = 'group'
    and (s.owner_id = ${user} or s.id in ${listOf(known)} or exists (select 1 from participants p where p.session_id = s.id and p.user_id = ${user}))`;
  const othersStay = sql`exists (select 1 from participants o where o.session_id = s.id and o.user_id <> ${user} and o.left_at is null)`;
  const sessions: SQL | null =
    kind === "session"
      ? sql`select s.id, s.space_id as space, s.kind from sessions s where s.tenant_id = ${tenantId} and s.id = ${user}`
      : kind === "user"
        ? sql`select s.id, s.space_id as space, s.kind from sessions s
              where s.space_id in ${listOf(homes)} and s.tenant_id = ${tenantId} and s.kind = 'private' and s.owner_id = ${user}
            union all select s.id, s.space_id, s.kind ${ofGroups} and not ${othersStay}`
        : null;
  return await read(ctx, {
    projects: select(SPACED)`from (${projects}) w`,
    sources: select(SPACED)`from (${sources}) w`,
    sessions: sessions === null ? null : select(SESSION)`from (${sessions}) w`,
    groups: kind === "user" ? select(SPACED)`from (select s.id, s.space_id as space ${ofGroups} and ${othersStay}) w` : null,
    persons:
      kind === "user"
        ? select(ID)`from (
            select p.id from persons p where p.user_id = ${user} and p.tenant_id = ${tenantId}
            union select pm.id from persons p cross join persons pm on pm.merged_into = p.id
              where p.user_id = ${user} and p.tenant_id = ${tenantId}) w`
        : null,
  });
}

/** The tenant's memories `m`, found by its spaces, because no index finds them by tenant; forgotten ones by another index. */
function memoriesOfTenant(tenantId: number, which: SQL): SQL {
  return sql`select m.id, m.space_id as space from (
      select u.space_id from users u where u.tenant_id = ${tenantId}
      union select s.space_id from sessions s where s.tenant_id = ${tenantId} and s.kind = 'group'
      union select t.id from spaces t where t.public_id = ${tenantSpaceId(tenantId)}) h
      cross join memories m on m.space_id = h.space_id and m.deleted_at is null and m.tenant_id = ${tenantId} and ${which}
    union select m.id, m.space_id from memories m where m.deleted_at is not null and m.tenant_id = ${tenantId} and ${which}`;
}

const isSummaryKey = sql`substr(m.key, 1, ${SUMMARY_KEY.length}) = ${SUMMARY_KEY}`;

/** Memories in spaces that stay: learned in a session that goes, stated by the user for others, or summaries of what goes or was the user's. */
function memoriesElsewhere(scope: Scope): Query<{ id: number; space: number }> | null {
  if (scope.sessions.length === 0 && scope.persons.length === 0) return null;
  const learned = sql`m.learned_in in ${listOf(scope.sessions)}`;
  const stated = sql`(m.ownership <> 'personal' and m.stated_by in ${listOf(scope.persons)})`;
  // Of a group: its summaries have whoever spoke as subjects, and outlive the episodes that retention took. Metadata is the app's too.
  const summary = sql`(m.ownership = 'group' and m.metadata ->> 'source' = ${SUMMARY_SOURCE} and ${isSummaryKey} and exists (
    select 1 from memory_subjects ss where ss.memory_id = m.id and ss.person_id in ${listOf(scope.persons)}))`;
  return select(SPACED)`from (
      ${memoriesOfTenant(scope.tenantId, sql`(${learned} or ${stated} or ${summary})`)}
      union select m.id, m.space_id from ${episodesOf(scope.sessions)} cross join memories m on m.id = e.summary_id
        where e.tenant_id = ${scope.tenantId} and m.tenant_id = ${scope.tenantId}) w
    where w.space not in ${listOf(scope.spaces)} limit ${MEMORIES_A_ROUND}`;
}

/** Memories of others that are about the user, or say that the user stated them. */
function memoriesAbout(scope: Scope): Query<{ id: number; space: number }> {
  const isAnothers = sql`m.space_id not in ${listOf(scope.spaces)}`;
  return select(SPACED)`from (
      ${memoriesOfTenant(scope.tenantId, sql`m.ownership = 'personal' and m.owner_id <> ${scope.id} and m.stated_by in ${listOf(scope.persons)}`)}
      union select m.id, m.space_id from json_each(${JSON.stringify(scope.persons)}) lp
        cross join memory_subjects su on su.person_id = lp.value cross join memories m on m.id = su.memory_id
        where m.tenant_id = ${scope.tenantId} and ${isAnothers}
          and not (m.ownership <> 'personal' and coalesce(m.stated_by, 0) in ${listOf(scope.persons)})) w
    limit ${MEMORIES_A_ROUND}`;
}

/** Whether a chat model has read any episode that goes. */
export async function wasReadByModel(ctx: Ctx<"db">, scope: Scope): Promise<boolean> {
  const sessions = [...scope.sessions, ...scope.groups];
  const shape = row({
    wasRead: flag(sql`exists (
    select 1 from ${episodesOf(sessions)} where e.tenant_id = ${scope.tenantId} and e.extracted = 'model')`),
  });
  const [found] = await readRows(ctx, select(shape)`from (select 1)`);
  return found?.wasRead === true;
}

const SUBJECT = row({
  id: integer(sql`w.id`),
  publicId: text(sql`w.public_id`),
  space: nullable(integer(sql`w.space`)),
  ownerId: nullable(integer(sql`w.owner_id`)),
});

export type SubjectRow = { id: number; publicId: string; space: number | null; ownerId: number | null };

const TABLE_OF = {
  user: sql`(select id, public_id, tenant_id, external_id, space_id as space, id as owner_id from users)`,
  session: sql`(select id, public_id, tenant_id, external_id, space_id as space, owner_id from sessions)`,
  project: sql`(select id, public_id, tenant_id, external_id, space_id as space, owner_id from projects)`,
  source: sql`(select s.id, s.public_id, s.tenant_id, s.external_id, s.space_id as space, coalesce(p.owner_id, s.created_by) as owner_id
    from sources s left join projects p on p.id = s.project_id)`,
} as const;

/** What an id of the app names, whoever asks. */
export function findSubject(ctx: Ctx, kind: Scope["kind"], externalId: string): Query<SubjectRow> {
  return select(SUBJECT)`from ${TABLE_OF[kind]} w where w.tenant_id = ${ctx.tenantId} and w.external_id = ${externalId}`;
}
