import { sql } from "drizzle-orm";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { read, type Statement, statement } from "#db/client";
import { isLostRace } from "#db/guard";
import { row } from "#db/row";
import { UPKEEP } from "#db/schema/memories";
import { commit } from "#domain/audit";
import type { Repairs } from "#domain/indexing";
import { dispatch } from "#domain/jobs";
import { cap } from "./cap.ts";
import { expire } from "./forget-rows.ts";
import { purgeMemories } from "./purge-memories.ts";
import { retain } from "./retain.ts";
import type { LifecycleInput, LifecycleView } from "./schemas.ts";
import { repairIndexes } from "./sections.ts";
import { type Counts, type PreparedStep, sumOf, TASK_NAMES, type Task, type TaskName, totalOf, type UpkeepCtx } from "./step.ts";
import { summarizeSessions } from "./summarize-sessions.ts";

const TASKS: Record<TaskName, Task> = {
  ...{ expire, summarize: summarizeSessions, retain, cap },
  ...{ purge: purgeMemories, repair: repairIndexes },
};

const ACTIONS: Record<TaskName, string> = {
  expire: "upkeep.expired",
  summarize: "upkeep.summarized",
  retain: "upkeep.retained",
  cap: "upkeep.capped",
  purge: "upkeep.purged",
  repair: "upkeep.mended",
};

/**
 * One step of a task for the caller's tenant: its changes are written in one batch with an audit row of its counts and the position from
 * which the next step continues. `name` is the key of that position in `upkeep`; a dry run stops before it writes.
 */
export async function runStep(
  ctx: UpkeepCtx,
  task: TaskName,
  { name, cursor, limit, dryRun }: { name: string; cursor: string; limit: number; dryRun: boolean },
): Promise<PreparedStep> {
  return await retryLostRace(ctx, "What was found is being changed by others at the same moment. Try again.", async () => {
    const prepared = await TASKS[task](ctx, { cursor, limit }, { dryRun });
    if (dryRun) return prepared;
    try {
      await carryOut(ctx, { action: ACTIONS[task], prepared, more: [saveCursor(ctx, name, prepared.next ?? "")] });
      return prepared;
    } catch (error) {
      if (isLostRace(error)) return "lost";
      throw error;
    }
  });
}

/** Carries out what was prepared. The audit row has counts, and no names. */
export async function carryOut(
  ctx: UpkeepCtx,
  {
    action,
    prepared,
    more = [],
  }: { action: string; prepared: Repairs & Pick<PreparedStep, "beside">; more?: readonly Statement[] },
): Promise<void> {
  await prepared.outside?.();
  const changes = Object.fromEntries(Object.entries(prepared.counts).filter(([, count]) => count > 0));
  const statements = [...prepared.statements, ...more];
  if (statements.length === 0) return;
  await commit(ctx, {
    statements,
    audit:
      totalOf(changes) === 0 ? [] : [{ action, objectId: "upkeep", userId: null, detail: { ...changes, ...prepared.beside } }],
  });
  dispatch(ctx, prepared.jobIds ?? []);
}

/** The name of a task in the table `upkeep`, where `repair` has an older name. */
export function rowOf(task: TaskName): string {
  return task === "repair" ? "mend" : task;
}

/** The position of a task, stored under its own name in the tenant. */
export function saveCursor(ctx: Pick<UpkeepCtx, "db" | "now" | "tenantId">, name: string, cursor: string) {
  return ctx.db.run(sql`
    insert into upkeep (tenant_id, task, cursor, ran_at) values (${ctx.tenantId}, ${name}, ${cursor}, ${ctx.now()})
    on conflict (tenant_id, task) do update set cursor = excluded.cursor, ran_at = excluded.ran_at`);
}

const CURSOR = row(UPKEEP.of(sql`k`, "cursor"));

/** The position of a task under that name; "" at the start of a round. */
export async function readSavedCursor(ctx: Pick<UpkeepCtx, "db" | "tenantId">, name: string): Promise<string> {
  const {
    saved: [saved],
  } = await read(ctx, {
    saved: statement(
      CURSOR,
      sql`select ${CURSOR.columns} from upkeep k where k.tenant_id = ${ctx.tenantId} and k.task = ${name}`,
    ),
  });
  return saved?.cursor ?? "";
}

/**
 * Steps that one task takes in a run: each reads some hundred rows, whether it changes one or not. Enough for every section of `repair` in
 * turn, where each has few rows.
 */
const MAX_STEPS = 15;
const ROWS_A_RUN = 200;

/**
 * Runs upkeep tasks for the caller's tenant now, even if its settings disable automatic upkeep. Each continues where its last manual run
 * ended, and restarts when it reaches the end.
 * @throws forbidden without the permission `admin`.
 * @throws conflict if concurrent calls change the same rows.
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
  // A separate cursor from cron's: cron may be in the middle of a round, and the rows before its cursor would be skipped.
  const name = `hand.${rowOf(task)}`;
  let cursor: string | null = await readSavedCursor(ctx, name);
  const [counts, beside]: [Counts[], Counts[]] = [[], []];
  const total = () => totalOf(sumOf(counts));
  for (let steps = 0; steps < MAX_STEPS && cursor !== null && total() < limit; steps += 1) {
    const prepared = await runStep(ctx, task, { name, cursor, limit: limit - total(), dryRun });
    counts.push(prepared.counts);
    beside.push(prepared.beside ?? {});
    cursor = prepared.next;
  }
  return { task, done: total(), remaining: cursor !== null, counts: sumOf(counts), beside: sumOf(beside) };
}
