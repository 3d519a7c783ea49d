import { type SQL, sql } from "drizzle-orm";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import { isUserErasure, listOf, type Scope } from "./scope.ts";

/** Written as a literal, because D1 binds a number as a real, which divides without rounding. */
const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

/** Whether an episode's id belongs to one of the sessions. */
export function inSessions(episodeId: SQL, sessions: readonly number[]): SQL {
  return sql`(cast(${episodeId} as integer) / ${PER_SESSION}) in ${listOf(sessions)}`;
}

/** `episodes e` of these sessions: a range of the primary key for each. */
export function episodesOf(sessions: readonly number[]): SQL {
  return sql`json_each(${JSON.stringify(sessions)}) es
    cross join episodes e on e.id >= es.value * ${PER_SESSION} and e.id < (es.value + 1) * ${PER_SESSION}`;
}

/** Whether the user sent the episode `e`, or is named in it as a speaker. */
export function isTouched(user: number): SQL {
  return sql`(e.sent_by = ${user} or exists (select 1 from json_each(e.messages) em where em.value ->> 'userId' = ${user}))`;
}

/** Internal ids of the episodes that go whole, and, of a user, of those of groups in which they spoke. */
export function touchedEpisodes(scope: Scope): SQL {
  const whole = sql`select e.id as id from ${episodesOf(scope.sessions)} where e.tenant_id = ${scope.tenantId}`;
  if (!isUserErasure(scope)) return whole;
  return sql`${whole} union
    select e.id from ${episodesOf(scope.groups)} where e.tenant_id = ${scope.tenantId} and ${isTouched(scope.id)}`;
}

/** Internal ids of the memories that go: two indexes find those of a space, because one leaves out forgotten ones. */
export function erasedMemories(scope: Scope): SQL {
  const spaces = listOf(scope.spaces);
  return sql`
    select m.id as id from memories m where m.space_id in ${spaces} and m.deleted_at is null and m.tenant_id = ${scope.tenantId}
    union select m.id from memories m where m.deleted_at is not null and m.space_id in ${spaces} and m.tenant_id = ${scope.tenantId}
    union select m.id from json_each(${JSON.stringify(scope.memories)}) lm cross join memories m on m.id = lm.value
      where m.tenant_id = ${scope.tenantId}`;
}

/** Internal ids of the persons that a user's erasure removes: their own, those merged into it, and those that they made. */
export function erasedPersons(scope: Scope): SQL {
  return sql`
    select p.id as id from json_each(${JSON.stringify(scope.persons)}) lp cross join persons p on p.id = lp.value
      where p.tenant_id = ${scope.tenantId}
    union select p.id from persons p where p.created_by = ${scope.id} and p.tenant_id = ${scope.tenantId}`;
}

/**
 * Conditions on the text of `value`, an id in a record of the tenant's: whether it names something that goes. Ids of Edgewise's own, and the
 * app's ids of users, sessions, projects and sources.
 */
export function namesErased(scope: Scope, value: SQL): SQL {
  const { tenantId } = scope;
  const own = (table: string, where: SQL) =>
    sql`exists (select 1 from ${sql.identifier(table)} o where o.public_id = ${value} and o.tenant_id = ${tenantId} and ${where})`;
  const app = (table: string, ids: readonly number[]) => sql`exists (
    select 1 from ${sql.identifier(table)} o where o.tenant_id = ${tenantId} and o.external_id = ${value} and o.id in ${listOf(ids)})`;
  const users = isUserErasure(scope) ? [scope.id] : [];
  return sql`(case substr(${value}, 1, 4)
    when 'epi_' then ${own("episodes", sql`o.id in (${touchedEpisodes(scope)})`)}
    when 'mem_' then ${own("memories", sql`o.id in (${erasedMemories(scope)})`)}
    when 'per_' then ${own("persons", isUserErasure(scope) ? sql`o.id in (${erasedPersons(scope)})` : sql`false`)}
    when 'ses_' then ${own("sessions", sql`o.id in ${listOf(scope.sessions)}`)}
    when 'prj_' then ${own("projects", sql`o.id in ${listOf(scope.projects)}`)}
    when 'src_' then ${own("sources", sql`o.id in ${listOf(scope.sources)}`)}
    when 'fil_' then ${own("files", sql`o.source_id in ${listOf(scope.sources)}`)}
    when 'ent_' then ${own("entities", sql`o.project_id in ${listOf(scope.projects)}`)}
    when 'usr_' then ${value} = ${scope.publicId}
    else false end
    or ${app("users", users)} or ${app("sessions", scope.sessions)} or ${app("projects", scope.projects)} or ${app("sources", scope.sources)})`;
}
