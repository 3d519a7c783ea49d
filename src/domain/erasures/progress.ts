import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, runBatch, type Statement, select } from "#db/client";
import { integer, row } from "#db/row";
import type { Scope } from "./scope.ts";

export type AboutOthers = "unlink" | "erase" | "review";

/** How far an erasure has come. Steps change it; it is stored after each of them. No names and no words are in it. */
export type Progress = {
  scope: Scope;
  /** How often the steps began: what was written in between is found by the next round. */
  round: number;
  /** The index of the step, and where in its rows it continues. */
  step: number;
  cursor: number;
  /** Rows by store: before anything was deleted, and deleted so far. */
  before: Record<string, number>;
  deleted: Record<string, number>;
  /** By text index: the segments in which words of deleted rows were left, and how many pages merging them has written. */
  segments: Record<string, string[]>;
  pages: number;
  /** Removed vectors by id (without number), first number, count and space; only where the index cannot list what it holds. */
  vectors: [prefix: string, from: number, count: number, space: number][];
  /** Unix milliseconds before which no further step is taken. */
  waitsUntil: number;
  /** Unix milliseconds until which jobs that were deleted while they ran may still write, and the vector index shows what was removed. */
  settledAt: number;
  /** Public ids of memories of others that are about the user, the first 1,000. */
  review: string[];
  aboutOthers: AboutOthers;
  aboutOthersCount: number;
  /** Whether a chat model has read any of the episodes. */
  readByModel: boolean;
};

export function newProgress(scope: Scope, aboutOthers: AboutOthers): Progress {
  return {
    ...{ scope, aboutOthers, round: 0, step: 0, cursor: 0, before: {}, deleted: {}, segments: {}, pages: 0, vectors: [] },
    ...{ waitsUntil: 0, settledAt: 0, review: [], aboutOthersCount: 0, readByModel: false },
  };
}

/** A deletion with the store whose count it raises. `rows` counts what it deletes, for the text index, which cannot say. */
export type Part = { store: string; statement: Statement; rows?: Query<{ n: number }> };

const N = row({ n: integer(sql`changes()`) });

/**
 * How many rows the statement before it changed. D1's own figure counts what FTS5 writes later in the batch as well.
 */
export function changesBefore(): Query<{ n: number }> {
  return select(N)`from (select 1)`;
}

/** Runs deletions as one batch and counts what they deleted. Returns the rows that the last one changed. */
export async function carryOut(ctx: Ctx<"db">, progress: Progress, parts: readonly Part[]): Promise<number> {
  const counted = parts.map((part) => ({ ...part, changes: part.rows ?? changesBefore() }));
  const results = await runBatch(
    ctx,
    counted.flatMap(({ statement, rows, changes }) => (rows === undefined ? [statement, changes] : [rows, statement])),
  );
  let changed = 0;
  for (const { store, changes } of counted) {
    changed = results.rows(changes)[0]?.n ?? 0;
    count(progress, store, changed);
  }
  return changed;
}

export function count(progress: Progress, store: string, rows: number): void {
  if (rows > 0) progress.deleted[store] = (progress.deleted[store] ?? 0) + rows;
}

/** Spaces that stay, of rows that go: a vector of them may come late. */
export function addNear({ scope }: Progress, rows: readonly { space: number }[]): void {
  scope.near = [...new Set([...scope.near, ...rows.map(({ space }) => space)])];
}

export async function saveProgress(ctx: Ctx<"db">, erasureId: number, progress: Progress): Promise<void> {
  await ctx.db.run(sql`
    update erasures set progress = ${JSON.stringify(progress)} where id = ${erasureId} and tenant_id = ${ctx.tenantId}`);
}

/** As `saveProgress` and `newProgress` wrote it. */
export function asProgress(stored: Record<string, unknown>): Progress {
  return stored as Progress;
}
