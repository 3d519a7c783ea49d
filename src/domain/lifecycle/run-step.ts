import { sql } from "drizzle-orm";
import { retryLostRace } from "#core/retry-lost-race";
import type { Statement } from "#db/client";
import { isLostRace } from "#db/guard";
import { commit } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { cap } from "./cap.ts";
import { expire } from "./expire.ts";
import { mend } from "./mend.ts";
import { type Plan, type Task, totalOf, type UpkeepCtx } from "./plan.ts";
import { purgeMemories } from "./purge-memories.ts";
import { retain } from "./retain.ts";

export const TASK_NAMES = ["expire", "retain", "cap", "purge", "mend"] as const;

export type TaskName = (typeof TASK_NAMES)[number];

const TASKS: Record<TaskName, Task> = { expire, retain, cap, purge: purgeMemories, mend };

const ACTIONS: Record<TaskName, string> = {
  expire: "upkeep.expired",
  retain: "upkeep.retained",
  cap: "upkeep.capped",
  purge: "upkeep.purged",
  mend: "upkeep.mended",
};

/**
 * One step of a task for the caller's tenant: what it decides is written in one batch with an audit row of its counts and the place
 * where the next step goes on. `row` names that place in `upkeep`; a dry run stops before it writes.
 */
export async function runStep(
  ctx: UpkeepCtx,
  task: TaskName,
  { row, cursor, limit, dryRun }: { row: string; cursor: string; limit: number; dryRun: boolean },
): Promise<Plan> {
  return await retryLostRace(ctx, "What was found is being changed by others at the same moment. Try again.", async () => {
    const plan = await TASKS[task](ctx, { cursor, limit });
    if (dryRun) return plan;
    try {
      await carryOut(ctx, { action: ACTIONS[task], plan, more: [saveCursor(ctx, row, plan.next ?? "")] });
      return plan;
    } catch (error) {
      if (isLostRace(error)) return "lost";
      throw error;
    }
  });
}

/** Does what a plan says. Who reads the audit learns counts of it, and no names. */
export async function carryOut(
  ctx: UpkeepCtx,
  { action, plan, more = [] }: { action: string; plan: Omit<Plan, "next">; more?: readonly Statement[] },
): Promise<void> {
  await plan.outside?.();
  const changes = Object.fromEntries(Object.entries(plan.counts).filter(([, count]) => count > 0));
  const statements = [...plan.statements, ...more];
  if (statements.length === 0) return;
  await commit(ctx, {
    statements,
    audit: totalOf(changes) === 0 ? [] : [{ action, objectId: "upkeep", userId: null, detail: changes }],
  });
  dispatch(ctx, plan.jobIds);
}

/** Where a task stands, under a name of its own in the tenant. */
export function saveCursor(ctx: Pick<UpkeepCtx, "db" | "now" | "tenantId">, row: string, cursor: string) {
  return ctx.db.run(sql`
    insert into upkeep (tenant_id, task, cursor, ran_at) values (${ctx.tenantId}, ${row}, ${cursor}, ${ctx.now()})
    on conflict (tenant_id, task) do update set cursor = excluded.cursor, ran_at = excluded.ran_at`);
}
