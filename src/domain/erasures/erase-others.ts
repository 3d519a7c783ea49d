import { sql } from "drizzle-orm";
import { readRows, runBatch, select } from "#db/client";
import { row } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import { reindexMemories } from "#domain/memories";
import { count, type Progress } from "./progress.ts";
import { listOf } from "./scope.ts";
import type { StepCtx } from "./step.ts";

const MEMORIES_A_STEP = 100;
const MAX_LISTED = 1_000;

const PUBLIC_ID = row(MEMORY.of(sql`m`, "publicId"));

/** What others' memories about the user become, as the caller chose. `cursor` is the place in the list of them. */
export async function eraseAboutOthers(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const { others } = progress.scope;
  const next = others.slice(progress.cursor, progress.cursor + MEMORIES_A_STEP);
  if (next.length === 0) return true;
  switch (progress.aboutOthers) {
    case "erase":
      // The survey has put them among the memories that go.
      break;
    case "unlink":
      await unlink(ctx, progress, next);
      break;
    case "review":
      await list(ctx, progress, next);
      break;
  }
  progress.cursor += next.length;
  return false;
}

/** The text stays; whom it is about, and who stated it, is no longer known, in its versions neither. */
async function unlink(ctx: StepCtx, progress: Progress, ids: readonly number[]): Promise<void> {
  const [list, persons] = [listOf(ids), listOf(progress.scope.persons)];
  const edges = ctx.db.run(sql`delete from memory_subjects where memory_id in ${list} and person_id in ${persons}`);
  const results = await runBatch(ctx, [
    edges,
    ctx.db.run(sql`
      update memories set stated_by = null, version = version + 1, updated_at = ${ctx.now()}
      where id in ${list} and tenant_id = ${ctx.tenantId} and stated_by in ${persons}`),
    ctx.db.run(sql`
      update memory_versions set data = json_set(data,
        '$.subjects', (select json_group_array(s.value) from json_each(data, '$.subjects') s where s.value not in ${persons}),
        '$.statedBy', iif(data ->> 'statedBy' in ${persons}, null, data ->> 'statedBy'))
      where memory_id in ${list} and data -> '$.subjects' is not null`),
  ]);
  count(progress, "memory_subjects", results.changes(edges));
  await reindexMemories(ctx, ids);
}

async function list(ctx: StepCtx, progress: Progress, ids: readonly number[]): Promise<void> {
  if (progress.review.length >= MAX_LISTED) return;
  const found = await readRows(
    ctx,
    select(PUBLIC_ID)`from memories m where m.id in ${listOf(ids)} and m.tenant_id = ${ctx.tenantId} order by m.id`,
  );
  progress.review = [...new Set([...progress.review, ...found.map(({ publicId }) => publicId)])].slice(0, MAX_LISTED);
}
