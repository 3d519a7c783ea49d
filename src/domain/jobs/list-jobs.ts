import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requireTenantPermission } from "#core/permission";
import type { JobListInput, JobView } from "./schemas.ts";
import { type JobRow, toJob } from "./view.ts";

/** Where jobs of a status are found without reading the others. SQLite takes a partial index over the primary key only if told to. */
const SOURCE: Record<NonNullable<JobListInput["status"]>, SQL> = {
  pending: sql`jobs indexed by jobs_open where status in ('pending', 'running') and status = 'pending'`,
  running: sql`jobs indexed by jobs_open where status in ('pending', 'running') and status = 'running'`,
  failed: sql`jobs indexed by jobs_failed where status = 'failed'`,
  done: sql`jobs where status = 'done'`,
};

/** The tenant's jobs, newest first. */
export async function listJobs(ctx: Ctx<"db">, input: JobListInput): Promise<Page<JobView>> {
  requireTenantPermission(ctx.actor, "read");
  const [before] = input.cursor === undefined ? [] : decodeCursor("jobs", input.cursor, ["string"]);
  const rows = await ctx.db.all<Omit<JobRow, "result"> & { result: string | null }>(sql`
    select id, kind, status, attempts, error, result, due_at as dueAt, created_at as createdAt, finished_at as finishedAt,
      waiting_for as waitingFor, waiting_since as waitingSince
    from ${sourceOf(input)}
      and tenant_id = ${ctx.tenantId} and ${before === undefined ? sql`true` : sql`id < ${String(before)}`}
    order by id desc limit ${input.limit + 1}`);
  return toPage(rows, input.limit, {
    list: "jobs",
    item: (row) => toJob({ ...row, result: row.result === null ? null : JSON.parse(row.result) }),
    position: (row) => [row.id],
  });
}

function sourceOf({ status, waitingFor }: JobListInput): SQL {
  if (waitingFor !== undefined)
    return sql`jobs indexed by jobs_waiting where waiting_for = ${waitingFor} and ${status === undefined ? sql`true` : sql`status = ${status}`}`;
  return status === undefined ? sql`jobs where true` : SOURCE[status];
}
