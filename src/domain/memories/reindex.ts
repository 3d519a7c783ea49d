import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, runBatch, select } from "#db/client";
import { row } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import { insertWords } from "./change.ts";

const FOUND = row(MEMORY.of(sql`m`, "id", "content", "key", "metadata"));

/** Writes the entries of these memories in the text index anew, whose people have changed; forgotten ones have none. */
export async function reindexMemories(ctx: Ctx<"db">, ids: readonly number[]): Promise<void> {
  const found = await readRows(
    ctx,
    select(FOUND)`from memories m cross join memory_fts_docsize d on d.id = m.id
      where m.id in (select value from json_each(${JSON.stringify(ids)})) and m.tenant_id = ${ctx.tenantId} and m.deleted_at is null`,
  );
  if (found.length === 0) return;
  await runBatch(ctx, [
    ctx.db.run(sql`delete from memory_fts where rowid in (${sql.raw(found.map(({ id }) => id).join(","))})`),
    ...found.map((memory) => insertWords(ctx, { ...memory, id: sql.raw(String(memory.id)) })),
  ]);
}
