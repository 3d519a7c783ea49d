import { sql } from "drizzle-orm";
import type { Examined } from "./findings.ts";
import type { Step, UpkeepCtx } from "./plan.ts";

/** All its tries take less than two hours. */
const STUCK_MS = 86_400_000;
const JOBS_A_STEP = 1_000;

type Row = { id: string; dueAt: number; isStuck: number };

/** The tenant's unfinished jobs, those that are due first. One that is stuck waits for a person. */
export async function examineJobs(ctx: UpkeepCtx, { limit }: Step): Promise<Examined> {
  const rows = await ctx.db.all<Row>(sql`
    select id, due_at as dueAt, created_at < ${ctx.now() - STUCK_MS} and due_at < ${ctx.now() - STUCK_MS} as isStuck
    from jobs indexed by jobs_open where tenant_id = ${ctx.tenantId} and status in ('pending', 'running')
    order by due_at, id limit ${JOBS_A_STEP}`);
  const stuck = rows.filter((row) => row.isStuck === 1).slice(0, limit);
  return {
    checked: { "job.open": rows.length },
    findings: stuck.map(({ id }) => ({ invariant: "job.open", example: id, cure: null })),
    next: null,
  };
}
