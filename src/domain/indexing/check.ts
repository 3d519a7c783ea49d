import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { type Query, read, statement } from "#db/client";
import { flag, integer, nullable, row, text } from "#db/row";
import type { VectorRef } from "#ports/vector-index";
import { columnOf, type Indexable, isIndexed, passageIn, tableOf, vectorRefs } from "./indexable.ts";
import { unfinishedJobs } from "./unfinished.ts";
import { ALL_ROWS, FIRST_PLACE, Place, type Places, placeOf, placesCte, readCursor, takeHits, toCursor, walk } from "./walk.ts";

/** A repair of one row, passage or vector. `id` is that of the row, or, of what has no row, that of the passage. */
export type IndexRepair = {
  kind: "reindex" | "removeWords" | "embed" | "removeVectors";
  of: Indexable;
  id: number;
  span: number;
  space: number;
};

export type IndexFinding = {
  invariant: string;
  /** A public id; null for what has none or is not this tenant's. */
  example: string | null;
  /** Null if it takes a person. */
  repair: IndexRepair | null;
};

/** What a step of a check is given: where the one before ended ("" for the start), and how many rows it may report. */
export type Step = { cursor: string; limit: number };

/** What a step saw: how many rows it checked for each finding (false if that cannot be known), and where the next step goes on. */
export type CheckResult<F = IndexFinding> = {
  checked: Readonly<Record<string, number | false>>;
  findings: F[];
  next: string | null;
};

type CheckCtx = Ctx<"db" | "now" | "embedder" | "vectors">;

const HOUR_MS = 3_600_000;
const PLACES_A_STEP = 200;
/** Each place is a query of the text index, or a call to the vector index. */
const WORDS_A_STEP = { places: 100, rows: 1_000 };
const VECTORS_A_STEP = { places: 20, vectors: 1_000 };

/** Checks the next rows: that their words are in the text index, and that they have vectors or a job that makes them. */
export async function checkRows(
  ctx: CheckCtx,
  indexable: Indexable,
  { cursor, limit }: Step,
  /** Whether to ask the vector index for the vectors of rows that count as embedded. */
  { asksIndex }: { asksIndex: boolean },
): Promise<CheckResult> {
  const shape = checkedShape(ctx, indexable);
  const bounds = { places: PLACES_A_STEP, rows: indexable.rows.aStep };
  const walked = await walk(ctx, placeOf(cursor), { path: indexable.rows, bounds, shape });
  const own = walked.rows.filter(({ isOwn }) => isOwn);
  const refs = own.flatMap((one) => (one.isStamped ? refsOf(indexable, one) : []));
  const stored = new Set(asksIndex && refs.length > 0 ? await ctx.vectors.stored(ctx.tenantId, refs) : []);
  const lacksVector = (one: CheckedRow) => asksIndex && one.isStamped && refsOf(indexable, one).some(({ id }) => !stored.has(id));
  const { hits, next } = takeHits(walked, limit, (one) => one.isOwn && (!one.hasWords || one.isStale || lacksVector(one)));
  const unfinished = hits.some(({ isStale }) => isStale) ? await unfinishedJobs(ctx, [indexable]) : null;
  const { findings: names } = indexable;
  return {
    checked: {
      [names.words.name]: walked.rows.length,
      [names.vectors.name]: walked.rows.length,
      ...(asksIndex ? { [names.stored.name]: walked.rows.length } : {}),
    },
    findings: hits.flatMap((one) => {
      const finding = (name: string, kind: IndexRepair["kind"]): IndexFinding => ({
        invariant: name,
        example: one.publicId,
        repair: { kind, of: indexable, id: one.walkId, span: one.span, space: one.walkSpace },
      });
      return [
        ...(one.hasWords ? [] : [finding(names.words.name, "reindex")]),
        ...(unfinished !== null && one.isStale && !unfinished.embeds(indexable, one.walkId)
          ? [finding(names.vectors.name, "embed")]
          : []),
        ...(lacksVector(one) ? [finding(names.stored.name, "embed")] : []),
      ];
    }),
    next: toCursor(next),
  };
}

type CheckedRow = { walkId: number; walkSpace: number; span: number; isStamped: boolean };

function refsOf(indexable: Indexable, { walkId, walkSpace, span }: CheckedRow): VectorRef[] {
  return vectorRefs(indexable, { id: walkId, span, space: walkSpace });
}

