import { sql } from "drizzle-orm";
import { retryLostRace } from "#core/retry-lost-race";
import type { Statement } from "#db/client";
import { isLostRace } from "#db/guard";
import { commit } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { cap } from "./cap.ts";
import { expire } from "./expire.ts";
import { purgeMemories } from "./purge-memories.ts";
import { repairIndexes } from "./repair-indexes.ts";
import { retain } from "./retain.ts";
import { type PreparedStep, type Task, totalOf, type UpkeepCtx } from "./step.ts";

export const TASK_NAMES = ["expire", "retain", "cap", "purge", "repair"] as const;

export type TaskName = (typeof TASK_NAMES)[number];

const TASKS: Record<TaskName, Task> = { expire, retain, cap, purge: purgeMemories, repair: repairIndexes };

const ACTIONS: Record<TaskName, string> = {
  expire: "upkeep.expired",
  retain: "upkeep.retained",
  cap: "upkeep.capped",
  purge: "upkeep.purged",
  repair: "upkeep.mended",
};

/**
 * One step of a task for the caller's tenant: what it decides is written in one batch with an audit row of its counts and the place
 * where the next step goes on. `row` names that place in `upkeep`; a dry run stops before it writes.
 */
export async function runStep(
  ctx: UpkeepCtx,
  task: TaskName,
  { row, cursor, limit, dryRun }: { row: string; cursor: string; limit: number; dryRun: boolean },
): Promise<PreparedStep> {
  return await retryLostRace(ctx, "What was found is being changed by others at the same moment. Try again.", async () => {
    const prepared = await TASKS[task](ctx, { cursor, limit });
    if (dryRun) return prepared;
    try {
      await carryOut(ctx, { action: ACTIONS[task], prepared, more: [saveCursor(ctx, row, prepared.next ?? "")] });
      return prepared;
    } catch (error) {
      if (isLostRace(error)) return "lost";
      throw error;
    }
  });
}

/** Does what a plan says. Who reads the audit learns counts of it, and no names. */
export async function carryOut(
  ctx: UpkeepCtx,
  { action, prepared, more = [] }: { action: string; prepared: Omit<PreparedStep, "next">; more?: readonly Statement[] },
): Promise<void> {
  await prepared.outside?.();
  const changes = Object.fromEntries(Object.entries(prepared.counts).filter(([, count]) => count > 0));
  const statements = [...prepared.statements, ...more];
  if (statements.length === 0) return;
  await commit(ctx, {
    statements,
    audit: totalOf(changes) === 0 ? [] : [{ action, objectId: "upkeep", userId: null, detail: changes }],
  });
  dispatch(ctx, prepared.jobIds);
}

/** The name of a task in the table `upkeep`, where `repair` has its older name. */
export function rowOf(task: TaskName): string {
  return task === "repair" ? "mend" : task;
}

/** Where a task stands, under a name of its own in the tenant. */
export function saveCursor(ctx: Pick<UpkeepCtx, "db" | "now" | "tenantId">, row: string, cursor: string) {
  return ctx.db.run(sql`
    insert into upkeep (tenant_id, task, cursor, ran_at) values (${ctx.tenantId}, ${row}, ${cursor}, ${ctx.now()})
    on conflict (tenant_id, task) do update set cursor = excluded.cursor, ran_at = excluded.ran_at`);
}
