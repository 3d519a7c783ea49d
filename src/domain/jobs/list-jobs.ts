import { and, desc, eq, lt } from "drizzle-orm";
import type { Ctx } from "#context";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { jobs } from "#db/schema/jobs";
import type { JobListInput, JobView } from "./schemas.ts";
import { toJob } from "./view.ts";

/** The tenant's jobs, newest first. */
export async function listJobs(ctx: Ctx<"db">, input: JobListInput): Promise<Page<JobView>> {
  requirePermission(ctx.actor, "read");
  const [before] = input.cursor === undefined ? [] : decodeCursor(input.cursor, ["string"]);
  const rows = await ctx.db
    .select()
    .from(jobs)
    .where(
      and(
        eq(jobs.tenantId, ctx.tenantId),
        input.status === undefined ? undefined : eq(jobs.status, input.status),
        before === undefined ? undefined : lt(jobs.id, String(before)),
      ),
    )
    .orderBy(desc(jobs.id))
    .limit(input.limit + 1);
  return toPage(rows, input.limit, { item: toJob, position: (row) => [row.id] });
}
