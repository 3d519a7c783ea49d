import { type SQL, sql } from "drizzle-orm";
import type { Caller, Services } from "#context";
import { describeError } from "#core/describe-error";
import { AppError, Refused, Unavailable } from "#core/errors";
import { readRows, runBatch, type Statement, statement } from "#db/client";
import { row } from "#db/row";
import { JOB } from "#db/schema/jobs";
import type { JobRef } from "#ports/jobs";
import { backOffMs, MAX_ATTEMPTS, OFFERED, WAIT_AT_MOST_MS } from "./due-jobs.ts";
import { GaveUp, type JobHandler, type JobResult, type JobRun, type LeasedJob } from "./job-handler.ts";
import { LOW_PRIORITY_KINDS } from "./low-priority.ts";
import { ANSWERS_OTHERS, isAnswering } from "./outage.ts";
import { WaitedFor } from "./schemas.ts";

/** Longer than a batch of jobs may run; after that another consumer may take the job. */
export const LEASE_MS = 120_000;

/** Clocks of isolates differ a little: a job that was due when it was written must be due for the consumer that gets its message. */
const SKEW_MS = 1_000;

/** Nothing new starts after this part of the lease, so that work in progress can finish within the rest. */
const WORKING_MS = LEASE_MS / 2;

const DIED = "internal: Its consumer ended before the job did, each time.";

/**
 * `waiting`: for a server that does not answer; the sweep runs it later. `lost`: the lease ran out and another consumer has taken the job;
 * that one records the outcome.
 */
export type JobOutcome =
  | { ref: JobRef; status: "done" | "failed" | "unfinished" | "waiting" | "lost" }
  | { ref: JobRef; status: "pending"; retryInMs: number };

/** How many parts of failed groups one call may run, shared by its tenants: an invocation may make a thousand statements. */
const PART_RUNS = 60;

type Run = { handlers: Readonly<Record<string, JobHandler>>; leaseToken: string; deadline: number };
/** Of one tenant: `parts` counts down. */
type TenantRun = Run & { parts: number };

/**
 * Takes a lease on the jobs that are due, runs them, and records the outcome. A job that is done, deleted, leased or not yet due is left
 * alone, so a message may arrive twice. Tenants run in parallel: a failure or slowness of one does not affect the others.
 */
export async function runJobs(
  services: Services,
  refs: readonly JobRef[],
  handlers: Readonly<Record<string, JobHandler>>,
): Promise<JobOutcome[]> {
  const run: Run = { handlers, leaseToken: crypto.randomUUID(), deadline: services.now() + WORKING_MS };
  const leased = await lease(services, refs, run);
  const tenants = Map.groupBy(leased, (job) => job.tenantId);
  const parts = Math.floor(PART_RUNS / Math.max(1, tenants.size));
  const outcomes = await Promise.all([...tenants.values()].map((jobs) => runTenant(services, jobs, { ...run, parts })));
  return outcomes.flat();
}

/**
 * Groups run one after another, because each may use all of the embedder and the memory. Jobs that failed before run alone and
 * last, but for those of low priority and those that wait for others. A group on which a server fails is split, so that one bad job cannot block the good ones in its batch.
 */
async function runTenant(services: Services, jobs: readonly LeasedJob[], run: TenantRun): Promise<JobOutcome[]> {
  const isLow = ({ kind }: LeasedJob) => Number(LOW_PRIORITY_KINDS.includes(kind));
  const isLast = ({ kind }: LeasedJob) => Number(run.handlers[kind]?.isLast === true);
  const inTurn = jobs.toSorted((a, b) => isLast(a) - isLast(b) || isLow(a) - isLow(b) || a.attempts - b.attempts);
  const isAlone = (job: LeasedJob) => job.attempts > 1 || run.handlers[job.kind]?.isAlone === true;
  const groups = Map.groupBy(inTurn, (job) => `${job.kind} ${isAlone(job) ? job.id : ""}`);
  const outcomes: JobOutcome[] = [];
  for (const group of groups.values()) {
    outcomes.push(...(await runInTime(services, group, { run, progress: new Map() })));
  }
  return outcomes;
}

type GroupRun = { run: TenantRun; progress: Map<string, JobResult> };

async function runInTime(services: Services, group: readonly LeasedJob[], { run, progress }: GroupRun): Promise<JobOutcome[]> {
  if (services.now() < run.deadline) return await runGroup(services, group, { run, progress });
  return await continueLater(services, group, { leaseToken: run.leaseToken, progress });
}

const LEASED = row(JOB.of(sql`jobs`, "tenantId", "id", "kind", "payload", "attempts", "result"));
const ID = row(JOB.of(sql`jobs`, "id"));
const DEAD = row(JOB.of(sql`jobs`, "tenantId", "id", "kind"));

