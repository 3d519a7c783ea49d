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
import { classifyMemories } from "./classify-memories.ts";
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

/** Jobs that one sweep runs; what is left is due for the next. */
const JOBS_A_SWEEP = 100;

/** Runs the jobs that queue messages name. */
export async function work(services: Services, refs: readonly JobRef[]): Promise<JobOutcome[]> {
  return await runJobs(services, refs, HANDLERS);
}

export type SweepReport = { jobs: number; failed: number; modelChanged: boolean; purged: number; upkeep: Upkeep; sealed: number };

/**
 * What cron does every minute: finds jobs whose message was lost or whose consumer died and runs them here, notices a
 * change of model, clears away what has had its time, keeps tenants in order, and seals the audit. Each part is bounded and none stops another.
 */
export async function sweep(services: Services): Promise<SweepReport> {
  const modelChanged = await attempt(services, "adoptModel", () => adoptModel(services), false);
  const outcomes = await attempt(services, "jobs", async () => await work(services, await dueJobs(services, JOBS_A_SWEEP)), []);
  const purged = await attempt(services, "purge", () => purge(services), 0);
  const kept = await attempt(services, "upkeep", () => upkeep(services), { turns: 0, changed: {} });
  const sealed = await attempt(services, "audit", () => sealAll(services), 0);
  const failed = outcomes.filter(({ status }) => status === "failed" || status === "pending").length;
  return { jobs: outcomes.length, failed, modelChanged, purged, upkeep: kept, sealed };
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
