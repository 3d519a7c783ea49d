import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { flag, type RowShape, row } from "#db/row";
import { commit } from "#domain/audit";
import { dispatch, enqueue, type LeasedJob } from "#domain/jobs";
import { embedRows, type IndexCtx, type Outcome, type Run } from "./embed.ts";
import { ALWAYS, columnOf, type Indexable, type IndexedRow, rowsPath } from "./indexable.ts";
import { FIRST_PLACE, Place, walk } from "./walk.ts";

/** An unreadable cursor restarts at the beginning: rows that are done are skipped. */
const Payload = z.object({ from: Place.default(FIRST_PLACE).catch(FIRST_PLACE) });

/** Sessions, spaces or projects that one step reads. */
const PLACES_A_STEP = 300;

/**
 * Carries out jobs `jobs.reembed`: one step through a tenant's rows that embeds those without a vector of the embedder's model. It enqueues
 * the next step until none is left.
 */
export async function reembed(
  ctx: IndexCtx & Ctx<"jobs" | "defer">,
  indexable: Indexable,
  jobs: readonly LeasedJob[],
  run: Run,
): Promise<Outcome> {
  const path = rowsPath(indexable);
  const joined = { ...path, join: sql`${path.join} ${indexable.joins ?? sql``}` };
  const bounds = { places: PLACES_A_STEP, rows: indexable.rows.aStep };
  const shape = staleShape(ctx, indexable);
  const walks = await Promise.all(jobs.map((job) => walk(ctx, Payload.parse(job.payload).from, { path: joined, bounds, shape })));
  const stale = new Map(
    walks.flatMap(({ rows }) => rows.flatMap((one) => (one.stale === null ? [] : [[one.walkId, one.stale]]))),
  );
  if ((await embedRows(ctx, indexable, [...stale.values()], run)) === "unfinished") return "unfinished";
  const next = walks.flatMap(({ next: from }) => (from === null ? [] : [{ id: ctx.newId("job"), from }]));
  if (next.length === 0) return undefined;
  await commit(ctx, {
    statements: next.map(({ id, from }) => enqueue(ctx, { id, kind: indexable.jobs.reembed, payload: JSON.stringify({ from }) })),
    audit: [],
  });
  dispatch(
    ctx,
    next.map(({ id }) => id),
  );
  return undefined;
}

/** A row that must be embedded, or null if it is up to date. */
function staleShape(ctx: IndexCtx, indexable: Indexable): RowShape<{ stale: IndexedRow | null }> {
  const [tenant, model] = [columnOf(indexable, "tenant_id"), columnOf(indexable, "vector_model")];
  const flags = row({
    isStale: flag(sql`${tenant} = ${ctx.tenantId} and ${model} is not ${ctx.embedder.model} and ${indexable.embedded ?? ALWAYS}`),
  });
  return {
    columns: sql`${indexable.row.columns}, ${flags.columns}`,
    decode: (values) => ({ stale: flags.decode(values).isStale ? indexable.row.decode(values) : null }),
  };
}
