import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { SUMMARY_SOURCE } from "#db/schema/memories";

/**
 * Long before any grace period: the next purge removes the row, its subjects and its vector for good. Until then the row has no public id by
 * which it could be restored.
 */
const LONG_AGO = 1;

/**
 * Statements that delete the summaries of these episodes (internal ids) before words of theirs go: the text at once and for good, because a
 * summary that could be restored would bring the words back. What else they covered counts as not summarized, and is summarized anew. They
 * stand before the change of the episodes.
 */
export function takeSummaries(ctx: Ctx<"db">, episodes: SQL): Statement[] {
  return deleteSummaries(
    ctx,
    sql`select t.summary_id from episodes t where t.id in (${episodes}) and t.tenant_id = ${ctx.tenantId} and t.summary_id > 0`,
  );
}

/** The same for the memories whose internal ids `which` selects. */
export function deleteSummaries(ctx: Ctx<"db">, which: SQL): Statement[] {
  const gone = sql`(
    select g.id from memories g where g.id in (${which}) and g.tenant_id = ${ctx.tenantId} and g.metadata ->> 'source' = ${SUMMARY_SOURCE})`;
  return [
    ctx.db.run(sql`delete from memory_fts where rowid in ${gone}`),
    ctx.db.run(sql`delete from memory_versions where memory_id in ${gone}`),
    ctx.db.run(sql`
      update memories set public_id = 'gone_' || id, content = '', key = '', hash = '', status = 'rejected', deleted_at = ${LONG_AGO}, deleted_because = 'forgotten',
        vector_model = null, version = version + 1
      where id in ${gone}`),
    ctx.db.run(sql`
      update episodes set summary_id = null where tenant_id = ${ctx.tenantId} and summary_id in ${gone} and public_id in (
        select c.value from memories k cross join json_each(k.metadata, '$.episodes') c where k.id in ${gone})`),
  ];
}
