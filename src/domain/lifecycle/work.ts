import type { Caller, Services } from "#context";
import { describeError } from "#core/describe-error";
import { takeByModel, takeByRules } from "#domain/extraction";
import { forgetSaid } from "#domain/forgetting";
import { type Indexable, indexRows, reembed, removeVectors } from "#domain/indexing";
import { alone, type JobHandler, type JobOutcome, type JobRun, type LeasedJob, runJobs } from "#domain/jobs";
import { EPISODES, retagSessions } from "#domain/sessions";
import { readFile, removeRest } from "#domain/sources";
import type { JobRef } from "#ports/jobs";
import { classifyMemories } from "./classify-memories.ts";
import { INDEXABLES } from "./findings.ts";

function handlersOf(indexable: Indexable): Record<string, JobHandler> {
  return {
    [indexable.jobs.index]: (ctx, jobs, run) => indexRows(ctx, indexable, jobs, run),
    [indexable.jobs.reembed]: (ctx, jobs, run) => reembed(ctx, indexable, jobs, run),
    [indexable.jobs.remove]: (ctx, jobs) => removeVectors(ctx, indexable, jobs),
  };
}

/** The verb for each kind of job. */
const HANDLERS: Readonly<Record<string, JobHandler>> = {
  ...Object.assign({}, ...INDEXABLES.map(handlersOf)),
  "episodes.extract": alone(takeByModel),
  "episodes.forget": alone(forgetSaid),
  [EPISODES.jobs.index]: takeInEpisodes,
  "files.read": alone(readFile),
  "files.remove": alone(removeRest),
  "memories.classify": classifyMemories,
  "session.retag": retagSessions,
};

/** Runs the jobs that queue messages name. */
export async function work(services: Services, refs: readonly JobRef[]): Promise<JobOutcome[]> {
  return await runJobs(services, refs, HANDLERS);
}

/**
 * Processes stored episodes: rules extract knowledge from them, and they are embedded. The two are independent: what failed is retried,
 * what succeeded is marked and skipped then.
 */
async function takeInEpisodes(
  ctx: Caller & Services,
  jobs: readonly LeasedJob[],
  run: JobRun,
): Promise<"unfinished" | undefined> {
  const [taken, embedded] = [await settled(takeByRules(ctx, jobs, run)), await settled(indexRows(ctx, EPISODES, jobs, run))];
  if (embedded.status === "rejected") {
    // A job stores one reason: if both fail, the other is logged.
    if (taken.status === "rejected") ctx.log("extraction.failed", { requestId: ctx.requestId, ...describeError(taken.reason) });
    throw embedded.reason;
  }
  if (taken.status === "rejected") throw taken.reason;
  return taken.value ?? embedded.value;
}

async function settled<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([work]);
  return result;
}
