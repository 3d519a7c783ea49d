import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toMillis } from "#core/fields";
import { mayEnter } from "#domain/visibility";
import { MEMORY_TYPES, typesOf } from "./defaults.ts";
import type { MemoryListInput } from "./schemas.ts";

/** The person with that id, or its survivor after a merge. */
export function personOf(tenantId: number, publicId: string): SQL {
  return sql`select coalesce(pq.merged_into, pq.id) as person_id from persons pq where pq.public_id = ${publicId} and pq.tenant_id = ${tenantId}`;
}

/**
 * The filters of a list, as a condition on the memory row `m` for the user of the row `r`. A filter must not disclose what a view leaves
 * out: keys match only where `marks` holds, sessions only where the user may enter them.
 */
export function filtersOf(ctx: Ctx, input: MemoryListInput, marks: SQL = sql`true`): SQL {
  const ofClass = input.class?.flatMap(typesOf);
  const types = MEMORY_TYPES.filter((type) => (input.type ?? [type]).includes(type) && (ofClass ?? [type]).includes(type));
  return all([
    input.type === undefined && input.class === undefined ? null : sql`m.type in (${listOf(types)})`,
    when(input.ownership, (ownership) => sql`m.ownership in (${listOf(ownership)})`),
    when(
      input.ownerId,
      (owner) => sql`m.owner_id = r.user_id
        and r.user_id = (select ou.id from users ou where ou.tenant_id = ${ctx.tenantId} and ou.external_id = ${owner})`,
    ),
    input.others === true ? sql`m.owner_id is not r.user_id` : null,
    when(input.key, (key) => sql`m.key = ${key} and ${marks}`),
    when(
      input.learnedIn,
      (session) => sql`m.learned_in = (
        select lf.id from sessions lf cross join users lu on lu.id = r.user_id
        where lf.tenant_id = ${ctx.tenantId} and lf.external_id = ${session} and ${mayEnter(sql`lu`, sql`lf`)})`,
    ),
    when(input.from, (from) => sql`m.created_at >= ${toMillis(from)}`),
    when(input.to, (to) => sql`m.created_at < ${toMillis(to)}`),
  ]);
}

function when<T>(value: T | undefined, condition: (value: T) => SQL): SQL | null {
  return value === undefined ? null : condition(value);
}

function all(conditions: readonly (SQL | null)[]): SQL {
  const asked = conditions.filter((condition) => condition !== null);
  return asked.length === 0 ? sql`true` : sql.join(asked, sql` and `);
}

/**
 * Whether the memory row `m` belongs to the reader, their group, or the tenant. Memories from elsewhere are shown without key, metadata and
 * notes.
 */
export const KEEPS_MARKS: SQL = sql`(m.owner_id = r.user_id or m.session_id = r.session_id or m.ownership = 'shared')`;

/** Constants of ours, written as literals so that a list takes no parameters. */
function listOf(words: readonly string[]): SQL {
  return words.length === 0 ? sql`null` : sql.raw(words.map((word) => `'${word}'`).join(", "));
}

/** Workspace, scope and person for reads without a viewer: exact matches only. */
export function placeOf(ctx: Ctx, { workspaceId, scopeType, scopeId, person }: MemoryListInput): SQL {
  const isAbout = (id: string) =>
    sql`exists (select 1 from memory_subjects fp where fp.memory_id = m.id and fp.person_id in (${personOf(ctx.tenantId, id)}))`;
  return all([
    when(workspaceId, (workspace) => sql`m.workspace_id = ${workspace}`),
    when(scopeType, (type) => sql`coalesce(m.scope_type, 'global') = ${type}`),
    when(scopeId, (id) => sql`m.scope_id = ${id}`),
    when(person, isAbout),
  ]);
}

/**
 * Memories by others about a person: only the newest are read. Nearly all of them are hidden from a viewer, so the bound is on the rows
 * read, not on the rows found.
 */
export const MAX_FROM_OTHERS = 300;

/** Persons, given as the body of a subquery with the column `person_id`, as an FTS5 expression: by all ids that they ever had. */
export function personTokens(persons: SQL): SQL {
  return sql`(
    select coalesce(group_concat('"p' || pid || '"', ' OR '), '"none"') from (
      select person_id as pid from (${persons})
      union select pm.id from persons pm where pm.merged_into in (select person_id from (${persons}))))`;
}

/** Rows in the viewer's own spaces: all of them, or those about these persons. */
export function ownSpace(own: SQL, persons: SQL | null): SQL {
  return persons === null ? sql`'space : (' || ${own} || ')'` : sql`'space : ((' || ${persons} || ') AND (' || ${own} || '))'`;
}

/** Rows about these persons in any other space. */
export function spaceOfOthers(own: SQL, persons: SQL): SQL {
  return sql`'space : ((' || ${persons} || ') NOT (' || ${own} || '))'`;
}
