import type { jobs } from "#db/schema/jobs";
import type { JobView } from "./schemas.ts";

export type JobRow = Pick<
  typeof jobs.$inferSelect,
  "id" | "kind" | "status" | "attempts" | "error" | "result" | "dueAt" | "createdAt" | "finishedAt"
>;

/** The payload stays inside: it holds internal ids. */
export function toJob(row: JobRow): JobView {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    attempts: row.attempts,
    dueAt: new Date(row.dueAt).toISOString(),
    error: row.error,
    result: row.result,
    createdAt: new Date(row.createdAt).toISOString(),
    finishedAt: row.finishedAt === null ? null : new Date(row.finishedAt).toISOString(),
  };
}
