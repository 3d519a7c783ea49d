import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Caller, Ctx, Services } from "#context";
import { requirePermission } from "#core/permission";
import { readRows, runBatch, select } from "#db/client";
import { row, text } from "#db/row";
import { commit } from "#domain/audit";
import { rebuildSections } from "#domain/indexing";
import { dispatch, enqueue, GaveUp, type JobRun, type LeasedJob, saveProgress } from "#domain/jobs";
import { INDEXABLES, VECTOR_PLACES } from "./findings.ts";
import type { RebuildInput, RebuildView } from "./schemas.ts";
import { sumOf } from "./step.ts";

export const REBUILD = "index.rebuild";

/** `section` and `cursor`: where the next step begins. */
const Payload = z.object({
  kind: z.string(),
  words: z.boolean(),
  vectors: z.boolean(),
  section: z.number().int().min(0).default(0),
  cursor: z.string().default(""),
});

const OPEN = row({ id: text(sql`j.id`), kind: text(sql`j.payload ->> 'kind'`) });

/**
 * Enqueues a job for each kind that writes its text and vectors again from its rows. Where one is open, it goes on.
 * @throws forbidden without the permission `admin`.
 */
export async function startRebuild(
  ctx: Ctx<"db" | "now" | "newId" | "jobs" | "defer">,
  input: RebuildInput,
): Promise<RebuildView> {
  requirePermission(ctx.actor, "admin");
  const { kinds = INDEXABLES.map(({ kind }) => kind), words = true, vectors = true } = input;
  const open = await readRows(
    ctx,
    select(OPEN)`from jobs j where j.tenant_id = ${ctx.tenantId} and j.status in ('pending', 'running') and j.kind = ${REBUILD}`,
  );
  const items = [...new Set(kinds)].map((kind) => {
    const running = open.find((job) => job.kind === kind);
    return { kind, jobId: running?.id ?? ctx.newId("job"), started: running === undefined };
  });
  const started = items.filter((item) => item.started);
  await commit(ctx, {
    statements: started.map(({ kind, jobId }) =>
      enqueue(ctx, { id: jobId, kind: REBUILD, payload: JSON.stringify({ kind, words, vectors }) }),
    ),
    audit:
      started.length === 0
        ? []
        : [
            {
              action: "index.rebuild_started",
              objectId: "upkeep",
              userId: null,
              detail: { kinds: started.map(({ kind }) => kind), words, vectors },
            },
          ],
  });
  dispatch(
    ctx,
    started.map(({ jobId }) => jobId),
  );
  return { items };
}

/** Carries out one rebuild, step by step. Its position is stored after each step, and the next run continues there. */
export async function rebuild(
  ctx: Caller & Services,
  [job]: readonly LeasedJob[],
  run: JobRun,
): Promise<"unfinished" | undefined> {
  if (job === undefined) return undefined;
  let at = Payload.parse(job.payload);
  const indexable = INDEXABLES.find(({ kind }) => kind === at.kind);
  if (indexable === undefined) throw new GaveUp(`There is no index of the kind ${at.kind}.`);
  const sections = rebuildSections(indexable, at, VECTOR_PLACES);
  let counts = countsIn(job.result);
  for (let section = sections[at.section]; section !== undefined; section = sections[at.section]) {
    const step = await section(ctx, at.cursor);
    at = step.next === null ? { ...at, section: at.section + 1, cursor: "" } : { ...at, cursor: step.next };
    counts = sumOf([counts, step.counts]);
    run.report(job, counts);
    await runBatch(ctx, [saveProgress(ctx, job, { payload: JSON.stringify(at), result: counts })]);
    if (ctx.now() >= run.deadline && at.section < sections.length) return "unfinished";
  }
  return undefined;
}

/** Of earlier runs. */
function countsIn(result: LeasedJob["result"]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(result ?? {}).flatMap(([name, count]) => (typeof count === "number" ? [[name, count]] : [])),
  );
}
