import { z } from "zod";
import type { JobRun, LeasedJob } from "#domain/jobs";
import { type FollowCtx, followRequests } from "./follow-requests.ts";

/** Episodes with a request in them, each with the user who sent it. */
const Payload = z.object({ episodes: z.array(z.object({ id: z.number().int(), by: z.number().int().nullish() })) });

/** Follows the requests of these episodes that were not followed when they were stored. Reports counts. */
export async function forgetSaid(ctx: FollowCtx, jobs: readonly LeasedJob[], run: JobRun): Promise<void> {
  for (const job of jobs) {
    const counts = { requests: 0, forgotten: 0, notFound: 0, memories: 0, passages: 0, facts: 0 };
    for (const { id, by } of Payload.parse(job.payload).episodes) {
      for (const outcome of await followRequests(ctx, id, by ?? null)) {
        counts.requests += 1;
        if (outcome === "not_found") counts.notFound += 1;
        if (typeof outcome === "string") continue;
        counts.forgotten += 1;
        counts.memories += outcome.memories;
        counts.passages += outcome.redacted.length;
        counts.facts += outcome.facts;
      }
    }
    run.report(job, { ...job.result, ...counts });
  }
}
