import { sql } from "drizzle-orm";
import { z } from "zod";
import { commit } from "#domain/audit";
import { type EntityToIndex, embedEntities, entityToIndexColumns } from "#domain/entities";
import { dispatch, enqueue, type LeasedJob } from "#domain/jobs";
import type { UpkeepCtx } from "./step.ts";
import { entitiesWith, FIRST_PROJECT, ProjectPlace, walkProjects } from "./walk-projects.ts";

const Payload = z.object({ from: ProjectPlace.default(FIRST_PROJECT) });

const A_STEP = { projects: 300, rows: 200 };

/** One step through the entities of a tenant's projects; it hands on to the next step until none is left. */
export async function reembedEntities(
  ctx: UpkeepCtx,
  jobs: readonly LeasedJob[],
  run: { deadline: number },
): Promise<"unfinished" | undefined> {
  const columns = sql`${entityToIndexColumns}, en.tenant_id = ${ctx.tenantId} and en.vector_model is not ${ctx.embedder.model} as isStale`;
  const walks = await Promise.all(
    jobs.map((job) => {
      const { from } = Payload.parse(job.payload);
      return walkProjects<EntityToIndex & { isStale: number }>(ctx, from, { bounds: A_STEP, path: entitiesWith(from, columns) });
    }),
  );
  const stale = new Map(walks.flatMap(({ rows }) => rows.flatMap((row) => (row.isStale === 1 ? [[row.id, row] as const] : []))));
  if ((await embedEntities(ctx, [...stale.values()], run)) === "unfinished") return "unfinished";
  const next = walks.flatMap(({ next: from }) => (from === null ? [] : [{ id: ctx.newId("job"), from }]));
  if (next.length === 0) return undefined;
  const statements = next.map(({ id, from }) =>
    enqueue(ctx, { id, kind: "entities.reembed", payload: JSON.stringify({ from }) }),
  );
  await commit(ctx, { statements, audit: [] });
  dispatch(
    ctx,
    next.map(({ id }) => id),
  );
  return undefined;
}
