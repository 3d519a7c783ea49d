import type { Services } from "#context";
import { describeError } from "#core/describe-error";
import { sealAll } from "#domain/audit";
import { indexEntities, removeEntityVectors } from "#domain/entities";
import { takeByModel } from "#domain/extraction";
import { alone, dueJobs, type JobHandler, type JobOutcome, runJobs } from "#domain/jobs";
import { indexMemories, removeMemoryVectors } from "#domain/memories";
import { reembedEpisodes, removeVectors, retagSessions } from "#domain/sessions";
import type { JobRef } from "#ports/jobs";
import { adoptModel } from "./adopt-model.ts";
import { type Meter, shareOf } from "./budget.ts";
import { classifyMemories } from "./classify-memories.ts";
import { offerBacklog, offerWaiting } from "./offer-jobs.ts";
import { purge } from "./purge.ts";
import { reembedEntities } from "./reembed-entities.ts";
import { reembedMemories } from "./reembed-memories.ts";
import { takeInEpisodes } from "./take-in-episodes.ts";
import { type Upkeep, upkeep } from "./upkeep.ts";

/** Which verb carries out which kind of job. */
const HANDLERS: Readonly<Record<string, JobHandler>> = {
  "entities.index": indexEntities,
  "entities.reembed": reembedEntities,
  "entities.remove": removeEntityVectors,
  "episodes.extract": alone(takeByModel),
  "episodes.index": takeInEpisodes,
  "episodes.reembed": reembedEpisodes,
  "memories.classify": classifyMemories,
  "memories.index": indexMemories,
  "memories.reembed": reembedMemories,
  "memories.remove": removeMemoryVectors,
  "session.retag": retagSessions,
  "vectors.remove": removeVectors,
};

/** Jobs that one sweep runs by itself, so that they get done though the queue delivers nothing; the queue gets the others. */
const JOBS_A_SWEEP = 100;

/** What the parts of a sweep may use. D1 takes 1,000 queries an invocation; cron comes again after a minute. */
const SHARES = {
  offering: { ms: 15_000, statements: 150 },
  purge: { ms: 5_000, statements: 50 },
  upkeep: { ms: 25_000, statements: 400 },
} as const;

/** Runs the jobs that queue messages name. */
export async function work(services: Services, refs: readonly JobRef[]): Promise<JobOutcome[]> {
  return await runJobs(services, refs, HANDLERS);
}

export type SweepReport = {
  /** Jobs that this sweep ran by itself. */
  jobs: number;
  failed: number;
  /** Jobs that were sent to the queue. */
  offered: number;
  /** The same, of jobs that had waited for a server which answers again. */
  released: number;
  modelChanged: boolean;
  purged: number;
  upkeep: Upkeep;
  sealed: number;
};

/**
 * What cron does every minute: finds jobs whose message was lost or whose consumer died and runs them here, notices a
 * change of model, clears away what has had its time, keeps tenants in order, and seals the audit. Each part is bounded and none stops another.
 * `meter` counts what the invocation has asked of D1 so far.
 */
export async function sweep(services: Services, meter: Meter = { statements: 0 }): Promise<SweepReport> {
  const modelChanged = await attempt(services, "adoptModel", () => adoptModel(services), false);
  const share = (part: keyof typeof SHARES) => shareOf(services, meter, SHARES[part]);
  // Before any job runs: a server is tried with something harmless first, and not with the very job that it may fail on.
  const released = await attempt(services, "release", () => offerWaiting(services, share("offering")), 0);
  const own = await attempt(services, "jobs", () => dueJobs(services, JOBS_A_SWEEP), []);
  // Side by side: a job that hangs does not hold back what the queue can do meanwhile.
  const [outcomes, offered] = await Promise.all([
    attempt(services, "jobs", () => work(services, own), []),
    attempt(services, "offer", () => offerBacklog(services, { except: own, share: share("offering") }), 0),
  ]);
  const purged = await attempt(services, "purge", () => purge(services, share("purge")), 0);
  const kept = await attempt(services, "upkeep", () => upkeep(services, share("upkeep")), { turns: 0, steps: 0, changed: {} });
  const sealed = await attempt(services, "audit", () => sealAll(services), 0);
  const failed = outcomes.filter(({ status }) => status === "failed" || status === "pending").length;
  return { jobs: outcomes.length, failed, offered, released, modelChanged, purged, upkeep: kept, sealed };
}

/** A part that fails is logged and tried again a minute later; the other parts have their turn all the same. */
async function attempt<T>(services: Services, part: string, run: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    services.log("sweep.failed", { part, ...describeError(error) });
    return otherwise;
  }
}
