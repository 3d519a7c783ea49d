import type { Services } from "#context";
import { failErasures, runErasures } from "#domain/erasures";
import { takeByModel } from "#domain/extraction";
import { forgetSaid } from "#domain/forgetting";
import { type Indexable, indexRows, reembed, removeVectors } from "#domain/indexing";
import { alone, type JobHandler, type JobOutcome, runJobs } from "#domain/jobs";
import { EPISODES, retagSessions } from "#domain/sessions";
import { failUnread, readFile, removeRest } from "#domain/sources";
import type { JobRef } from "#ports/jobs";
import { classifyMemories } from "./classify-memories.ts";
import { INDEXABLES } from "./findings.ts";
import { REBUILD, rebuild } from "./rebuild.ts";
import { takeInEpisodes } from "./take-in-episodes.ts";
import { takeInImported, thenNext } from "./take-in-imported.ts";

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
  "episodes.extractLater": alone(thenNext(takeByModel)),
  "episodes.import": alone(thenNext(takeInImported)),
  "episodes.forget": alone(forgetSaid),
  [EPISODES.jobs.index]: takeInEpisodes,
  [REBUILD]: alone(rebuild),
  "erasures.run": alone(runErasures, { isLast: true, afterFailure: failErasures }),
  "files.read": alone(readFile, { afterFailure: failUnread }),
  "files.remove": alone(removeRest),
  "memories.classify": classifyMemories,
  "session.retag": retagSessions,
};

/** Runs the jobs that queue messages name. */
export async function work(services: Services, refs: readonly JobRef[]): Promise<JobOutcome[]> {
  return await runJobs(services, refs, HANDLERS);
}
