import { sql } from "drizzle-orm";
import { z } from "zod";
import { isOutage } from "#domain/jobs";
import { readCursor } from "./cursor.ts";
import type { CheckResult } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";

/** All its tries take less than two hours. */
const STUCK_MS = 86_400_000;
const JOBS_A_STEP = 1_000;

type Row = { id: string; dueAt: number; isStuck: number };

/** The tenant's unfinished jobs, those that are due first. One that is stuck waits for a person. */
export async function checkJobs(ctx: UpkeepCtx, { limit }: Step): Promise<CheckResult> {
  const rows = await ctx.db.all<Row>(sql`
    select id, due_at as dueAt, created_at < ${ctx.now() - STUCK_MS} and due_at < ${ctx.now() - STUCK_MS} as isStuck
    from jobs indexed by jobs_open where tenant_id = ${ctx.tenantId} and status in ('pending', 'running')
    order by due_at, id limit ${JOBS_A_STEP}`);
  const stuck = rows.filter((row) => row.isStuck === 1).slice(0, limit);
  return {
    checked: { "job.open": rows.length },
    findings: stuck.map(({ id }) => ({ invariant: "job.open", example: id, repair: null })),
    next: null,
  };
}

/** Waiting jobs are counted no further. */
const MAX_COUNTED = 10_000;

/** How many of the tenant's jobs wait for which server and why, and since when the first of them does. */
export async function checkWaitingJobs(ctx: UpkeepCtx): Promise<CheckResult> {
  const rows = await ctx.db.all<{ reason: string | null; jobs: number; since: number | null; example: string | null }>(sql`
    select error as reason, count(*) as jobs, min(waiting_since) as since, min(id) as example from (
      select waiting_for, error, waiting_since, id from jobs indexed by jobs_waiting
      where waiting_for in ('embedder', 'vectors', 'chatModel') and tenant_id = ${ctx.tenantId} limit ${MAX_COUNTED})
    group by waiting_for, error`);
  return {
    checked: { "job.waiting": rows.reduce((sum, { jobs }) => sum + jobs, 0) },
    findings: rows.map(({ reason, jobs, since, example }) => ({
      ...{ invariant: "job.waiting" as const, example, repair: null, count: jobs },
      ...(reason === null ? {} : { reason }),
      ...(since === null ? {} : { since }),
    })),
    next: null,
  };
}

const Cursor = z.string();

/** The tenant's failed jobs, those of a server's outage with what runs them again. */
export async function checkFailedJobs(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const after = cursor === "" ? "" : readCursor(Cursor, cursor);
  const rows = await ctx.db.all<{ id: string; error: string | null }>(sql`
    select id, error from jobs indexed by jobs_failed where tenant_id = ${ctx.tenantId} and status = 'failed' and id > ${after}
    order by id limit ${limit}`);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    checked: { "job.failed": rows.length },
    findings: rows.map(({ id, error }) => ({
      invariant: "job.failed",
      example: id,
      repair: isOutage(error ?? "") ? { kind: "job.rerun", jobId: id } : null,
    })),
    next: last === undefined ? null : JSON.stringify(last.id),
  };
}
