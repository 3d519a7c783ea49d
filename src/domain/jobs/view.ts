import { sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import { type RowOf, row } from "#db/row";
import { JOB } from "#db/schema/jobs";
import { LOW_PRIORITY_AFTER } from "./low-priority.ts";
import type { JobView } from "./schemas.ts";

/** The columns of a job's view, from `jobs j`. Its payload is not read: it holds internal ids. */
export const JOB_ROW = row(
  JOB.of(
    sql`j`,
    "id",
    "kind",
    "status",
    "attempts",
    "error",
    "result",
    "dueAt",
    "createdAt",
    "finishedAt",
    "waitingFor",
    "waitingSince",
  ),
);

export function toJob(row: RowOf<typeof JOB_ROW>): JobView {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    attempts: row.attempts,
    dueAt: toIso(row.dueAt >= LOW_PRIORITY_AFTER ? row.dueAt - LOW_PRIORITY_AFTER : row.dueAt),
    error: row.error,
    result: row.result,
    createdAt: toIso(row.createdAt),
    finishedAt: row.finishedAt === null ? null : toIso(row.finishedAt),
    waitingFor: row.waitingFor,
    waitingSince: row.waitingSince === null ? null : toIso(row.waitingSince),
  };
}
