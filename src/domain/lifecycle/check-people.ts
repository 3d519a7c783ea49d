import { sql } from "drizzle-orm";
import { nameKey } from "#core/text/normalize";
import { rowOfCursor } from "./cursor.ts";
import type { CheckResult, Finding } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";
import { nameOfUser } from "./walk-spaces.ts";

const ROWS_A_STEP = 300;

type UserRow = {
  id: number;
  externalId: string;
  name: string | null;
  own: number;
  personId: number | null;
  personName: string | null;
  sound: number;
  hasSpace: number;
};

/** The tenant's users, by the app's id. */
export async function checkUsers(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const rows = await ctx.db.all<UserRow>(sql`
    select u.id as id, u.external_id as externalId, u.name as name,
      (select count(*) from persons pe where pe.user_id = u.id) as own,
      (select pe.id from persons pe where pe.user_id = u.id) as personId, (select pe.name from persons pe where pe.user_id = u.id) as personName,
      (select count(*) from persons pe where pe.user_id = u.id and pe.tenant_id = u.tenant_id and pe.merged_into is null) as sound,
      exists (select 1 from spaces sp where sp.id = u.space_id and sp.tenant_id = u.tenant_id and sp.kind = 'user') as hasSpace
    from users u where u.tenant_id = ${ctx.tenantId} and u.external_id > ${nameOfUser(ctx.tenantId, rowOfCursor(cursor))} order by u.external_id limit ${ROWS_A_STEP}`);
  const nameless = await findNameless(ctx, rows);
  const isSound = (row: UserRow) => row.own === 1 && row.sound === 1 && row.hasSpace === 1 && !nameless.has(row.personId);
  const { hits, next } = cut(rows, limit, (row) => !isSound(row));
  return {
    checked: { "user.person": rows.length, "user.space": rows.length, "user.names": rows.length },
    findings: hits.flatMap((row) => [...userFindings(row), ...nameFindings(row, nameless.get(row.personId))]),
    next: next === null ? null : String(next.id),
  };
}

function userFindings({ id, externalId, name, own, sound, hasSpace }: UserRow): Finding[] {
  const names = [externalId, ...(name === null ? [] : [name])];
  const person: Finding[] =
    own === 1 && sound === 1
      ? []
      : [{ invariant: "user.person", example: externalId, repair: own === 0 ? { kind: "user.person", id, names } : null }];
  return hasSpace === 1 ? person : [...person, { invariant: "user.space", example: externalId, repair: null }];
}

/** The keys of names that a user's own person should be found by and is not, by the person's id. */
async function findNameless(ctx: UpkeepCtx, rows: readonly UserRow[]): Promise<Map<number | null, string[]>> {
  const due = rows.flatMap(({ personId, externalId, personName }) =>
    personId === null
      ? []
      : [...new Set([externalId, personName ?? ""].map(nameKey))].filter(Boolean).map((key) => [personId, key]),
  );
  const missing = await ctx.db.all<{ person: number; key: string }>(sql`
    select j.value ->> 0 as person, j.value ->> 1 as key from json_each(${JSON.stringify(due)}) j
    where not exists (
      select 1 from person_names n
      where n.tenant_id = ${ctx.tenantId} and n.name_key = j.value ->> 1 and n.person_id = j.value ->> 0)`);
  const byPerson = new Map<number | null, string[]>();
  for (const { person, key } of missing) byPerson.set(person, [...(byPerson.get(person) ?? []), key]);
  return byPerson;
}

function nameFindings({ externalId, personId, own }: UserRow, keys: readonly string[] | undefined): Finding[] {
  if (keys === undefined || personId === null || own !== 1) return [];
  return [{ invariant: "user.names", example: externalId, repair: { kind: "user.names", id: personId, keys } }];
}

type ProjectRow = { id: number; externalId: string; ownerIsKnown: number; hasStrangers: number };

/** The tenant's projects by the app's id, each with its owner and its members. */
export async function checkProjects(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const rows = await ctx.db.all<ProjectRow>(sql`
    select p.id as id, p.external_id as externalId,
      exists (select 1 from users u where u.id = p.owner_id and u.tenant_id = p.tenant_id) as ownerIsKnown,
      exists (
        select 1 from project_members pm left join users u on u.id = pm.user_id
        where pm.project_id = p.id and u.tenant_id is not p.tenant_id) as hasStrangers
    from projects p where p.tenant_id = ${ctx.tenantId} and p.external_id > coalesce((
      select c.external_id from projects c where c.id = ${rowOfCursor(cursor)} and c.tenant_id = p.tenant_id), '')
    order by p.external_id limit ${ROWS_A_STEP}`);
  const { hits, next } = cut(rows, limit, (row) => row.ownerIsKnown === 0 || row.hasStrangers === 1);
  return {
    checked: { "project.members": rows.length },
    findings: hits.map(({ id, externalId, ownerIsKnown }) => ({
      invariant: "project.members",
      example: externalId,
      repair: ownerIsKnown === 1 ? { kind: "project.members", id } : null,
    })),
    next: next === null ? null : String(next.id),
  };
}

/** The rows that `isHit`, no more than the limit, and the row behind which to go on, null at the end. */
function cut<Row>(rows: readonly Row[], limit: number, isHit: (row: Row) => boolean): { hits: Row[]; next: Row | null } {
  const hits = rows.filter(isHit);
  const last = hits.length > limit ? hits[limit - 1] : rows.length < ROWS_A_STEP ? undefined : rows.at(-1);
  return { hits: hits.slice(0, limit), next: last ?? null };
}
