import { z } from "zod";
import type { Caller, Services } from "#context";
import { indexRows } from "#domain/indexing";
import { bringForward, type JobHandler, type JobResult, type JobRun, type LeasedJob, LOW_PRIORITY_RUN_MS } from "#domain/jobs";
import { EPISODES } from "#domain/sessions";
import { takeInEpisodes } from "./take-in-episodes.ts";

const Range = z.object({ from: z.number().int(), chunks: z.number().int().min(1), by: z.number().int().nullish() });
const Payload = z.object({ extraction: z.enum(["off", "rules", "model"]), ranges: z.array(Range) });
/** How many of the ranges earlier runs have done. */
const Before = z.object({ done: z.number().int().default(0) });

/** Passages that are processed at a time. */
const PASSAGES_A_STEP = 256;

/**
 * Processes episodes of an import: as those that an app sends, or their vectors only if nothing is to be extracted. A run takes a few
 * seconds and leaves the rest to the next one, whose message is behind those of other jobs.
 */
export async function takeInImported(
  ctx: Caller & Services,
  jobs: readonly LeasedJob[],
  run: JobRun,
): Promise<"unfinished" | undefined> {
  const [job] = jobs;
  if (job === undefined) return undefined;
  const { extraction, ranges } = Payload.parse(job.payload);
  const deadline = Math.min(run.deadline, ctx.now() + LOW_PRIORITY_RUN_MS);
  let { done } = Before.parse(job.result ?? {});
  let result: JobResult = { ...job.result };
  const report = (next: JobResult) => {
    result = { ...next, done };
    run.report(job, result);
  };
  while (done < ranges.length) {
    const step = stepOf(ranges.slice(done));
    const parts = step.map((range) => ({ ...job, payload: range, result: null }));
    const counts = sums(result);
    const share: JobRun = { deadline, report: (_, part) => report(counts.add(part)) };
    const outcome =
      extraction === "off"
        ? await indexRows(ctx, EPISODES, parts, share)
        : await takeInEpisodes(ctx, parts, { ...share, ofImport: { model: extraction === "model" } });
    if (outcome === "unfinished") return "unfinished";
    done += step.length;
    report(result);
    // The rules may have stored as much as one run can: see `takeByRules`.
    if (done < ranges.length && (extraction !== "off" || ctx.now() >= deadline)) return "unfinished";
  }
  return undefined;
}

/** The first of these ranges, as many as one step takes. */
function stepOf<R extends { chunks: number }>(ranges: readonly R[]): R[] {
  let room = PASSAGES_A_STEP;
  const step: R[] = [];
  for (const range of ranges) {
    room -= range.chunks;
    if (step.length > 0 && room < 0) break;
    step.push(range);
  }
  return step;
}

/** Adds counts of parts to those of earlier runs. */
function sums(before: JobResult) {
  const total: JobResult = { ...before };
  return {
    add(part: JobResult): JobResult {
      for (const [name, value] of Object.entries(part)) {
        const sum = total[name];
        total[name] = typeof value === "number" && typeof sum === "number" ? sum + value : value;
      }
      return { ...total };
    },
  };
}

/** Brings the tenant's next job of low priority forward when this one has ended, well or not. */
export function thenNext(handler: JobHandler): JobHandler {
  return async (ctx, jobs, run) => {
    let outcome: "unfinished" | undefined;
    try {
      outcome = (await handler(ctx, jobs, run)) ?? undefined;
    } finally {
      if (outcome !== "unfinished") ctx.defer(() => bringForward(ctx, ctx.tenantId, { except: jobs[0]?.id ?? "" }));
    }
    return outcome;
  };
}
