import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict } from "#core/errors";
import { decodeCursor, encodeCursor } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, type Statement, select } from "#db/client";
import { integer, nullable, row, text } from "#db/row";
import { JOB } from "#db/schema/jobs";
import { commit } from "#domain/audit";
import { dispatch } from "./enqueue.ts";
import { loadJob } from "./list-jobs.ts";
import type { JobView, RerunInput, RerunView } from "./schemas.ts";

/** Jobs that one call reads, whether they match or not. */
const JOBS_A_CALL = 5_000;
const DEFAULT_LIMIT = 100;

/** The indexes that find jobs of a status without reading the others. */
const SOURCES: Record<NonNullable<RerunInput["status"]>, SQL> = {
  failed: sql`jobs indexed by jobs_failed where status = 'failed'`,
  pending: sql`jobs indexed by jobs_open where status in ('pending', 'running') and status = 'pending'`,
};

const END = row({ jobs: integer(sql`count(*)`), last: nullable(text(sql`max(id)`)) });
const MATCH = row({ id: text(sql`id`) });

/**
 * Gives the matching failed (or pending) jobs all of their tries again, starting now, oldest first. A call reads and changes a bounded
 * number; `nextCursor` continues.
 * @throws unprocessable for a cursor of another list.
 */
export async function rerunJobs(ctx: Ctx<"db" | "now" | "newId" | "jobs" | "defer">, input: RerunInput): Promise<RerunView> {
  requirePermission(ctx.actor, "admin");
  const { status = "failed", limit = DEFAULT_LIMIT } = input;
  const [after] = input.cursor === undefined ? [""] : decodeCursor("jobs-rerun", input.cursor, ["string"]);
  const looked = sql`
    select id, ${matching(input)} as matches from ${SOURCES[status]} and tenant_id = ${ctx.tenantId} and id > ${String(after)}
    order by id limit ${JOBS_A_CALL}`;
  const {
    end: [end],
    matched,
  } = await read(ctx, {
    end: select(END)`from (${looked})`,
    matched: select(MATCH)`from (${looked}) where matches order by id`,
  });
  const ids = matched.slice(0, limit).map(({ id }) => id);
  const remaining = matched.length - ids.length;
  const isCut = end?.jobs === JOBS_A_CALL;
  const last = remaining > 0 ? ids.at(-1) : isCut ? end.last : null;
  const nextCursor = last == null ? null : encodeCursor("jobs-rerun", [last]);
  if (ids.length === 0) return { rerun: 0, remaining, nextCursor };
  const update = resetTries(ctx, { jobIds: ids, among: [status] });
  const results = await commit(ctx, {
    statements: [update],
    audit: [
      { action: "jobs.rerun", objectId: "jobs", userId: null, detail: { jobs: ids.length, status }, when: sql`changes() > 0` },
    ],
  });
  dispatch(ctx, ids);
  return { rerun: results.changes(update), remaining, nextCursor };
}

function matching({ kind, error, from, to }: RerunInput): SQL {
  const conditions = [
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(error === undefined ? [] : [sql`coalesce(instr(error, ${error}) > 0, 0)`]),
    ...(from === undefined ? [] : [sql`created_at >= ${Date.parse(from)}`]),
    ...(to === undefined ? [] : [sql`created_at <= ${Date.parse(to)}`]),
  ];
  return conditions.length === 0 ? sql`1` : sql.join(conditions, sql` and `);
}

/**
 * Gives a failed or waiting job all of its tries again, starting now.
 * @throws not_found
 * @throws conflict for a job that is running or done, which is left alone.
 */
export async function rerunJob(ctx: Ctx<"db" | "now" | "newId" | "jobs" | "defer">, id: string): Promise<JobView> {
  requirePermission(ctx.actor, "admin");
  const update = resetTries(ctx, { jobIds: [id], among: ["failed", "pending"] });
  const results = await commit(ctx, {
    statements: [update],
    audit: [{ action: "job.rerun", objectId: id, userId: null, detail: {}, when: sql`changes() > 0` }],
  });
  const job = await loadJob(ctx, id);
  if (results.changes(update) === 0) throw conflict(`A job that is ${job.status} cannot be run again.`);
  dispatch(ctx, [id]);
  return job;
}

/** The statement that gives these jobs all of their tries again, if they have one of the statuses. */
export function resetTries(
  ctx: Ctx<"db" | "now">,
  { jobIds, among }: { jobIds: readonly string[]; among: readonly ("failed" | "pending")[] },
): Statement {
  return ctx.db.run(sql`
    update jobs set ${JOB.set({
      ...{ status: "pending", attempts: 0, dueAt: ctx.now(), error: null, result: null, finishedAt: null },
      ...{ leaseToken: null, waitingFor: null, waitingSince: null },
    })}
    where tenant_id = ${ctx.tenantId} and id in (select value from json_each(${JSON.stringify(jobIds)}))
      and status in (select value from json_each(${JSON.stringify(among)}))`);
}
