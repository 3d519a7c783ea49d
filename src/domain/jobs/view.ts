import type { jobs } from "#db/schema/jobs";
import type { JobView } from "./schemas.ts";

export type JobRow = Pick<
  typeof jobs.$inferSelect,
  | "id"
  | "kind"
  | "status"
  | "attempts"
  | "error"
  | "result"
  | "dueAt"
  | "createdAt"
  | "finishedAt"
  | "waitingFor"
  | "waitingSince"
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
    finishedAt: timeOf(row.finishedAt),
    waitingFor: row.waitingFor,
    waitingSince: timeOf(row.waitingSince),
  };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
