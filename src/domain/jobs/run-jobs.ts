import { type SQL, sql } from "drizzle-orm";
import type { Caller, Services } from "#context";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { runBatch } from "#domain/audit";
import type { JobRef } from "#ports/jobs";
import { backOffMs, MAX_ATTEMPTS } from "./back-off.ts";

/** Longer than a batch of jobs may run; when it has passed, another consumer may take the job. */
export const LEASE_MS = 120_000;

/** Clocks of isolates differ a little: a job that was due when it was written is due for whoever gets its message. */
const SKEW_MS = 1_000;

/** Nothing new is started after this part of the lease, so that what is under way then can end within the rest. */
const WORKING_MS = LEASE_MS / 2;

const DIED = "internal: Its consumer ended before the job did, each time.";

export type LeasedJob = { tenantId: number; id: string; kind: string; payload: unknown; attempts: number };

/**
 * Carries out the jobs of one kind and one tenant together. It throws if they are to be tried again, all of them; past the
 * deadline (Unix milliseconds) it keeps what it has done and answers `unfinished` to be asked again for the rest.
 */
export type JobHandler = (
  ctx: Caller & Services,
  jobs: readonly LeasedJob[],
  run: { deadline: number },
) => Promise<"unfinished" | undefined> | Promise<void>;

export type JobOutcome =
  | { ref: JobRef; status: "done" | "failed" | "unfinished" }
  | { ref: JobRef; status: "pending"; retryInMs: number };

type Run = { handlers: Readonly<Record<string, JobHandler>>; leaseToken: string; deadline: number };

/**
 * Takes a lease on those of the jobs that are due, runs them, and writes down how it went. A job that is done, gone,
 * leased or not yet due is left alone, so a message may come twice. Tenants run side by side: one's failure or slowness is its own.
 */
export async function runJobs(
  services: Services,
  refs: readonly JobRef[],
  handlers: Readonly<Record<string, JobHandler>>,
): Promise<JobOutcome[]> {
  const run: Run = { handlers, leaseToken: crypto.randomUUID(), deadline: services.now() + WORKING_MS };
  const leased = await lease(services, refs, run.leaseToken);
  const tenants = Map.groupBy(leased, (job) => job.tenantId);
  const outcomes = await Promise.all([...tenants.values()].map((jobs) => runTenant(services, jobs, run)));
  return outcomes.flat();
}

/**
 * One group after another, because each may fill the embedder and the memory by itself. Jobs that failed before run alone and
 * last, so that one bad job cannot hold back the good ones that were batched with it.
 */
async function runTenant(services: Services, jobs: readonly LeasedJob[], run: Run): Promise<JobOutcome[]> {
  const inTurn = jobs.toSorted((a, b) => a.attempts - b.attempts);
  const groups = Map.groupBy(inTurn, (job) => `${job.kind} ${job.attempts > 1 ? job.id : ""}`);
  const outcomes: JobOutcome[] = [];
  for (const group of groups.values()) {
    const late = services.now() >= run.deadline;
    outcomes.push(...(late ? await handOn(services, group, run) : await runGroup(services, group, run)));
  }
  return outcomes;
}

async function lease(services: Services, refs: readonly JobRef[], leaseToken: string): Promise<LeasedJob[]> {
  if (refs.length === 0) return [];
  const now = services.now();
  const due = sql`
    (tenant_id, id) in (select value ->> 'tenantId', value ->> 'jobId' from json_each(${JSON.stringify(refs)}))
    and status in ('pending', 'running') and due_at <= ${now + SKEW_MS}`;
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

async function runGroup(services: Services, group: readonly LeasedJob[], run: Run): Promise<JobOutcome[]> {
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
    const end = await handler({ ...services, ...caller }, group, { deadline: run.deadline });
    if (end === "unfinished") return await handOn(services, group, run);
    await finish(services, group, { leaseToken: run.leaseToken, status: "done", error: null });
    return group.map((job) => ({ ref: refOf(job), status: "done" }));
  } catch (error) {
    services.log("job.failed", { kind: first.kind, jobs: group.map((job) => job.id), ...describeError(error) });
    return await Promise.all(group.map((job) => putBack(services, job, { leaseToken: run.leaseToken, reason: reasonOf(error) })));
  }
}

/** Due again at once and with its attempt given back: that time was short is no failure of the job. */
async function handOn(services: Services, group: readonly LeasedJob[], run: Run): Promise<JobOutcome[]> {
  await services.db.run(sql`
    update jobs set status = 'pending', attempts = attempts - 1, due_at = ${services.now()}, lease_token = null
    where ${among(group)} and lease_token = ${run.leaseToken}`);
  return group.map((job) => ({ ref: refOf(job), status: "unfinished" }));
}

async function finish(
  services: Services,
  group: readonly LeasedJob[],
  end: { leaseToken: string; status: "done" | "failed"; error: string | null },
): Promise<void> {
  await services.db.run(sql`
    update jobs set status = ${end.status}, error = ${end.error}, finished_at = ${services.now()}, lease_token = null
    where ${among(group)} and lease_token = ${end.leaseToken}`);
}

async function putBack(services: Services, job: LeasedJob, failure: { leaseToken: string; reason: string }): Promise<JobOutcome> {
  const ref = refOf(job);
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

function among(group: readonly LeasedJob[]): SQL {
  const refs = JSON.stringify(group.map((job) => [job.tenantId, job.id]));
  return sql`(tenant_id, id) in (select value ->> 0, value ->> 1 from json_each(${refs}))`;
}

function refOf(job: LeasedJob): JobRef {
  return { tenantId: job.tenantId, jobId: job.id };
}

/** Our own words are kept; of a stranger's error only the class, because its message may hold user text. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.name : "unknown";
}
