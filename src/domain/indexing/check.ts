import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { flag, integer, nullable, row, text } from "#db/row";
import type { VectorRef } from "#ports/vector-index";
import { ALWAYS, columnOf, findingsOf, type Indexable, rowsPath, vectorRefs, wordsPath } from "./indexable.ts";
import { unfinishedJobs } from "./unfinished.ts";
import { placeOf, takeHits, toCursor, walk } from "./walk.ts";

/** A repair of one row, passage or vector. `id` is the row's, or, if there is no row, the passage's. */
export type IndexRepair = {
  kind: "reindex" | "removeWords" | "embed" | "removeVectors";
  of: Indexable;
  id: number;
  span: number;
  space: number;
};

export type IndexFinding = {
  invariant: string;
  /** A public id; null if it has none or is another tenant's. */
  example: string | null;
  /** Null if only a person can repair it. */
  repair: IndexRepair | null;
};

/** The input of a step of a check: where the previous step ended ("" for the start), and how many rows it may report. */
export type Step = { cursor: string; limit: number };

/** The result of a step: how many rows it checked for each finding (false if unknown), and where the next step continues. */
export type CheckResult<F = IndexFinding> = {
  checked: Readonly<Record<string, number | false>>;
  findings: F[];
  next: string | null;
};

export type CheckCtx = Ctx<"db" | "now" | "embedder" | "vectors">;

const HOUR_MS = 3_600_000;
const PLACES_A_STEP = 200;
/** Each place is a query of the text index. */
const WORDS_A_STEP = { places: 100, rows: 1_000 };

/** Checks the next rows: their text must be in the text index, and they must have vectors or a job that makes them. */
export async function checkRows(
  ctx: CheckCtx,
  indexable: Indexable,
  { cursor, limit }: Step,
  /** Whether to ask the vector index for the vectors of rows that are marked as embedded. */
  { asksIndex }: { asksIndex: boolean },
): Promise<CheckResult> {
  const shape = checkedShape(ctx, indexable);
  const bounds = { places: PLACES_A_STEP, rows: indexable.rows.aStep };
  const walked = await walk(ctx, placeOf(cursor), { path: rowsPath(indexable), bounds, shape });
  const own = walked.rows.filter(({ isOwn }) => isOwn);
  const refs = own.flatMap((one) => (one.isStamped ? refsOf(indexable, one) : []));
  const stored = new Set(asksIndex && refs.length > 0 ? await ctx.vectors.stored(ctx.tenantId, refs) : []);
  const lacksVector = (one: CheckedRow) => asksIndex && one.isStamped && refsOf(indexable, one).some(({ id }) => !stored.has(id));
  const { hits, next } = takeHits(walked, limit, (one) => one.isOwn && (!one.hasWords || one.isStale || lacksVector(one)));
  const unfinished = hits.some(({ isStale }) => isStale) ? await unfinishedJobs(ctx, [indexable]) : null;
  const names = findingsOf(indexable);
  const count = walked.rows.length;
  const findings = hits.flatMap((one) => {
    const repair = { of: indexable, id: one.walkId, span: one.span, space: one.walkSpace };
    const finding = (is: boolean, { name }: { name: string }, kind: IndexRepair["kind"]): IndexFinding[] =>
      is ? [{ invariant: name, example: one.publicId, repair: { kind, ...repair } }] : [];
    return [
      ...finding(!one.hasWords, names.words, "reindex"),
      ...finding(one.isStale && unfinished?.embeds(indexable, one.walkId) === false, names.vectors, "embed"),
      ...finding(lacksVector(one), names.stored, "embed"),
    ];
  });
  const checked = { [names.words.name]: count, [names.vectors.name]: count };
  return { checked: asksIndex ? { ...checked, [names.stored.name]: count } : checked, findings, next: toCursor(next) };
}

type CheckedRow = { walkId: number; walkSpace: number; span: number; isStamped: boolean };

function refsOf(indexable: Indexable, { walkId, walkSpace, span }: CheckedRow): VectorRef[] {
  return vectorRefs(indexable, { id: walkId, span, space: walkSpace });
}

function checkedShape(ctx: CheckCtx, indexable: Indexable) {
  const [id, model] = [columnOf(indexable, "id"), columnOf(indexable, "vector_model")];
  const words = sql`${sql.identifier(`${indexable.words.table}_docsize`)} d`;
  const count = indexable.passages?.count;
  const embedded = indexable.embedded ?? ALWAYS;
  return row({
    publicId: text(columnOf(indexable, "public_id")),
    isOwn: flag(sql`${columnOf(indexable, "tenant_id")} = ${ctx.tenantId}`),
    span: integer(count ?? sql`1`),
    hasWords: flag(
      count === undefined
        ? sql`(exists (select 1 from ${words} where d.id = ${id}) and ${indexable.words.isCurrent ?? ALWAYS})`
        : sql`(select count(*) from ${words} where d.id >= ${id} and d.id < ${id} + ${count}) = ${count}`,
    ),
    isStamped: flag(sql`${model} is ${ctx.embedder.model} and ${embedded}`),
    isStale: flag(sql`${model} is not ${ctx.embedder.model} and ${embedded} and ${indexable.changedAt} < ${ctx.now() - HOUR_MS}`),
  });
}

/** Checks the next entries of the text index: each must have its row, in the same space. */
export async function checkWords(ctx: CheckCtx, indexable: Indexable, { cursor, limit }: Step): Promise<CheckResult> {
  const [tenant, path] = [columnOf(indexable, "tenant_id"), wordsPath(indexable)];
  const isThere = sql`${columnOf(indexable, "id")} is not null`;
  const shape = row({
    publicId: nullable(text(sql`iif(${tenant} = ${ctx.tenantId}, ${columnOf(indexable, "public_id")}, null)`)),
    isOwn: flag(sql`coalesce(${tenant}, ${ctx.tenantId}) = ${ctx.tenantId}`),
    isLive: flag(sql`${isThere} and ${indexable.live ?? ALWAYS}`),
    isHere: flag(sql`${isThere} and ${path.isHere}`),
  });
  const walked = await walk(ctx, placeOf(cursor), { path, bounds: WORDS_A_STEP, shape });
  const { hits, next } = takeHits(walked, limit, ({ isLive, isHere }) => !isLive || !isHere);
  const { words, strayWords } = findingsOf(indexable);
  return {
    checked: { [strayWords.name]: walked.rows.length },
    findings: hits.map(({ walkId, walkSpace, publicId, isOwn, isLive }) => ({
      invariant: isLive ? words.name : strayWords.name,
      example: publicId,
      // An entry of another tenant's row is not this tenant's to change.
      repair: isOwn
        ? { kind: isLive ? ("reindex" as const) : ("removeWords" as const), of: indexable, id: walkId, span: 1, space: walkSpace }
        : null,
    })),
    next: toCursor(next),
  };
}
