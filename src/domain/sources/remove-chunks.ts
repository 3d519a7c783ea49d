import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, runBatch, type Statement, select } from "#db/client";
import { row } from "#db/row";
import { CHUNK } from "#db/schema/sources";
import { dispatch, enqueue } from "#domain/jobs";

const A_STEP = 200;

const FOUND = row(CHUNK.of(sql`ck`, "id", "spaceId"));

type RemoveCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer">;

/**
 * Deletes the chunks of a file that `which` names, a condition on `chunks ck`, a step at a time: rows and words at once, vectors by jobs.
 * `unfinished`: the deadline has passed, and the same call continues.
 */
export async function removeChunks(
  ctx: RemoveCtx,
  { fileId, sourceId, which }: { fileId: number; sourceId: number; which: SQL },
  run: { deadline: number },
): Promise<"unfinished" | undefined> {
  for (;;) {
    const found = await readRows(
      ctx,
      select(FOUND)`from chunks ck where ck.file_id = ${fileId} and +ck.tenant_id = ${ctx.tenantId} and ${which} limit ${A_STEP}`,
    );
    if (found.length === 0) return undefined;
    const jobId = ctx.newId("job");
    await runBatch(ctx, removeStatements(ctx, found, { jobId, sourceId }));
    dispatch(ctx, [jobId]);
    if (found.length < A_STEP) return undefined;
    if (ctx.now() >= run.deadline) return "unfinished";
  }
}

function removeStatements(
  ctx: RemoveCtx,
  chunks: readonly { id: number; spaceId: number }[],
  { jobId, sourceId }: { jobId: string; sourceId: number },
): Statement[] {
  // Written as literals: D1 binds a number as a real.
  const ids = sql.raw(chunks.map(({ id }) => id).join(","));
  const payload = JSON.stringify({
    ranges: chunks.map(({ id, spaceId }) => ({ from: id, chunks: 1, space: spaceId })),
    sourceId,
  });
  return [
    ctx.db.run(sql`delete from chunk_fts where rowid in (${ids})`),
    ctx.db.run(sql`delete from chunks where id in (${ids}) and +tenant_id = ${ctx.tenantId}`),
    enqueue(ctx, { id: jobId, kind: "chunks.remove", payload }),
  ];
}