async function lease(services: Services, refs: readonly JobRef[], { handlers, leaseToken }: Run): Promise<LeasedJob[]> {
  if (refs.length === 0) return [];
  const now = services.now();
  const due = sql`
    (tenant_id, id) in (select value ->> 'tenantId', value ->> 'jobId' from json_each(${JSON.stringify(refs)}))
    and status in ('pending', 'running') and (due_at <= ${now + SKEW_MS} or lease_token = ${OFFERED})`;
  const leased = statement(
    LEASED,
    sql`
    update jobs set ${JOB.set({
      ...{ status: "running", attempts: sql`attempts + 1`, leaseToken, dueAt: now + LEASE_MS, waitingFor: null },
    })}
    where ${due} returning ${LEASED.columns}`,
  );
  // A job that crashes its consumer every time never records its own failure.
  const dead = statement(
    DEAD,
    sql`
    update jobs set ${JOB.set({ status: "failed", error: DIED, finishedAt: now, leaseToken: null })}
    where ${due} and status = 'running' and attempts >= ${MAX_ATTEMPTS} returning ${DEAD.columns}`,
  );
  const results = await runBatch(services, [dead, leased]);
  const failures = results.rows(dead).flatMap((job) => afterFailure(services, handlers[job.kind], [job]));
  if (failures.length > 0) await runBatch(services, failures);
  return results.rows(leased);
}

async function runGroup(services: Services, group: readonly LeasedJob[], { run, progress }: GroupRun): Promise<JobOutcome[]> {
  const [first] = group;
  if (first === undefined) return [];
  const caller: Caller = {
    tenantId: first.tenantId,
    actor: { kind: "job", id: `job:${first.kind}` },
    requestId: first.id,
    idempotent: null,
  };
  const end = { leaseToken: run.leaseToken, progress };
  try {
    const handler = run.handlers[first.kind];
    if (handler === undefined) throw new AppError("internal", `No handler for jobs of kind ${first.kind}.`);
    const report: JobRun["report"] = (job, result) => void progress.set(job.id, result);
    const outcome = await handler({ ...services, ...caller }, group, { deadline: run.deadline, report });
    if (outcome === "unfinished") return await continueLater(services, group, end);
    return await finish(services, group, { ...end, status: "done", error: null });
  } catch (error) {
    services.log("job.failed", { kind: first.kind, jobs: group.map((job) => job.id), ...describeError(error) });
    const waitsFor = await outageBehind(services, error, group);
    if (waitsFor !== null) return await wait(services, group, { ...end, waitsFor, reason: reasonOf(error) });
    if (group.length > 1 && serverBehind(error) !== null && run.parts >= 2 && services.now() < run.deadline)
      return await runHalves(services, group, { run, progress });
    const after = afterFailure(services, run.handlers[first.kind], group);
    const failure = {
      ...end,
      after,
      isHopeless: error instanceof GaveUp,
      reason: reasonOf(error),
      lastReason: lastReasonOf(error),
    };
    const outcomes = group.map((job) => putBack(services, job, failure));
    return (await Promise.all(outcomes)).flat();
  }
}

/** A reachable server that failed on a group may fail on one job of it: halves without that job succeed, the others are split again. */
async function runHalves(services: Services, group: readonly LeasedJob[], { run, progress }: GroupRun): Promise<JobOutcome[]> {
  run.parts -= 2;
  const jobs = group.map((job) => ({ ...job, result: progress.get(job.id) ?? job.result }));
  const half = Math.ceil(jobs.length / 2);
  const first = await runInTime(services, jobs.slice(0, half), { run, progress });
  return [...first, ...(await runInTime(services, jobs.slice(half), { run, progress }))];
}

/** The server that an error came from. */
function serverBehind(error: unknown): WaitedFor | null {
  const server = WaitedFor.safeParse(error instanceof Unavailable || error instanceof Refused ? error.dependency : null);
  return server.success ? server.data : null;
}

/**
 * The server whose failure ended the run, if the job should wait for it: its circuit is open, or a test request fails too (it is down,
 * something else answers in its place, or its key is wrong). If the test request succeeds, the server failed on this job's content, and the
 * try counts.
 */
async function outageBehind(services: Services, error: unknown, group: readonly LeasedJob[]): Promise<WaitedFor | null> {
  const server = serverBehind(error);
  if (server === null) return null;
  if (error instanceof Unavailable) {
    if (error.isOpen) return server;
    if (group.every(({ attempts }) => attempts < MAX_ATTEMPTS)) return null;
    if (error.kind === "busy") return server;
  }
  return (await isAnswering(services, server)) ? null : server;
}

type End = { leaseToken: string; progress: ReadonlyMap<string, JobResult> };

