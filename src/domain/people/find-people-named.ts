import { type SQL, sql } from "drizzle-orm";

/**
 * The ids of the tenant's persons with one of these name keys (see `nameKey`), as the body of a subquery. Whoever was merged into
 * somebody is found as that somebody.
 */
export function findPeopleNamed(tenantId: number, keys: readonly string[]): SQL {
  return sql`
    select n.person_id as person_id from person_names n cross join persons p on p.id = n.person_id
    where n.tenant_id = ${tenantId} and n.name_key in (select value from json_each(${JSON.stringify(keys)}))
      and +p.tenant_id = ${tenantId} and +p.merged_into is null`;
}
