import { type SQL, sql } from "drizzle-orm";
import { readRows, select } from "#db/client";
import { integer, row } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import { vectorRefs } from "#domain/indexing";
import { MEMORIES } from "#domain/memories";
import { buryRows } from "./bury-rows.ts";
import { eraseVectors } from "./erase-vectors.ts";
import { addNear, carryOut, type Part, type Progress } from "./progress.ts";
import { erasedMemories } from "./rows.ts";
import { listOf, literals } from "./scope.ts";
import type { StepCtx } from "./step.ts";

const MEMORIES_A_STEP = 300;

const FOUND = row({ ...MEMORY.of(sql`m`, "id", "publicId"), space: integer(sql`m.space_id`) });

/** Erases the next memories that go. Returns whether there were none. */
export async function eraseMemories(ctx: StepCtx, progress: Progress): Promise<boolean> {
  return await eraseMemoriesIn(ctx, progress, sql`m.id in (${erasedMemories(progress.scope)})`);
}

/** Erases the next memories `m` that the condition names, forgotten ones too. Returns whether there were none. */
export async function eraseMemoriesIn(ctx: StepCtx, progress: Progress, which: SQL): Promise<boolean> {
  const found = await readRows(
    ctx,
    select(FOUND)`from memories m where m.tenant_id = ${ctx.tenantId} and ${which} limit ${MEMORIES_A_STEP}`,
  );
  if (found.length === 0) return true;
  const refs = found.flatMap(({ id, space }) => vectorRefs(MEMORIES, { id, span: 1, space }));
  await eraseVectors(ctx, progress, refs);
  const elsewhere = found.filter(({ space }) => !progress.scope.spaces.includes(space));
  addNear(progress, elsewhere);
  await buryRows(
    ctx,
    progress.scope,
    elsewhere.map(({ publicId }) => ({ kind: "memory", publicId })),
  );
  await carryOut(
    ctx,
    progress,
    memoryParts(
      ctx,
      found.map(({ id }) => id),
    ),
  );
  return false;
}

const N = row({ n: integer(sql`count(*)`) });

/** The same order as `purgeRows` of the lifecycle: what refers to the memories, their words, then the rows. */
function memoryParts(ctx: StepCtx, ids: readonly number[]): Part[] {
  const [list, words] = [listOf(ids), literals(ids)];
  const of = (store: string, statement: SQL): Part => ({ store, statement: ctx.db.run(statement) });
  return [
    of(
      "person_merge_edges",
      sql`delete from person_merge_edges where memory_id in ${list} and merge_id in (
        select g.id from person_merges g where g.tenant_id = ${ctx.tenantId})`,
    ),
    of("memory_subjects", sql`delete from memory_subjects where memory_id in ${list}`),
    of("memory_versions", sql`delete from memory_versions where memory_id in ${list}`),
    of(
      "references",
      sql`update episodes set summary_id = null where tenant_id = ${ctx.tenantId} and summary_id in ${list} and public_id in (
        select c.value from memories k cross join json_each(k.metadata, '$.episodes') c where k.id in ${list} and k.tenant_id = ${ctx.tenantId})`,
    ),
    of("references", sql`update memories set contradicts = null where contradicts in ${list} and +tenant_id = ${ctx.tenantId}`),
    {
      store: "memory_fts",
      statement: ctx.db.run(sql`delete from memory_fts where rowid in (${words})`),
      rows: select(N)`from memory_fts_docsize d where d.id in (${words})`,
    },
    of("memories", sql`delete from memories where id in ${list} and tenant_id = ${ctx.tenantId}`),
  ];
}
