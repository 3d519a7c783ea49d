import type { Caller, Services } from "#context";
import { describeError } from "#core/describe-error";
import { type OfImport, takeByRules } from "#domain/extraction";
import { indexRows } from "#domain/indexing";
import type { JobRun, LeasedJob } from "#domain/jobs";
import { EPISODES } from "#domain/sessions";

/**
 * Processes stored episodes: rules extract knowledge from them, and they are embedded. The two are independent: what failed is retried,
 * what succeeded is marked and skipped then.
 */
export async function takeInEpisodes(
  ctx: Caller & Services,
  jobs: readonly LeasedJob[],
  run: JobRun & { ofImport?: OfImport },
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
