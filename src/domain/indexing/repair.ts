import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { read, type Statement, statement } from "#db/client";
import { failUnless } from "#db/guard";
import { rowsInParts } from "#db/rows";
import { enqueue } from "#domain/jobs";
import type { IndexRepair } from "./check.ts";
import { embedAgain, unstamp } from "./embed.ts";
import { columnOf, type Indexable, isEmbedded, isIndexed, tableOf, vectorRefs } from "./indexable.ts";

type RepairCtx = Ctx<"db" | "now" | "newId" | "vectors">;

/** Prepared repairs, before any of them is carried out. */
export type Repairs = {
  /** How many repairs, by name. */
  counts: Readonly<Record<string, number>>;
  statements: readonly Statement[];
  /** Jobs that the statements enqueue. */
  jobIds?: readonly string[];
  /** Calls outside the database, made before the statements; idempotent. */
  outside?: () => Promise<void>;
};

/** Prepares repairs of indexes, grouped by kind. If rows have changed since they were checked, the batch counts as a lost race. */
export async function prepareIndexRepairs(ctx: RepairCtx, repairs: readonly IndexRepair[]): Promise<Repairs[]> {
  const byIndexable = [...Map.groupBy(repairs, ({ of }) => of)];
  const groups = byIndexable.flatMap(([of, its]) =>
    [...Map.groupBy(its, ({ kind }) => kind)].map(([kind, group]) => ({ of, kind, group })),
  );
  return await Promise.all(groups.map(async ({ of, kind, group }) => await REPAIRS[kind](ctx, of, group)));
}

type Prepare = (ctx: RepairCtx, indexable: Indexable, rows: readonly IndexRepair[]) => Repairs | Promise<Repairs>;

const REPAIRS: Record<IndexRepair["kind"], Prepare> = {
  reindex: reindexRows,
  removeWords: (ctx, indexable, rows) => ({
    counts: { [indexable.counts.removeWords]: rows.length },
    statements: [
      // A hidden row may have been restored.
      failUnless(
        ctx.db,
        sql`not exists (
          select 1 from ${tableOf(indexable)} where ${columnOf(indexable, "id")} in ${idsIn(ids(rows))} and ${isIndexed(ctx, indexable)})`,
      ),
      removeFromIndex(ctx, indexable, ids(rows)),
    ],
  }),
  embed: (ctx, indexable, rows) => ({ counts: { [indexable.counts.embed]: rows.length }, ...embedAgain(ctx, indexable, rows) }),
  removeVectors,
};

function ids(repairs: readonly IndexRepair[]): number[] {
  return repairs.map(({ id }) => id);
}

/** The ids as a subquery. They are passed as JSON, because D1 binds a number as a real, which FTS5 does not accept as a row id. */
function idsIn(list: readonly number[]): SQL {
  return sql`(select value from json_each(${JSON.stringify(list)}))`;
}

function removeFromIndex(ctx: RepairCtx, { words }: Indexable, list: readonly number[]): Statement {
  return ctx.db.run(sql`delete from ${sql.identifier(words.table)} where rowid in ${idsIn(list)}`);
}

/** Reindexes the text of rows that have not changed since they were read. */
async function reindexRows(ctx: RepairCtx, indexable: Indexable, repairs: readonly IndexRepair[]): Promise<Repairs> {
  const [id, table, isThere] = [columnOf(indexable, "id"), tableOf(indexable), isIndexed(ctx, indexable)];
  const { rows } = await read(ctx, {
    rows: statement(
      indexable.row,
      sql`select ${indexable.row.columns} from ${table} ${indexable.joins ?? sql``} where ${id} in ${idsIn(ids(repairs))} and ${isThere}`,
    ),
  });
  const seen = JSON.stringify(rows.map((one) => [one.id, one.state]));
  const passages = rows.flatMap((one) => one.passages.map((passage, i) => [one.id, i, passage.words()] as const));
  return {
    counts: { [indexable.counts.reindex]: repairs.length },
    statements: [
      failUnless(
        ctx.db,
        sql`(
          select count(*) from json_each(${seen}) j cross join ${table} on ${id} = j.value ->> 0 ${indexable.joins ?? sql``}
          where ${isThere} and ${indexable.state} = j.value ->> 1) = ${rows.length}`,
      ),
      removeFromIndex(
        ctx,
        indexable,
        passages.map(([row, i]) => row + i),
      ),
      ...rowsInParts(passages).map((part) =>
        ctx.db.run(sql`
          insert into ${sql.identifier(indexable.words.table)} (rowid, space, text)
          select ${id} + j.c1, ${indexable.words.space}, j.c2 from ${part} j cross join ${table} on ${id} = j.c0`),
      ),
    ],
  };
}

/** A row that was restored between the check and the removal has lost its vectors: it gets a job. */
function removeVectors(ctx: RepairCtx, indexable: Indexable, rows: readonly IndexRepair[]): Repairs {
  const refs = rows.flatMap((one) => vectorRefs(indexable, one));
  const repairs = { counts: { vectorsRemoved: rows.length }, outside: () => ctx.vectors.remove(ctx.tenantId, refs) };
  if (indexable.live === undefined) return { ...repairs, statements: [] };
  const jobs = indexable.payloads(rows).map((payload) => ({ id: ctx.newId("job"), payload: JSON.stringify(payload) }));
  const restored = sql`(
    select 1 from ${tableOf(indexable)} where ${columnOf(indexable, "id")} in ${idsIn(ids(rows))} and ${isEmbedded(ctx, indexable)} limit 1)`;
  return {
    ...repairs,
    statements: [
      unstamp(ctx, indexable, rows),
      ...jobs.map((job) => enqueue(ctx, { ...job, kind: indexable.jobs.index, from: restored })),
    ],
    jobIds: jobs.map(({ id }) => id),
  };
}
