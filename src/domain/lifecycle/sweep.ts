import { sql } from "drizzle-orm";
import type { Services } from "#context";
import { describeError } from "#core/describe-error";
import { read, runBatch, type Statement, statement } from "#db/client";
import { row } from "#db/row";
import { VECTOR_MODEL } from "#db/schema/jobs";
import { sealAll } from "#domain/audit";
import { bringAllForward, dueJobs } from "#domain/jobs";
import { INDEXABLES } from "./findings.ts";
import { type Meter, offerBacklog, offerWaiting, type Share, shareOf } from "./offer-jobs.ts";
import { type Upkeep, upkeep } from "./upkeep.ts";
import { work } from "./work.ts";

/** Jobs that one sweep runs itself, so that they run even if the queue delivers nothing; the others are sent to the queue. */
const JOBS_A_SWEEP = 100;

/** What the parts of a sweep may use. D1 allows 1,000 queries for each invocation; cron runs again after a minute. */
const SHARES = {
  offering: { ms: 15_000, statements: 150 },
  purge: { ms: 5_000, statements: 50 },
  upkeep: { ms: 25_000, statements: 400 },
} as const;

export type SweepReport = {
  /** Jobs that this sweep ran itself. */
  jobs: number;
  failed: number;
  /** Jobs that were sent to the queue. */
  offered: number;
  /** The same, for jobs that had waited for a server which answers again. */
  released: number;
  /** Jobs of low priority that were sent to the queue, one of a tenant at most. */
  broughtForward: number;
  modelChanged: boolean;
  purged: number;
  upkeep: Upkeep;
  sealed: number;
};

/**
 * Runs every minute by cron: finds jobs whose message was lost or whose consumer died and runs them here, notices a change of model,
 * deletes old rows, runs upkeep, and seals the audit log. Each part is bounded, and a failure of one does not stop the others. `meter`
 * counts the D1 queries of the invocation so far.
 */
export async function sweep(services: Services, meter: Meter = { statements: 0 }): Promise<SweepReport> {
  const modelChanged = await attempt(services, "adoptModel", () => adoptModel(services), false);
  const share = (part: keyof typeof SHARES) => shareOf(services, meter, SHARES[part]);
  // Before any job runs: a server is tested with a harmless request first, not with the job that it may fail on.
  const released = await attempt(services, "release", () => offerWaiting(services, share("offering")), 0);
  const own = await attempt(services, "jobs", () => dueJobs(services, JOBS_A_SWEEP), []);
  // In parallel: a job that hangs does not block those that the queue can deliver meanwhile.
  const [outcomes, offered] = await Promise.all([
    attempt(services, "jobs", () => work(services, own), []),
    attempt(services, "offer", () => offerBacklog(services, { except: own, share: share("offering") }), 0),
  ]);
  const broughtForward = await attempt(services, "lowPriority", () => bringAllForward(services), 0);
  const purged = await attempt(services, "purge", () => purgeFinished(services, share("purge")), 0);
  const kept = await attempt(services, "upkeep", () => upkeep(services, share("upkeep")), { turns: 0, steps: 0, changed: {} });
  const sealed = await attempt(services, "audit", () => sealAll(services), 0);
  const failed = outcomes.filter(({ status }) => status === "failed" || status === "pending").length;
  return { jobs: outcomes.length, failed, offered, released, broughtForward, modelChanged, purged, upkeep: kept, sealed };
}

/** A part that fails is logged and retried a minute later; the other parts still run. */
async function attempt<T>(services: Services, part: string, run: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    services.log("sweep.failed", { part, ...describeError(error) });
    return otherwise;
  }
}

const MODEL = row(VECTOR_MODEL.of(sql`v`, "model"));

/**
 * Notices that the configured model is not the one that made the last vectors, and enqueues jobs for every tenant that embed its rows
 * again. Vectors of the old model are left out of every ranking. Returns whether the model has changed.
 */
async function adoptModel(services: Pick<Services, "db" | "now" | "embedder">): Promise<boolean> {
  const { model, dimensions } = services.embedder;
  const now = services.now();
  const {
    latest: [latest],
  } = await read(services, {
    latest: statement(MODEL, sql`select ${MODEL.columns} from vector_models v order by v.adopted_at desc limit 1`),
  });
  if (latest?.model === model) return false;
  const adopt = services.db.run(sql`
    insert into vector_models (model, dimensions, adopted_at) values (${model}, ${dimensions}, ${now})
    on conflict (model) do update set adopted_at = excluded.adopted_at, dimensions = excluded.dimensions`);
  // The ids are derived from kind and time, so that two isolates that notice the change at once enqueue the same jobs.
  const jobs = INDEXABLES.map(({ kind, jobs: { reembed }, places }) =>
    services.db.run(sql`
      insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
      select t.id, ${`job_reembed_${kind}_${now}`}, ${reembed}, '{}', 'pending', 0, ${now}, ${now} from tenants t
      where exists (select 1 from ${sql.identifier(places.table)} p where p.tenant_id = t.id)
      on conflict (tenant_id, id) do nothing`),
  );
  await runBatch(services, [adopt, ...(latest === undefined ? [] : jobs)]);
  return latest !== undefined;
}

const DAY_MS = 86_400_000;
/** How long a finished job and an answered idempotency key are kept. */
const JOB_DAYS = 7;
const IDEMPOTENCY_DAYS = 1;
const ROWS_A_STEP = 1_000;

/**
 * Deletes old finished jobs and idempotency keys of all tenants, until none is left or the share is used. Failed jobs are kept for a
 * person.
 */
async function purgeFinished(services: Pick<Services, "db" | "now">, share: Share): Promise<number> {
  for (let purged = 0; ; ) {
    const counts = await purgeStep(services);
    purged += counts.reduce((sum, count) => sum + count, 0);
    if (share.isUsed() || counts.every((count) => count < ROWS_A_STEP)) return purged;
  }
}

async function purgeStep({ db, now }: Pick<Services, "db" | "now">): Promise<number[]> {
  const before = (days: number) => now() - days * DAY_MS;
  const statements: Statement[] = [
    db.run(sql`
      delete from jobs where (tenant_id, id) in (
        select tenant_id, id from jobs where status = 'done' and finished_at < ${before(JOB_DAYS)} order by finished_at limit ${ROWS_A_STEP})`),
    db.run(sql`
      delete from idempotency where (tenant_id, key_id, key) in (
        select tenant_id, key_id, key from idempotency where created_at < ${before(IDEMPOTENCY_DAYS)} order by created_at limit ${ROWS_A_STEP})`),
  ];
  const results = await runBatch({ db }, statements);
  return statements.map((one) => results.changes(one));
}
