import { type SQL, sql } from "drizzle-orm";
import { nullable, text } from "#db/row";

/**
 * Rows about a session, a project or a user store the internal id, because the chain covers it and an erasure must leave nothing that the
 * app named. Answers show the app's id instead, and none once the row is erased. The dash distinguishes such an id from a topic's key.
 */
const NAMED_BY_APP = [
  { kind: "session", table: sql`sessions`, shape: sql`a.object_id glob 'ses_*-*'` },
  { kind: "project", table: sql`projects`, shape: sql`a.object_id glob 'prj_*-*'` },
  { kind: "user", table: sql`users`, shape: sql`a.object_id glob 'usr_*-*'` },
] as const;

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

/** From `audit a`: whether the row is about the object with this id, the app's or the internal one. */
export function isAbout(tenantId: number, objectId: string): SQL {
  const named = NAMED_BY_APP.map(
    ({ table }) => sql`select o.public_id from ${table} o where o.tenant_id = ${tenantId} and o.external_id = ${objectId}`,
  );
  return sql`(a.object_id = ${objectId} or (a.erased_at is null and a.object_id in (${sql.join(named, sql` union all `)})))`;
}
