import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { commit } from "#domain/audit";
import { dispatch, enqueue, type LeasedJob } from "#domain/jobs";
import { CHUNKS_PER_SESSION, sessionOf } from "./chunk-id.ts";
import { type EpisodeToIndex, embedEpisodes, indexColumns } from "./index-episodes.ts";

const Payload = z.object({ after: z.number().int() });

/** Episodes that one step of a re-embedding looks at. */
const EPISODES_A_STEP = 100;

type ReembedCtx = Ctx<"db" | "now" | "newId" | "embedder" | "vectors" | "jobs" | "defer">;

/** One step through a tenant's episodes in the order of their ids; it hands on to the next step until none is left. */
export async function reembedEpisodes(
  ctx: ReembedCtx,
  jobs: readonly LeasedJob[],
  run: { deadline: number },
): Promise<"unfinished" | undefined> {
  const steps = await Promise.all(jobs.map((job) => episodesAfter(ctx, Payload.parse(job.payload).after)));
  const stale = new Map(steps.flat().flatMap((row) => (row.vectorModel === ctx.embedder.model ? [] : [[row.id, row] as const])));
  if ((await embedEpisodes(ctx, [...stale.values()], run)) === "unfinished") return "unfinished";
  const next = steps.flatMap((rows) => {
    const last = rows.at(-1);
    return last === undefined || rows.length < EPISODES_A_STEP ? [] : [{ id: ctx.newId("job"), after: last.id }];
  });
  if (next.length === 0) return undefined;
  const statements = next.map(({ id, after }) =>
    enqueue(ctx, { id, kind: "episodes.reembed", payload: JSON.stringify({ after }) }),
  );
  await commit(ctx, { statements, audit: [] });
  dispatch(
    ctx,
    next.map(({ id }) => id),
  );
  return undefined;
}

async function episodesAfter(ctx: ReembedCtx, after: number): Promise<(EpisodeToIndex & { vectorModel: string | null })[]> {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  return await ctx.db.all(sql`
    select ${indexColumns}, e.vector_model as vectorModel
    from sessions s cross join episodes e on e.id > max(s.id * ${per} - 1, ${after}) and e.id < (s.id + 1) * ${per}
    where s.tenant_id = ${ctx.tenantId} and s.id >= ${sessionOf(Math.max(after, 0))}
    order by s.id, e.id limit ${EPISODES_A_STEP}`);
}
