import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, runBatch, select } from "#db/client";
import { row, text } from "#db/row";
import type { Progress } from "./progress.ts";
import type { StepCtx } from "./step.ts";
import { TEXT_INDEXES } from "./stores.ts";
import { type Segment, segmentsOf } from "./text-segments.ts";

/** Pages of 4 kB that one statement writes at most: a megabyte, some 20 ms on a developer's machine. */
const PAGES_A_STEP = 250;
/** Ten gigabytes, which is more than D1 holds. */
const MAX_PAGES = 2_500_000;

const STRUCTURE = row({ structure: text(sql`hex(d.block)`) });

/**
 * Merges the segments of the text indexes in which words of deleted rows are left, a bounded number of pages at a time. All segments of an
 * index are merged into one, because FTS5 does not merge chosen ones: the cost is that of the index, not of what was deleted.
 */
export async function mergeWords(ctx: StepCtx, progress: Progress): Promise<boolean> {
  for (const { table } of TEXT_INDEXES) {
    const segments = await readSegments(ctx, table);
    const targets = progress.segments[table] ?? segments.flatMap(({ name, deleted }) => (deleted > 0 ? [name] : []));
    progress.segments[table] = targets;
    if (!segments.some(({ name }) => targets.includes(name)) || progress.pages > MAX_PAGES) continue;
    const name = sql.identifier(table);
    await runBatch(ctx, [
      ctx.db.run(sql`insert into ${name} (${name}, rank) values ('merge', ${sql.raw(String(-PAGES_A_STEP))})`),
    ]);
    progress.pages += PAGES_A_STEP;
    return false;
  }
  return true;
}

/** Of the segments that held words of deleted rows, how many are still there. */
export async function countUnmerged(
  ctx: Ctx<"db">,
  progress: Progress,
  table: string,
): Promise<{ before: number; remaining: number }> {
  const targets = progress.segments[table] ?? [];
  const segments = targets.length === 0 ? [] : await readSegments(ctx, table);
  return { before: targets.length, remaining: segments.filter(({ name }) => targets.includes(name)).length };
}

/** FTS5 keeps the structure of an index in row 10 of its `_data`. */
async function readSegments(ctx: Ctx<"db">, table: string): Promise<Segment[]> {
  const [found] = await readRows(ctx, select(STRUCTURE)`from ${sql.identifier(`${table}_data`)} d where d.id = 10`);
  return segmentsOf(found?.structure ?? "");
}
