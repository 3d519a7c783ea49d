import { sql } from "drizzle-orm";
import { requirePermission } from "#core/permission";
import { rowOf, runStep, TASK_NAMES, type TaskName } from "./run-step.ts";
import type { LifecycleInput, LifecycleView } from "./schemas.ts";
import { type Counts, sumOf, totalOf, type UpkeepCtx } from "./step.ts";

/** Steps that one task takes in a run: each looks at some hundred rows, whether it changes one or not. */
const MAX_STEPS = 10;
const ROWS_A_RUN = 200;

/**
 * Runs tasks of upkeep for the caller's tenant, now and whatever its settings say about doing so by itself. Each goes on where its last
 * run by hand ended, and begins anew after it came to its end.
 */
export async function runLifecycle(ctx: UpkeepCtx, input: LifecycleInput): Promise<LifecycleView> {
  requirePermission(ctx.actor, "admin");
  const { tasks = TASK_NAMES, dryRun = false, limit = ROWS_A_RUN } = input;
  const done: LifecycleView["tasks"] = [];
  for (const task of new Set(tasks)) done.push(await runTask(ctx, task, { dryRun, limit }));
  return { dryRun, tasks: done };
}

async function runTask(
  ctx: UpkeepCtx,
  task: TaskName,
  { dryRun, limit }: { dryRun: boolean; limit: number },
): Promise<LifecycleView["tasks"][number]> {
  // Not where cron is: it may be in the middle of a round, and what it has passed by would be left out.
  const row = `hand.${rowOf(task)}`;
  const [saved] = await ctx.db.all<{ cursor: string }>(sql`
    select cursor from upkeep where tenant_id = ${ctx.tenantId} and task = ${row}`);
  let cursor: string | null = saved?.cursor ?? "";
  const counts: Counts[] = [];
  const total = () => totalOf(sumOf(counts));
  for (let steps = 0; steps < MAX_STEPS && cursor !== null && total() < limit; steps += 1) {
    const prepared = await runStep(ctx, task, { row, cursor, limit: limit - total(), dryRun });
    counts.push(prepared.counts);
    cursor = prepared.next;
  }
  return { task, done: total(), remaining: cursor !== null, counts: sumOf(counts) };
}
