import type { Ctx } from "#context";
import type { Repairs, Step } from "#domain/indexing";

export type UpkeepCtx = Ctx<
  | "db"
  | "now"
  | "newId"
  | "embedder"
  | "vectors"
  | "files"
  | "chatModel"
  | "jobs"
  | "defer"
  | "caches"
  | "log"
  | "wait"
  | "random"
>;

export const TASK_NAMES = ["expire", "summarize", "retain", "cap", "purge", "repair"] as const;

export type TaskName = (typeof TASK_NAMES)[number];

export type Counts = Repairs["counts"];

/** What one step of a task is going to change; `next` is where the next step continues, null at the end. */
export type PreparedStep = Repairs & {
  next: string | null;
  /** More about what is going to change, for the audit row and the answer; not counted among the rows. */
  beside?: Counts;
};

/** `dryRun` is for a task that cannot only prepare its changes. */
export type Task = (ctx: UpkeepCtx, step: Step, options: { dryRun: boolean }) => Promise<PreparedStep>;

/** A step that changes nothing. */
export function emptyStep(next: string | null): PreparedStep {
  return { counts: {}, statements: [], next };
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function sumOf(parts: readonly Counts[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of parts.flatMap((part) => Object.entries(part))) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
