import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, select } from "#db/client";
import { integer, row, text } from "#db/row";
import { ENTITIES } from "#domain/entities";
import { vectorRefs } from "#domain/indexing";
import { CHUNKS, uploadsOfSource } from "#domain/sources";
import { buryRows } from "./bury-rows.ts";
import { eraseVectors } from "./erase-vectors.ts";
import { addNear, carryOut, count, type Part, type Progress } from "./progress.ts";
import { listOf, literals, type Scope } from "./scope.ts";
import type { StepCtx } from "./step.ts";

const ROWS_A_STEP = 300;

const ENTITY = row({ id: integer(sql`en.id`), publicId: text(sql`en.public_id`), space: integer(sql`en.space_id`) });
const CHUNK = row({ id: integer(sql`c.id`), space: integer(sql`c.space_id`) });
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
  addNear(progress, elsewhere);
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
    found.flatMap(({ id, space }) => vectorRefs(CHUNKS, { id, span: 1, space })),
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

/** Erases the next documents of the sources that go, with what was uploaded and not read yet. Without its row, no more of a file is read. */
export async function eraseFiles(ctx: StepCtx, progress: Progress): Promise<boolean> {
  const { sources } = progress.scope;
  if (sources.length === 0) return true;
  const uploads = await findUploads(ctx, progress.scope);
  await ctx.files.remove(uploads);
  count(progress, "uploads", uploads.length);
  const files = ctx.db.run(
    sql`delete from files where id in (
      select f.id from files f where f.tenant_id = ${ctx.tenantId} and f.source_id in ${listOf(sources)} limit ${ROWS_A_STEP})`,
  );
  return (await carryOut(ctx, progress, [{ store: "files", statement: files }])) < ROWS_A_STEP;
}

/** The keys of what was uploaded to the sources that go, also by requests that have not stored a row yet. */
export async function findUploads(ctx: Ctx<"files">, { tenantId, sources }: Scope): Promise<string[]> {
  const found: string[] = [];
  for (const source of sources) {
    let after: string | null = null;
    do {
      const page: { keys: string[]; next: string | null } = await ctx.files.list(uploadsOfSource(tenantId, source), after);
      found.push(...page.keys);
      after = page.next;
    } while (after !== null);
  }
  return found;
}
