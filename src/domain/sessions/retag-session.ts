import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { read, statement } from "#db/client";
import { integer, type RowOf, row } from "#db/row";
import { EPISODE } from "#db/schema/sessions";
import { commit } from "#domain/audit";
import { vectorRefs } from "#domain/indexing";
import { dispatch, enqueue, type LeasedJob } from "#domain/jobs";
import { CHUNKS_PER_SESSION } from "./chunk-id.ts";
import { EPISODES } from "./index-episodes.ts";

/** Later steps carry the project of their move: if the session is elsewhere by now, the later move's own job retags it. */
const Payload = z.object({
  sessionId: z.number().int(),
  after: z.number().int().optional(),
  project: z.number().int().optional(),
});

/** Episodes whose vectors one job changes before it enqueues the next. */
const EPISODES_A_STEP = 500;

const FOUND = row({
  ...EPISODE.of(sql`e`, "id"),
  span: integer(sql`e.chunk_count`),
  space: integer(sql`s.space_id`),
  project: integer(sql`coalesce(s.project_id, 0)`),
});

type RetagCtx = Ctx<"db" | "now" | "newId" | "vectors" | "jobs" | "defer">;

/** Tags the vectors of a moved session with the project it is in now, a bounded number at a time. */
export async function retagSessions(ctx: RetagCtx, jobs: readonly LeasedJob[]): Promise<void> {
  for (const job of jobs) await retagSession(ctx, Payload.parse(job.payload));
}

async function retagSession(ctx: RetagCtx, step: z.infer<typeof Payload>): Promise<void> {
  const episodes = await readEpisodes(ctx, step);
  const project = episodes[0]?.project ?? step.project;
  if (step.project !== undefined && project !== step.project) return;
  if (project !== undefined) {
    const refs = episodes.flatMap((episode) => vectorRefs(EPISODES, episode));
    if (refs.length > 0) await ctx.vectors.retag(ctx.tenantId, refs, { project });
  }
  const last = episodes.at(-1);
  if (last === undefined || episodes.length < EPISODES_A_STEP) return await markTagged(ctx, step.sessionId, project);
  const id = ctx.newId("job");
  const payload = JSON.stringify({ sessionId: step.sessionId, after: last.id, project });
  await commit(ctx, { statements: [enqueue(ctx, { id, kind: "session.retag", payload })], audit: [] });
  dispatch(ctx, [id]);
}

async function readEpisodes(ctx: RetagCtx, { sessionId, after = -1 }: z.infer<typeof Payload>): Promise<RowOf<typeof FOUND>[]> {
  const per = sql.raw(String(CHUNKS_PER_SESSION));
  const { episodes } = await read(ctx, {
    episodes: statement(
      FOUND,
      sql`select ${FOUND.columns} from sessions s
        cross join episodes e on e.id > max(s.id * ${per} - 1, ${after}) and e.id < (s.id + 1) * ${per}
        where s.id = ${sessionId} and s.tenant_id = ${ctx.tenantId} order by e.id limit ${EPISODES_A_STEP}`,
    ),
  });
  return episodes;
}

/** The whole session is tagged. If it has moved again, that move's own job is still queued, and the session stays marked as moved. */
async function markTagged(ctx: RetagCtx, sessionId: number, project: number | undefined): Promise<void> {
  await ctx.db.run(sql`
    update sessions set tagged_project_id = coalesce(project_id, 0)
    where id = ${sessionId} and tenant_id = ${ctx.tenantId} and coalesce(project_id, 0) = coalesce(${project ?? null}, project_id, 0)`);
}
