import { sql } from "drizzle-orm";
import { runBatch } from "#db/client";
import type { Progress } from "./progress.ts";
import type { StepCtx } from "./step.ts";

/** A row of a megabyte: some 250 pages. */
const HALF_MEGABYTE = 500_000;
const ROWS_A_STEP = 4;
/** Of filler, in steps: 256 MB. */
const MAX_STEPS = 64;
/** At least so much is written, so that the write-ahead log of a local database starts over. */
const MIN_STEPS = 3;

const NAME = "overwrite";

/**
 * Overwrites the free pages of the database file: SQLite takes them before it lets the file grow, so rows of zeros are stored until it grows,
 * and deleted. D1 permits neither `VACUUM` nor `secure_delete`. `cursor` counts the steps.
 */
export async function overwriteFreePages(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const isLast = progress.cursor >= MAX_STEPS || (progress.cursor >= MIN_STEPS && (await fill(ctx, progress)));
  if (progress.cursor < MIN_STEPS) await fill(ctx, progress);
  progress.cursor += 1;
  if (!isLast) return false;
  await runBatch(ctx, [ctx.db.run(sql`delete from upkeep where tenant_id = 0 and task like ${`${NAME}.${ctx.tenantId}.%`}`)]);
  return true;
}

/** Returns whether the file has grown. */
async function fill(ctx: StepCtx, { cursor }: Progress): Promise<boolean> {
  const client: Pick<D1Database, "prepare"> = ctx.db.$client;
  const sizes: number[] = [];
  for (let i = 0; i < ROWS_A_STEP; i += 1) {
    const { meta } = await client
      .prepare(
        `insert into upkeep (tenant_id, task, cursor, ran_at) values (0, ?, hex(zeroblob(${HALF_MEGABYTE})), 0)
         on conflict (tenant_id, task) do update set cursor = excluded.cursor`,
      )
      .bind(`${NAME}.${ctx.tenantId}.${cursor}.${i}`)
      .all();
    sizes.push(meta.size_after);
  }
  return (sizes.at(-1) ?? 0) > (sizes[0] ?? 0);
}
