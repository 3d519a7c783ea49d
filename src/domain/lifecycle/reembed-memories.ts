import { sql } from "drizzle-orm";
import { z } from "zod";
import { commit } from "#domain/audit";
import { dispatch, enqueue, type LeasedJob } from "#domain/jobs";
import { embedMemories, type MemoryToIndex, toIndexColumns } from "#domain/memories";
import type { UpkeepCtx } from "./step.ts";
import { FIRST_PLACE, memoriesWith, Place, walkSpaces } from "./walk-spaces.ts";

const Payload = z.object({ from: Place.default(FIRST_PLACE) });

/** Spaces and memories that one step of a re-embedding looks at; it reads twice as many rows. */
const A_STEP = { places: 300, rows: 200 };

/**
 * One step through a tenant's memories, space by space; it hands on to the next step until none is left. Users without a memory
 * cost two rows each.
 */
export async function reembedMemories(
  ctx: UpkeepCtx,
  jobs: readonly LeasedJob[],
  run: { deadline: number },
): Promise<"unfinished" | undefined> {
  const columns = sql`${toIndexColumns}, m.tenant_id = ${ctx.tenantId} and m.vector_model is not ${ctx.embedder.model} as isStale`;
  const walks = await Promise.all(
    jobs.map((job) =>
      walkSpaces<MemoryToIndex & { isStale: number }>(ctx, Payload.parse(job.payload).from, {
        bounds: A_STEP,
        path: memoriesWith(columns),
      }),
    ),
  );
  const stale = new Map(walks.flatMap(({ rows }) => rows.flatMap((row) => (row.isStale === 1 ? [[row.id, row] as const] : []))));
  if ((await embedMemories(ctx, [...stale.values()], run)) === "unfinished") return "unfinished";
  const next = walks.flatMap(({ next: from }) => (from === null ? [] : [{ id: ctx.newId("job"), from }]));
  if (next.length === 0) return undefined;
  const statements = next.map(({ id, from }) =>
    enqueue(ctx, { id, kind: "memories.reembed", payload: JSON.stringify({ from }) }),
  );
  await commit(ctx, { statements, audit: [] });
  dispatch(
    ctx,
    next.map(({ id }) => id),
  );
  return undefined;
}