function checkedShape(ctx: CheckCtx, indexable: Indexable) {
  const [id, model] = [columnOf(indexable, "id"), columnOf(indexable, "vector_model")];
  const words = sql`${sql.identifier(`${indexable.words.table}_docsize`)} d`;
  const { span } = indexable;
  return row({
    publicId: text(columnOf(indexable, "public_id")),
    isOwn: flag(sql`${columnOf(indexable, "tenant_id")} = ${ctx.tenantId}`),
    span: integer(span ?? sql`1`),
    hasWords: flag(
      span === null
        ? sql`exists (select 1 from ${words} where d.id = ${id})`
        : sql`(select count(*) from ${words} where d.id >= ${id} and d.id < ${id} + ${span}) = ${span}`,
    ),
    isStamped: flag(sql`${model} is ${ctx.embedder.model}`),
    isStale: flag(sql`${model} is not ${ctx.embedder.model} and ${indexable.changedAt} < ${ctx.now() - HOUR_MS}`),
  });
}

/** Checks the next entries of the text index: that each has its row, and in the same space. */
export async function checkWords(ctx: CheckCtx, indexable: Indexable, { cursor, limit }: Step): Promise<CheckResult> {
  const tenant = columnOf(indexable, "tenant_id");
  const isThere = sql`${columnOf(indexable, "id")} is not null`;
  const shape = row({
    publicId: nullable(text(sql`iif(${tenant} = ${ctx.tenantId}, ${columnOf(indexable, "public_id")}, null)`)),
    isOwn: flag(sql`coalesce(${tenant}, ${ctx.tenantId}) = ${ctx.tenantId}`),
    isLive: flag(sql`${isThere} and ${indexable.live ?? sql`true`}`),
    isHere: flag(sql`${isThere} and ${indexable.words.isHere}`),
  });
  const walked = await walk(ctx, placeOf(cursor), { path: indexable.words.rows, bounds: WORDS_A_STEP, shape });
  const { hits, next } = takeHits(walked, limit, ({ isLive, isHere }) => !isLive || !isHere);
  const { words, strayWords } = indexable.findings;
  return {
    checked: { [strayWords.name]: walked.rows.length },
    findings: hits.map(({ walkId, walkSpace, publicId, isOwn, isLive }) => ({
      invariant: isLive ? words.name : strayWords.name,
      example: publicId,
      // The words of another tenant's row are not this tenant's to change.
      repair: isOwn
        ? { kind: isLive ? ("reindex" as const) : ("removeWords" as const), of: indexable, id: walkId, span: 1, space: walkSpace }
        : null,
    })),
    next: toCursor(next),
  };
}

const VectorCursor = z.object({ place: Place, vector: z.string().nullable() });

type VectorCursor = z.infer<typeof VectorCursor>;

/**
 * Checks the next vectors of the places' spaces, where the vector index can list them: that each has its row in the same space.
 * Vectors of other kinds are left alone.
 */
export async function checkVectors(
  ctx: CheckCtx,
  { places, indexables, invariant }: { places: Places; indexables: readonly Indexable[]; invariant: string },
  { cursor, limit }: Step,
): Promise<CheckResult> {
  if (ctx.vectors.list === undefined) return { checked: { [invariant]: false }, findings: [], next: null };
  const from = cursor === "" ? { place: FIRST_PLACE, vector: null } : readCursor(VectorCursor, cursor);
  const { vectors, next } = await listVectors(ctx, places, from, Math.min(VECTORS_A_STEP.vectors, limit));
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
  from: VectorCursor,
  limit: number,
): Promise<{ vectors: VectorRef[]; next: VectorCursor | null }> {
  const { rows } = await read(ctx, {
    rows: statement(
      PLACE,
      sql`with ${placesCte(places, ctx.tenantId, from.place, VECTORS_A_STEP.places)} select ${PLACE.columns} from w`,
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
  const last = rows.length < VECTORS_A_STEP.places ? undefined : rows.at(-1);
  return {
    vectors,
    next: last === undefined ? null : { place: { stage: last.stage, at: last.at, after: ALL_ROWS }, vector: null },
  };
}

type Stray = { of: Indexable; id: number; space: number; publicId: string | null };

/** Those vectors that belong to no row of their space. */
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
  const table: SQL = tableOf(indexable);
  const owns = indexable.owns(sql`v.id`);
  const owner = sql`select ${columnOf(indexable, "public_id")} from ${table}
    where ${owns} and ${columnOf(indexable, "tenant_id")} = ${ctx.tenantId}`;
  const shape = row({ ...STRAY, publicId: nullable(text(sql`(${owner})`)) });
  return statement(
    shape,
    sql`select ${shape.columns} from (select j.value ->> 0 as id, j.value ->> 1 as space from json_each(${named}) j) v
      where not exists (
        select 1 from ${table} ${indexable.joins} where ${owns} and ${isIndexed(ctx, indexable)} and ${indexable.space} = v.space)`,
  );
}