/** Due again at once, and the attempt is not counted: running out of time is no failure of the job. */
async function continueLater(services: Services, group: readonly LeasedJob[], end: End): Promise<JobOutcome[]> {
  const change = sql`status = 'pending', attempts = attempts - 1, due_at = ${services.now()}`;
  return await releaseLeases(services, group, { ...end, change, as: (ref) => ({ ref, status: "unfinished" }) });
}

/** Waits until the server answers again, however long that takes; the attempt is not counted. */
async function wait(
  services: Services,
  group: readonly LeasedJob[],
  end: End & { waitsFor: WaitedFor; reason: string },
): Promise<JobOutcome[]> {
  const now = services.now();
  const change = JOB.set({
    ...{ status: "pending", attempts: sql`attempts - 1`, error: end.reason, dueAt: now + WAIT_AT_MOST_MS },
    ...{ waitingFor: end.waitsFor, waitingSince: sql`coalesce(waiting_since, ${now})` },
  });
  return await releaseLeases(services, group, { ...end, change, as: (ref) => ({ ref, status: "waiting" }) });
}

async function finish(
  services: Services,
  group: readonly LeasedJob[],
  end: End & { status: "done" | "failed"; error: string | null; after?: readonly Statement[] },
): Promise<JobOutcome[]> {
  const { status, error } = end;
  const change = JOB.set({ status, error, finishedAt: services.now(), waitingSince: null });
  return await releaseLeases(services, group, { ...end, change, as: (ref) => ({ ref, status }) });
}

async function putBack(
  services: Services,
  job: LeasedJob,
  failure: End & { isHopeless: boolean; reason: string; lastReason: string; after: readonly Statement[] },
): Promise<JobOutcome[]> {
  const { isHopeless, reason, lastReason } = failure;
  if (isHopeless || job.attempts >= MAX_ATTEMPTS)
    return await finish(services, [job], { ...failure, status: "failed", error: lastReason });
  const retryInMs = backOffMs(job.attempts);
  const change = JOB.set({ status: "pending", error: reason, dueAt: services.now() + retryInMs });
  return await releaseLeases(services, [job], {
    ...failure,
    after: [],
    change,
    as: (ref) => ({ ref, status: "pending", retryInMs }),
  });
}

/** Releases the leases with the changes. If a lease was lost, nothing is written, and the outcome is `lost`. */
async function releaseLeases(
  services: Services,
  group: readonly LeasedJob[],
  end: End & { change: SQL; as: (ref: JobRef) => JobOutcome; after?: readonly Statement[] },
): Promise<JobOutcome[]> {
  const update = statement(
    ID,
    sql`
    update jobs set ${end.change}, ${JOB.set({ leaseToken: null, result: resultOf(end) })}
    where ${among(group)} and lease_token = ${end.leaseToken} returning ${ID.columns}`,
  );
  const { after = [] } = end;
  const released =
    after.length === 0 ? await readRows(services, update) : (await runBatch(services, [update, ...after])).rows(update);
  const held = new Set(released.map(({ id }) => id));
  const lost = group.filter(({ id }) => !held.has(id)).map(({ id }) => id);
  if (lost.length > 0) services.log("job.lease_lost", { kind: group[0]?.kind ?? "", jobs: lost });
  return group.map((job) => (held.has(job.id) ? end.as(refOf(job)) : { ref: refOf(job), status: "lost" }));
}

type DeadJob = Pick<LeasedJob, "tenantId" | "id">;

/** The result reported in this run, else the stored one. */
function resultOf({ progress }: End): SQL {
  if (progress.size === 0) return sql`result`;
  return sql`coalesce((select t.value from json_each(${JSON.stringify(Object.fromEntries(progress))}) t where t.key = jobs.id), result)`;
}

function afterFailure(services: Services, handler: JobHandler | undefined, jobs: readonly DeadJob[]): Statement[] {
  return handler?.afterFailure?.(services, jobs.map(refOf)) ?? [];
}

function among(group: readonly LeasedJob[]): SQL {
  const refs = JSON.stringify(group.map((job) => [job.tenantId, job.id]));
  return sql`(tenant_id, id) in (select value ->> 0, value ->> 1 from json_each(${refs}))`;
}

function refOf(job: DeadJob): JobRef {
  return { tenantId: job.tenantId, jobId: job.id };
}

/** The message of our own errors; of a foreign error only the class, because its message may hold user text. */
function reasonOf(error: unknown): string {
  if (error instanceof GaveUp) return error.message;
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.name : "unknown";
}

/** The reason records whether a server failed on this job alone, or was down; the doctor's repair runs the latter again. */
function lastReasonOf(error: unknown): string {
  return serverBehind(error) !== null ? `${reasonOf(error)} ${ANSWERS_OTHERS}` : reasonOf(error);
}
