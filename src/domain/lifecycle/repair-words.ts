import { sql } from "drizzle-orm";
import { indexTokens } from "#core/text/analyse";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { rowsInParts } from "#db/rows";
import type { StoredChunk, StoredMessage } from "#db/schema/sessions";
import { indexedSpaceOf } from "#domain/memories";
import { tokensOf } from "#domain/sessions";
import type { UpkeepCtx } from "./step.ts";

type Reindexing = { statements: Statement[] };

/** Puts memories into the text index anew, as long as they are as they were read. */
export async function reindexMemories(ctx: UpkeepCtx, ids: readonly number[]): Promise<Reindexing> {
  const rows = await ctx.db.all<{ id: number; content: string; version: number }>(sql`
    select m.id as id, m.content as content, m.version as version
    from json_each(${JSON.stringify(ids)}) j cross join memories m on m.id = j.value
    where +m.tenant_id = ${ctx.tenantId} and m.deleted_at is null`);
  const read = JSON.stringify(rows.map(({ id, version }) => [id, version]));
  const words = rows.map(({ id, content }) => [id, indexTokens(content, null)]);
  return {
    statements: [
      failUnless(
        ctx.db,
        sql`(
          select count(*) from json_each(${read}) j cross join memories m on m.id = j.value ->> 0
          where m.version = j.value ->> 1 and m.deleted_at is null and +m.tenant_id = ${ctx.tenantId}) = ${rows.length}`,
      ),
      ctx.db.run(sql`delete from memory_fts where rowid in (${sql.raw(rows.map(({ id }) => id).join(","))})`),
      ...rowsInParts(words).map((part) =>
        ctx.db.run(
          sql`insert into memory_fts (rowid, space, text) select m.id, ${indexedSpaceOf}, j.c1 from ${part} j cross join memories m on m.id = j.c0`,
        ),
      ),
    ],
  };
}

/** Takes words out of the text index, unless their memory was restored meanwhile. */
export function removeMemoriesFromIndex(ctx: UpkeepCtx, ids: readonly number[]): Reindexing {
  const list = sql.raw(ids.join(","));
  return {
    statements: [
      failUnless(ctx.db, sql`not exists (select 1 from memories where id in (${list}) and deleted_at is null)`),
      ctx.db.run(sql`delete from memory_fts where rowid in (${list})`),
    ],
  };
}

/** Puts the passages of episodes into the text index anew, as long as the episodes are there. */
export async function reindexEpisodes(ctx: UpkeepCtx, ids: readonly number[]): Promise<Reindexing> {
  const rows = await ctx.db.all<{ id: number; space: number; messages: string; chunks: string }>(sql`
    select e.id as id, s.space_id as space, e.messages as messages, e.chunks as chunks
    from json_each(${JSON.stringify(ids)}) j cross join episodes e on e.id = j.value cross join sessions s on s.id = e.session_id
    where e.tenant_id = ${ctx.tenantId}`);
  const words = rows.flatMap(({ id, space, messages, chunks }) => {
    const said: StoredMessage[] = JSON.parse(messages);
    const passages: StoredChunk[] = JSON.parse(chunks);
    return passages.map((chunk, i) => [id + i, `s${space}`, tokensOf(said, chunk)]);
  });
  const list = sql.raw(rows.map(({ id }) => id).join(","));
  return {
    statements: [
      failUnless(
        ctx.db,
        sql`(select count(*) from episodes where id in (${list}) and tenant_id = ${ctx.tenantId}) = ${rows.length}`,
      ),
      ctx.db.run(sql`
        delete from message_fts where rowid in (
          select d.id from episodes e cross join message_fts_docsize d on d.id >= e.id and d.id < e.id + e.chunk_count where e.id in (${list}))`),
      ...rowsInParts(words).map((part) =>
        ctx.db.run(sql`insert into message_fts (rowid, space, text) select j.c0, j.c1, j.c2 from ${part} j`),
      ),
    ],
  };
}

/** Takes passages out of the text index that belong to no episode; what was none a moment ago never becomes one. */
export function removePassagesFromIndex(ctx: UpkeepCtx, ids: readonly number[]): Reindexing {
  return { statements: [ctx.db.run(sql`delete from message_fts where rowid in (${sql.raw(ids.join(","))})`)] };
}
