import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Query, read, statement } from "#db/client";
import { integer, nullable, row, text } from "#db/row";
import type { VectorRef } from "#ports/vector-index";
import type { CheckCtx, CheckResult, Step } from "./check.ts";
import { columnOf, type Indexable, isEmbedded, owns, passageIn, tableOf } from "./indexable.ts";
import { unfinishedJobs } from "./unfinished.ts";
import { ALL_ROWS, FIRST_PLACE, Place, type Places, placesCte, readCursor } from "./walk.ts";

/** Each place is a call to the vector index. */
const A_STEP = { places: 20, vectors: 1_000 };

const Cursor = z.object({ place: Place, vector: z.string().nullable() });

type Cursor = z.infer<typeof Cursor>;

/**
 * Checks the next vectors of the places' spaces, if the vector index can list them: each must have its row in the same space. Vectors of
 * other kinds are skipped.
 */
export async function checkVectors(
  ctx: CheckCtx,
  { places, indexables, invariant }: { places: Places; indexables: readonly Indexable[]; invariant: string },
  { cursor, limit }: Step,
): Promise<CheckResult> {
  if (ctx.vectors.list === undefined) return { checked: { [invariant]: false }, findings: [], next: null };
  const from = cursor === "" ? { place: FIRST_PLACE, vector: null } : readCursor(Cursor, cursor);
  const { vectors, next } = await listVectors(ctx, places, from, Math.min(A_STEP.vectors, limit));
  const strays = await findStrays(ctx, indexables, vectors);
  const unfinished = strays.length === 0 ? null : await unfinishedJobs(ctx, indexables);
  return {
    checked: { [invariant]: vectors.length },
    findings: strays
      .filter(({ of, id }) => unfinished?.removes(of, id) === false)
      .map(({ of, id, space, publicId }) => ({
        invariant,
        example: publicId,
        repair: { kind: "removeVectors", of, id, span: 1, space },
      })),
    next: next === null ? null : JSON.stringify(next),
  };
}

const PLACE = row({ stage: integer(sql`w.stage`), at: integer(sql`w.at`), space: nullable(integer(sql`w.space`)) });

/** The next vectors, no more than the limit. */
async function listVectors(
  ctx: CheckCtx,
  places: Places,
  from: Cursor,
  limit: number,
): Promise<{ vectors: VectorRef[]; next: Cursor | null }> {
  const { rows } = await read(ctx, {
    rows: statement(
      PLACE,
      sql`with ${placesCte(places, ctx.tenantId, from.place, A_STEP.places)} select ${PLACE.columns} from w`,
    ),
  });
  const vectors: VectorRef[] = [];
  for (const { space, ...place } of rows) {
    if (space === null) continue;
    const isFirst = place.stage === from.place.stage && place.at === from.place.at;
    const page = await ctx.vectors.list?.(ctx.tenantId, space, {
      after: isFirst ? from.vector : null,
      limit: limit - vectors.length,
    });
    vectors.push(...(page?.ids ?? []).map((id) => ({ id, space })));
    if (page !== undefined && page.next !== null) return { vectors, next: { place: { ...place, after: 0 }, vector: page.next } };
    if (vectors.length >= limit) return { vectors, next: { place: { ...place, after: ALL_ROWS }, vector: null } };
  }
  const last = rows.length < A_STEP.places ? undefined : rows.at(-1);
  return {
    vectors,
    next: last === undefined ? null : { place: { stage: last.stage, at: last.at, after: ALL_ROWS }, vector: null },
  };
}

type Stray = { of: Indexable; id: number; space: number; publicId: string | null };

/** The vectors that belong to no row of their space. */
async function findStrays(ctx: CheckCtx, indexables: readonly Indexable[], vectors: readonly VectorRef[]): Promise<Stray[]> {
  const queries = indexables.map((of) => {
    const named = vectors.flatMap(({ id, space }) => {
      const passage = passageIn(of, id);
      return passage === null ? [] : [[passage, space]];
    });
    return { of, query: named.length === 0 ? [] : [straysOf(ctx, of, JSON.stringify(named))] };
  });
  const found = await read(ctx, Object.fromEntries(queries.map(({ of, query }) => [of.kind, query])));
  return indexables.flatMap((of) => (found[of.kind] ?? []).map((stray) => ({ of, ...stray })));
}

const STRAY = { id: integer(sql`v.id`), space: integer(sql`v.space`) };

function straysOf(
  ctx: CheckCtx,
  indexable: Indexable,
  named: string,
): Query<{ id: number; space: number; publicId: string | null }> {
  const table = tableOf(indexable);
  const isOwner = owns(indexable, sql`v.id`);
  const owner = sql`select ${columnOf(indexable, "public_id")} from ${table}
    where ${isOwner} and ${columnOf(indexable, "tenant_id")} = ${ctx.tenantId}`;
  const shape = row({ ...STRAY, publicId: nullable(text(sql`(${owner})`)) });
  return statement(
    shape,
    sql`select ${shape.columns} from (select j.value ->> 0 as id, j.value ->> 1 as space from json_each(${named}) j) v
      where not exists (
        select 1 from ${table} ${indexable.joins ?? sql``} where ${isOwner} and ${isEmbedded(ctx, indexable)} and ${indexable.space} = v.space)`,
  );
}
