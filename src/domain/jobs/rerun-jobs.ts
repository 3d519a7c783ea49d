import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { decodeCursor, encodeCursor } from "#core/page";
import { requirePermission } from "#core/permission";
import { commit, runBatch } from "#domain/audit";
import { dispatch } from "./enqueue.ts";
import { giveTriesAgain } from "./rerun-job.ts";
import type { RerunInput, RerunView } from "./schemas.ts";

/** Jobs that one call looks at, whether they match or not. */
const JOBS_A_CALL = 5_000;
const DEFAULT_LIMIT = 100;

/** Where jobs of a status are found without reading the others. */
const SOURCES: Record<NonNullable<RerunInput["status"]>, SQL> = {
  failed: sql`jobs indexed by jobs_failed where status = 'failed'`,
  pending: sql`jobs indexed by jobs_open where status in ('pending', 'running') and status = 'pending'`,
};

/**
 * Gives the failed (or the pending) jobs that match their full number of tries again, from now, oldest first. A call changes and looks at a
 * bounded number; `nextCursor` goes on.
 *
 * @throws `unprocessable` for a cursor of another list.
 */
export async function rerunJobs(ctx: Ctx<"db" | "now" | "newId" | "jobs" | "defer">, input: RerunInput): Promise<RerunView> {
  requirePermission(ctx.actor, "admin");
  const { status = "failed", limit = DEFAULT_LIMIT } = input;
  const [after] = input.cursor === undefined ? [""] : decodeCursor("jobs-rerun", input.cursor, ["string"]);
  const looked = sql`
    select id, ${matching(input)} as matches from ${SOURCES[status]} and tenant_id = ${ctx.tenantId} and id > ${String(after)}
    order by id limit ${JOBS_A_CALL}`;
  const [end, found] = await runBatch(ctx, [
    ctx.db.all(sql`select count(*) as jobs, max(id) as last from (${looked})`),
    ctx.db.all(sql`select id from (${looked}) where matches order by id`),
  ]);
  const matched = (found?.rows ?? []).map(({ id }) => String(id));
  const ids = matched.slice(0, limit);
  const remaining = matched.length - ids.length;
  const isCut = end?.rows[0]?.jobs === JOBS_A_CALL;
  const last = remaining > 0 ? ids.at(-1) : isCut ? String(end?.rows[0]?.last) : undefined;
  const nextCursor = last === undefined ? null : encodeCursor("jobs-rerun", [last]);
  if (ids.length === 0) return { rerun: 0, remaining, nextCursor };
  const [changed] = await commit(ctx, {
    statements: [giveTriesAgain(ctx, { jobIds: ids, among: [status] })],
    audit: [
      { action: "jobs.rerun", objectId: "jobs", userId: null, detail: { jobs: ids.length, status }, when: sql`changes() > 0` },
    ],
  });
  dispatch(ctx, ids);
  return { rerun: changed?.changes ?? 0, remaining, nextCursor };
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
