import { sql } from "drizzle-orm";
import { z } from "zod";
import { read, statement } from "#db/client";
import { flag, integer, nullable, row, text } from "#db/row";
import { JOB } from "#db/schema/jobs";
import { AUDIT_SEAL } from "#db/schema/tenants";
import { verifyAudit } from "#domain/audit";
import { readCursor, type Step } from "#domain/indexing";
import { isOutage } from "#domain/jobs";
import type { CheckResult } from "./findings.ts";
import type { UpkeepCtx } from "./step.ts";

/** All its tries take less than two hours. */
const STUCK_MS = 86_400_000;
const JOBS_A_STEP = 1_000;

/** The tenant's unfinished jobs, the oldest due first. A job that is stuck waits for a person. */
export async function checkJobs(ctx: UpkeepCtx, { limit }: Step): Promise<CheckResult> {
  const before = ctx.now() - STUCK_MS;
  const shape = row({ ...JOB.of(sql`j`, "id"), isStuck: flag(sql`j.created_at < ${before} and j.due_at < ${before}`) });
  const { jobs } = await read(ctx, {
    jobs: statement(
      shape,
      sql`select ${shape.columns} from jobs j indexed by jobs_open
        where j.tenant_id = ${ctx.tenantId} and j.status in ('pending', 'running') order by j.due_at, j.id limit ${JOBS_A_STEP}`,
    ),
  });
  const stuck = jobs.filter(({ isStuck }) => isStuck).slice(0, limit);
  return {
    checked: { "job.open": jobs.length },
    findings: stuck.map(({ id }) => ({ invariant: "job.open", example: id, repair: null })),
    next: null,
  };
}

/** Waiting jobs are counted up to this number. */
const MAX_COUNTED = 10_000;

const WAITING = row({
  reason: nullable(text(sql`error`)),
  jobs: integer(sql`count(*)`),
  since: nullable(integer(sql`min(waiting_since)`)),
  example: nullable(text(sql`min(id)`)),
});

/** How many of the tenant's jobs wait for which server and why, and since when the oldest of them has waited. */
export async function checkWaitingJobs(ctx: UpkeepCtx): Promise<CheckResult> {
  const { waiting } = await read(ctx, {
    waiting: statement(
      WAITING,
      sql`select ${WAITING.columns} from (
          select waiting_for, error, waiting_since, id from jobs indexed by jobs_waiting
          where waiting_for in ('embedder', 'vectors', 'chatModel') and tenant_id = ${ctx.tenantId} limit ${MAX_COUNTED})
        group by waiting_for, error`,
    ),
  });
  return {
    checked: { "job.waiting": waiting.reduce((sum, { jobs }) => sum + jobs, 0) },
    findings: waiting.map(({ reason, jobs, since, example }) => ({
      ...{ invariant: "job.waiting", example, repair: null, count: jobs },
      ...(reason === null ? {} : { reason }),
      ...(since === null ? {} : { since }),
    })),
    next: null,
  };
}

const FAILED = row(JOB.of(sql`j`, "id", "error"));

/** The tenant's failed jobs. Those that failed in a server's outage come with a repair that runs them again. */
export async function checkFailedJobs(ctx: UpkeepCtx, { cursor, limit }: Step): Promise<CheckResult> {
  const after = cursor === "" ? "" : readCursor(z.string(), cursor);
  const { failed } = await read(ctx, {
    failed: statement(
      FAILED,
      sql`select ${FAILED.columns} from jobs j indexed by jobs_failed
        where j.tenant_id = ${ctx.tenantId} and j.status = 'failed' and j.id > ${after} order by j.id limit ${limit}`,
    ),
  });
  const last = failed.length < limit ? undefined : failed.at(-1);
  return {
    checked: { "job.failed": failed.length },
    findings: failed.map(({ id, error }) => ({
      invariant: "job.failed",
      example: id,
      repair: isOutage(error ?? "") ? { kind: "job.rerun", jobId: id } : null,
    })),
    next: last === undefined ? null : JSON.stringify(last.id),
  };
}

/** One verification recomputes 5,000 rows, and the seal that it starts from may be 2,000 further back. `GET /v1/audit/verify` checks all. */
const LAST_ROWS = 3_000;

const SEAL = row(AUDIT_SEAL.of(sql`s`, "seq"));

/** Whether the tenant's last audit rows have no gap and match their seals. Rows without a seal are sealed first. */
export async function checkAudit(ctx: UpkeepCtx, _step: Step): Promise<CheckResult> {
  const {
    seal: [seal],
  } = await read(ctx, {
    seal: statement(
      SEAL,
      sql`select ${SEAL.columns} from audit_seals s where s.tenant_id = ${ctx.tenantId}
        and s.seq <= (select max(seq) from audit where tenant_id = ${ctx.tenantId}) - ${LAST_ROWS} order by s.seq desc limit 1`,
    ),
  });
  const { intact, checked } = await verifyAudit(ctx, { from: seal?.seq ?? 0 });
  return {
    checked: { "audit.chain": checked },
    findings: intact ? [] : [{ invariant: "audit.chain", example: null, repair: null }],
    next: null,
  };
}
