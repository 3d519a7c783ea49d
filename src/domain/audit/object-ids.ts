import { type SQL, sql } from "drizzle-orm";
import { flag, integer, nullable, row, text } from "#db/row";
import type { ObjectKind } from "./schemas.ts";

/**
 * Rows about a session, a project or a user store the internal id, because the chain covers it and an erasure must leave nothing that the
 * app named. Answers show the app's id instead, and none once the row is erased. The dash distinguishes such an id from a topic's key.
 */
const NAMED_BY_APP = [
  { kind: "session", table: sql`sessions`, shape: sql`a.object_id glob 'ses_*-*'` },
  { kind: "project", table: sql`projects`, shape: sql`a.object_id glob 'prj_*-*'` },
  { kind: "user", table: sql`users`, shape: sql`a.object_id glob 'usr_*-*'` },
] as const satisfies { kind: ObjectKind; table: SQL; shape: SQL }[];

/** From `audit a`: the object as answers name it; null if the app named it and it was erased. */
export const shownObjectId = nullable(
  text(
    sql`case ${sql.join(
      NAMED_BY_APP.map(
        ({ table, shape }) =>
          sql`when ${shape} then iif(a.erased_at is null, (select o.external_id from ${table} o where o.public_id = a.object_id and o.tenant_id = a.tenant_id), null)`,
      ),
      sql` `,
    )} else a.object_id end`,
  ),
);

/** From `audit a`, to compute the chain: the kind of such an object, and the internal id without its prefix; null for other objects. */
export const hashedObject = {
  objectKind: nullable(
    text(
      sql`case ${sql.join(
        NAMED_BY_APP.map(({ kind, shape }) => sql`when ${shape} then ${kind}`),
        sql` `,
      )} end`,
    ),
  ),
  objectUuid: nullable(
    text(
      sql`case when ${sql.join(
        NAMED_BY_APP.map(({ shape }) => shape),
        sql` or `,
      )} then substr(a.object_id, 5) end`,
    ),
  ),
};

type Named = { objectId: string; objectKind?: ObjectKind | undefined };

/**
 * From `audit a`: whether the row is about the object of this kind with the app's id. Without a kind, the object may be of any, and ids of
 * Edgewise's own find it too.
 */
export function isAbout(tenantId: number, { objectId, objectKind }: Named): SQL {
  const named = sql`(a.erased_at is null and a.object_id in (${idsOfNamed(tenantId, { objectId, objectKind })}))`;
  return objectKind === undefined ? sql`(a.object_id = ${objectId} or ${named})` : named;
}

/** Ids of rows that are about the tenant's settings, jobs, upkeep and log. */
const FIXED_IDS: readonly string[] = ["audit", "jobs", "settings", "upkeep"];

/** What an id without a kind may mean: how many objects the app named so, and whether Edgewise itself has the id. */
export const MEANINGS = row({ named: integer(sql`m.named`), isOwnId: flag(sql`m.is_own_id`) });

/**
 * The `from` of `MEANINGS`. A topic that was deleted is found by the rows about it in `stretch`, a condition on `audit a`, because nothing
 * finds rows by their object.
 */
export function meaningsOf(tenantId: number, objectId: string, stretch: SQL): SQL {
  const isOwnId = FIXED_IDS.includes(objectId)
    ? sql`true`
    : sql`exists (select 1 from topics t where t.tenant_id = ${tenantId} and t.key = ${objectId})
        or exists (select 1 from audit a where ${stretch} and a.object_id = ${objectId})`;
  return sql`from (
    select n.named, case when n.named = 0 then false else ${isOwnId} end as is_own_id
    from (select count(*) as named from (${idsOfNamed(tenantId, { objectId })})) n) m`;
}

function idsOfNamed(tenantId: number, { objectId, objectKind }: Named): SQL {
  const kinds = NAMED_BY_APP.filter(({ kind }) => objectKind === undefined || kind === objectKind);
  return sql.join(
    kinds.map(
      ({ table }) => sql`select o.public_id from ${table} o where o.tenant_id = ${tenantId} and o.external_id = ${objectId}`,
    ),
    sql` union all `,
  );
}
