import { type SQL, sql } from "drizzle-orm";
import { readRows, select } from "#db/client";
import { integer, row, text } from "#db/row";
import { ENTITIES } from "#domain/entities";
import { vectorIdOf, vectorRefs } from "#domain/indexing";
import { buryRows } from "./bury-rows.ts";
import { eraseVectors } from "./erase-vectors.ts";
import { carryOut, count, type Part, type Progress } from "./progress.ts";
import { listOf, literals } from "./scope.ts";
import type { StepCtx } from "./step.ts";

const ROWS_A_STEP = 300;
const FILES_A_STEP = 20;

const ENTITY = row({ id: integer(sql`en.id`), publicId: text(sql`en.public_id`), space: integer(sql`en.space_id`) });
const CHUNK = row({ id: integer(sql`c.id`), space: integer(sql`c.space_id`) });
const FILE = row({ id: integer(sql`f.id`), publicId: text(sql`f.public_id`) });
const N = row({ n: integer(sql`count(*)`) });

/** Erases the next entities of the projects that go. */
export async function eraseEntities(ctx: StepCtx, progress: Progress): Promise<boolean> {
  if (progress.scope.projects.length === 0) return true;
  return await eraseEntitiesIn(ctx, progress, sql`en.project_id in ${listOf(progress.scope.projects)}`);
}

/** Erases the next entities `en` that the condition names. Returns whether there were none. */
export async function eraseEntitiesIn(ctx: StepCtx, progress: Progress, which: SQL): Promise<boolean> {
  const found = await readRows(
    ctx,
    select(ENTITY)`from entities en where en.tenant_id = ${ctx.tenantId} and ${which} limit ${ROWS_A_STEP}`,
  );
  if (found.length === 0) return true;
  await eraseVectors(
    ctx,
    progress,
    found.flatMap(({ id, space }) => vectorRefs(ENTITIES, { id, span: 1, space })),
  );
  const elsewhere = found.filter(({ space }) => !progress.scope.spaces.includes(space));
  await buryRows(
    ctx,
    progress.scope,
    elsewhere.map(({ publicId }) => ({ kind: "entity", publicId })),
  );
  const ids = found.map(({ id }) => id);
  await carryOut(ctx, progress, [
    words(ctx, "entity_fts", ids),
    { store: "entity_mentions", statement: ctx.db.run(sql`delete from entity_mentions where entity_id in ${listOf(ids)}`) },
    {
      store: "entities",
      statement: ctx.db.run(sql`delete from entities where id in ${listOf(ids)} and +tenant_id = ${ctx.tenantId}`),
    },
  ]);
  return false;
}

function words(ctx: StepCtx, store: "entity_fts" | "chunk_fts", ids: readonly number[]): Part {
  const table = sql.identifier(store);
  return {
    store,
    statement: ctx.db.run(sql`delete from ${table} where rowid in (${literals(ids)})`),
    rows: select(N)`from ${sql.identifier(`${store}_docsize`)} d where d.id in (${literals(ids)})`,
  };
}

/** Erases the next passages of the sources that go. */
export async function eraseChunks(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const { sources } = progress.scope;
  if (sources.length === 0) return true;
  const found = await readRows(
    ctx,
    select(CHUNK)`from chunks c where c.tenant_id = ${ctx.tenantId} and c.source_id in ${listOf(sources)} limit ${ROWS_A_STEP}`,
  );
  if (found.length === 0) return true;
  await eraseVectors(
    ctx,
    progress,
    found.map(({ id, space }) => ({ id: vectorIdOf({ prefix: "chk" }, id), space })),
  );
  const ids = found.map(({ id }) => id);
  await carryOut(ctx, progress, [
    words(ctx, "chunk_fts", ids),
    {
      store: "chunks",
      statement: ctx.db.run(sql`delete from chunks where id in ${listOf(ids)} and tenant_id = ${ctx.tenantId}`),
    },
  ]);
  return false;
}

/** Erases the next documents of the sources that go, with what was uploaded and not read yet. */
export async function eraseFiles(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const { sources } = progress.scope;
  if (sources.length === 0) return true;
  const found = await readRows(
    ctx,
    select(FILE)`from files f where f.tenant_id = ${ctx.tenantId} and f.source_id in ${listOf(sources)} limit ${FILES_A_STEP}`,
  );
  if (found.length === 0) return true;
  for (const { publicId } of found) await removeUploads(ctx, progress, uploadsOf(ctx.tenantId, publicId));
  await carryOut(ctx, progress, [
    {
      store: "files",
      statement: ctx.db.run(
        sql`delete from files where id in ${listOf(found.map(({ id }) => id))} and tenant_id = ${ctx.tenantId}`,
      ),
    },
  ]);
  return false;
}

/** Lists again after each removal, so that the row of a file goes only when nothing of it is left in the store. */
async function removeUploads(ctx: StepCtx, progress: Progress, prefix: string): Promise<void> {
  for (let { keys } = await ctx.files.list(prefix, null); keys.length > 0; { keys } = await ctx.files.list(prefix, null)) {
    await ctx.files.remove(keys);
    count(progress, "uploads", keys.length);
  }
}

/** Where the revisions of a file are in the store. */
export function uploadsOf(tenantId: number, filePublicId: string): string {
  return `t${tenantId}/${filePublicId}/`;
}
