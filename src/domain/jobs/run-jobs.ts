import { sql } from "drizzle-orm";
import type { Caller, Services } from "#context";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { runBatch } from "#domain/audit";
import type { JobRef } from "#ports/jobs";
import { backOffMs, MAX_ATTEMPTS } from "./back-off.ts";

/** Longer than a batch of jobs may run; when it has passed, another consumer may take the job. */
export const LEASE_MS = 120_000;

const DIED = "internal: Its consumer ended before the job did, each time.";

export type LeasedJob = { tenantId: number; id: string; kind: string; payload: unknown; attempts: number };

/** Carries out the jobs of one kind and one tenant together. It throws if they are to be tried again, all of them. */
export type JobHandler = (ctx: Caller & Services, jobs: readonly LeasedJob[]) => Promise<void>;

export type JobOutcome = { ref: JobRef; status: "done" | "failed" } | { ref: JobRef; status: "pending"; retryInMs: number };

/**
 * Takes a lease on those of the jobs that are due, runs them, and writes down how it went. A job that is done, gone,
 * leased or not yet due is left alone, so a message may come twice. Tenants run side by side: one's failure or slowness is its own.
 */
export async function runJobs(
  services: Services,
  refs: readonly JobRef[],
  handlers: Readonly<Record<string, JobHandler>>,
): Promise<JobOutcome[]> {
  const leaseToken = crypto.randomUUID();
  const leased = await lease(services, refs, leaseToken);
  const groups = Map.groupBy(leased, (job) => `${job.tenantId} ${job.kind} ${job.attempts > 1 ? job.id : ""}`);
  const outcomes = await Promise.all([...groups.values()].map((group) => runGroup(services, group, { handlers, leaseToken })));
  return outcomes.flat();
}

async function lease(services: Services, refs: readonly JobRef[], leaseToken: string): Promise<LeasedJob[]> {
  if (refs.length === 0) return [];
  const now = services.now();
  const due = sql`
    (tenant_id, id) in (select value ->> 'tenantId', value ->> 'jobId' from json_each(${JSON.stringify(refs)}))
    and status in ('pending', 'running') and due_at <= ${now}`;
  const [, leased] = await runBatch(services, [
    // A job that ends its consumer each time never gets as far as its own failure.
    services.db.run(sql`
      update jobs set status = 'failed', error = ${DIED}, finished_at = ${now}, lease_token = null
      where ${due} and status = 'running' and attempts >= ${MAX_ATTEMPTS}`),
    services.db.run(sql`
      update jobs set status = 'running', attempts = attempts + 1, lease_token = ${leaseToken}, due_at = ${now + LEASE_MS}
      where ${due} returning tenant_id as tenantId, id, kind, payload, attempts`),
  ]);
  const rows = (leased?.rows ?? []) as { tenantId: number; id: string; kind: string; payload: string; attempts: number }[];
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) }));
}

/** Jobs that failed before run alone, so that one bad job cannot hold back the good ones that were batched with it. */
async function runGroup(
  services: Services,
  group: readonly LeasedJob[],
  run: { handlers: Readonly<Record<string, JobHandler>>; leaseToken: string },
): Promise<JobOutcome[]> {
  const [first] = group;
  if (first === undefined) return [];
  const caller: Caller = {
    tenantId: first.tenantId,
    actor: { kind: "job", id: `job:${first.kind}` },
    requestId: first.id,
    idempotent: null,
  };
  try {
    const handler = run.handlers[first.kind];
    if (handler === undefined) throw new AppError("internal", `No handler for jobs of kind ${first.kind}.`);
    await handler({ ...services, ...caller }, group);
    await finish(services, group, { leaseToken: run.leaseToken, status: "done", error: null });
    return group.map((job) => ({ ref: { tenantId: job.tenantId, jobId: job.id }, status: "done" }));
  } catch (error) {
    services.log("job.failed", { kind: first.kind, jobs: group.map((job) => job.id), ...describeError(error) });
    return await Promise.all(group.map((job) => putBack(services, job, { leaseToken: run.leaseToken, reason: reasonOf(error) })));
  }
}

async function finish(
  services: Services,
  group: readonly LeasedJob[],
  end: { leaseToken: string; status: "done" | "failed"; error: string | null },
): Promise<void> {
  const refs = JSON.stringify(group.map((job) => [job.tenantId, job.id]));
  await services.db.run(sql`
    update jobs set status = ${end.status}, error = ${end.error}, finished_at = ${services.now()}, lease_token = null
    where (tenant_id, id) in (select value ->> 0, value ->> 1 from json_each(${refs})) and lease_token = ${end.leaseToken}`);
}

async function putBack(services: Services, job: LeasedJob, failure: { leaseToken: string; reason: string }): Promise<JobOutcome> {
  const ref = { tenantId: job.tenantId, jobId: job.id };
  if (job.attempts >= MAX_ATTEMPTS) {
    await finish(services, [job], { leaseToken: failure.leaseToken, status: "failed", error: failure.reason });
    return { ref, status: "failed" };
  }
  const retryInMs = backOffMs(job.attempts);
  await services.db.run(sql`
    update jobs set status = 'pending', error = ${failure.reason}, due_at = ${services.now() + retryInMs}, lease_token = null
    where tenant_id = ${job.tenantId} and id = ${job.id} and lease_token = ${failure.leaseToken}`);
  return { ref, status: "pending", retryInMs };
}

/** Our own words are kept; of a stranger's error only the class, because its message may hold user text. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.name : "unknown";
}
