import type { Ctx } from "#context";
import type { Statement } from "#db/client";

export type UpkeepCtx = Ctx<
  "db" | "now" | "newId" | "embedder" | "vectors" | "jobs" | "defer" | "caches" | "log" | "wait" | "random"
>;

export type Counts = Readonly<Record<string, number>>;

/** What one step of a task comes to, before any of it is done. */
export type PreparedStep = {
  /** Rows that it changes, by what they are. */
  counts: Counts;
  statements: readonly Statement[];
  /** Jobs that the statements write. */
  jobIds: readonly string[];
  /** What is done outside the database, before the statements; doing it again is no error. */
  outside?: () => Promise<void>;
  /** Where the next step goes on; null when the task is through. */
  next: string | null;
};

/** What a step is given: where the one before ended ("" for the start), and how many rows it may change. */
export type Step = { cursor: string; limit: number };

export type Task = (ctx: UpkeepCtx, step: Step) => Promise<PreparedStep>;

/** A step that changes nothing. */
export function emptyStep(next: string | null): PreparedStep {
  return { counts: {}, statements: [], jobIds: [], next };
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function sumOf(parts: readonly Counts[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of parts.flatMap((part) => Object.entries(part))) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
