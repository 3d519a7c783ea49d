import type { Caller, Services } from "#context";
import { describeError } from "#core/describe-error";
import { takeByRules } from "#domain/extraction";
import type { JobRun, LeasedJob } from "#domain/jobs";
import { indexEpisodes } from "#domain/sessions";

/**
 * What happens to episodes after they were stored: knowledge is taken from them by rules, and they are embedded. Neither waits for the
 * other's success; what failed is tried again, and what was done is marked and left alone then.
 */
export async function takeInEpisodes(
  ctx: Caller & Services,
  jobs: readonly LeasedJob[],
  run: JobRun,
): Promise<"unfinished" | undefined> {
  const [taken, embedded] = [await settled(takeByRules(ctx, jobs, run)), await settled(indexEpisodes(ctx, jobs, run))];
  if (embedded.status === "rejected") {
    // A job keeps one reason: of two, the other is told to the log.
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
