import { type SQL, sql } from "drizzle-orm";
import { SUMMARY_SOURCE } from "#db/schema/memories";

/**
 * Whether the memory that the episode row `e` names as its summary is there, and is none of it, or one whose text was taken. One that was
 * deleted and purged is not there, and its episodes are not summarized anew.
 */
export function isSummarizedElsewhere(e: SQL): SQL {
  const cites = sql`exists (select 1 from json_each(m.metadata, '$.episodes') c where c.value = ${e}.public_id)`;
  return sql`(${e}.summary_id > 0 and exists (
    select 1 from memories m where m.id = ${e}.summary_id and not (
      m.tenant_id = ${e}.tenant_id and m.metadata ->> 'source' is ${SUMMARY_SOURCE} and m.public_id not like 'gone%' and ${cites})))`;
}
