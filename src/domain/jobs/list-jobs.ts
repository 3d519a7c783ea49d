import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requireTenantPermission } from "#core/permission";
import { readRows, select } from "#db/client";
import type { JobListInput, JobView } from "./schemas.ts";
import { JOB_ROW, toJob } from "./view.ts";

/**
 * The index that finds jobs of a status without reading the others. SQLite prefers the primary key to a partial index unless the statement
 * names it.
 */
const SOURCE: Record<NonNullable<JobListInput["status"]>, SQL> = {
  pending: sql`jobs j indexed by jobs_open where status in ('pending', 'running') and status = 'pending'`,
  running: sql`jobs j indexed by jobs_open where status in ('pending', 'running') and status = 'running'`,
  failed: sql`jobs j indexed by jobs_failed where status = 'failed'`,
  done: sql`jobs j where status = 'done'`,
};

/** The tenant's jobs, newest first. */
export async function listJobs(ctx: Ctx<"db">, input: JobListInput): Promise<Page<JobView>> {
  requireTenantPermission(ctx.actor, "read");
  const [before] = input.cursor === undefined ? [] : decodeCursor("jobs", input.cursor, ["string"]);
  const rows = await readRows(
    ctx,
    select(JOB_ROW)`from ${sourceOf(input)}
        and tenant_id = ${ctx.tenantId} and ${before === undefined ? sql`true` : sql`id < ${String(before)}`}
      order by id desc limit ${input.limit + 1}`,
  );
  return toPage(rows, input.limit, { list: "jobs", item: toJob, position: (row) => [row.id] });
}

function sourceOf({ status, waitingFor }: JobListInput): SQL {
  if (waitingFor !== undefined)
    return sql`jobs j indexed by jobs_waiting where waiting_for = ${waitingFor} and ${status === undefined ? sql`true` : sql`status = ${status}`}`;
  return status === undefined ? sql`jobs j where true` : SOURCE[status];
}

/** @throws not_found */
export async function getJob(ctx: Ctx<"db">, id: string): Promise<JobView> {
  requireTenantPermission(ctx.actor, "read");
  return await loadJob(ctx, id);
}

/** The same, for a caller whose permission has been checked. */
export async function loadJob(ctx: Ctx<"db">, id: string): Promise<JobView> {
  const found = select(JOB_ROW)`from jobs j where j.tenant_id = ${ctx.tenantId} and j.id = ${id}`;
  const [job] = await readRows(ctx, found);
  if (job === undefined) throw notFound("job");
  return toJob(job);
}
