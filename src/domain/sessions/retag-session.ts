import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { commit } from "#domain/audit";
import { dispatch, enqueue, type LeasedJob } from "#domain/jobs";
import type { VectorRef } from "#ports/vector-index";
import { CHUNKS_PER_SESSION, vectorIdOf } from "./chunk-id.ts";

/** Later steps carry where the move led: one that finds the session elsewhere leaves it to the later move's own job. */
const Payload = z.object({
  sessionId: z.number().int(),
  after: z.number().int().optional(),
  project: z.number().int().optional(),
});

/** Episodes whose vectors one job changes before it hands on to the next. */
const EPISODES_A_STEP = 500;

type RetagCtx = Ctx<"db" | "now" | "newId" | "vectors" | "jobs" | "defer">;

/** Tags the vectors of a moved session with the project it is in now, a bounded number at a time. */
export async function retagSessions(ctx: RetagCtx, jobs: readonly LeasedJob[]): Promise<void> {
  for (const job of jobs) await retagSession(ctx, Payload.parse(job.payload));
}

async function retagSession(ctx: RetagCtx, step: z.infer<typeof Payload>): Promise<void> {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const rows = await ctx.db.all<{ id: number; chunks: number; space: number; project: number }>(sql`
    select e.id as id, e.chunk_count as chunks, s.space_id as space, coalesce(s.project_id, 0) as project
    from sessions s cross join episodes e on e.id > max(s.id * ${per} - 1, ${step.after ?? -1}) and e.id < (s.id + 1) * ${per}
    where s.id = ${step.sessionId} and s.tenant_id = ${ctx.tenantId} order by e.id limit ${EPISODES_A_STEP}`);
  const project = rows[0]?.project ?? step.project;
  if (step.project !== undefined && project !== step.project) return;
  if (rows.length > 0 && project !== undefined) {
    const refs = rows.flatMap((row) =>
      Array.from({ length: row.chunks }, (_, i): VectorRef => ({ id: vectorIdOf(row.id + i), space: row.space })),
    );
    await ctx.vectors.retag(ctx.tenantId, refs, { project });
  }
  const last = rows.at(-1);
  if (last === undefined || rows.length < EPISODES_A_STEP) return await settle(ctx, step.sessionId, project);
  const jobId = ctx.newId("job");
  await commit(ctx, {
    statements: [
      enqueue(ctx, {
        id: jobId,
        kind: "session.retag",
        payload: JSON.stringify({ sessionId: step.sessionId, after: last.id, project }),
      }),
    ],
    audit: [],
  });
  dispatch(ctx, [jobId]);
}

/** The whole session is tagged. If it has moved on since, that move's own job is still to come and the tag stays unsettled. */
async function settle(ctx: RetagCtx, sessionId: number, project: number | undefined): Promise<void> {
  await ctx.db.run(sql`
    update sessions set tagged_project_id = coalesce(project_id, 0)
    where id = ${sessionId} and tenant_id = ${ctx.tenantId} and coalesce(project_id, 0) = coalesce(${project ?? null}, project_id, 0)`);
}

const Removed = z.object({ from: z.number().int(), chunks: z.number().int(), space: z.number().int() });

/** Removes the vectors of deleted episodes. Vectors that are not there are no error. */
export async function removeVectors(ctx: Ctx<"vectors">, jobs: readonly LeasedJob[]): Promise<void> {
  const refs = jobs.flatMap((job) => {
    const { from, chunks, space } = Removed.parse(job.payload);
    return Array.from({ length: chunks }, (_, i): VectorRef => ({ id: vectorIdOf(from + i), space }));
  });
  await ctx.vectors.remove(ctx.tenantId, refs);
}
