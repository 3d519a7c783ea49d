import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { read, runBatch, type Statement, statement } from "#db/client";
import { integer, row } from "#db/row";
import { enqueueMany, type LeasedJob } from "#domain/jobs";
import type { VectorItem, VectorMetadata, VectorRef } from "#ports/vector-index";
import {
  columnOf,
  type Indexable,
  type IndexedRow,
  isEmbedded,
  type Passage,
  type RowRef,
  rangesIn,
  type Tags,
  tableOf,
  vectorIdOf,
  vectorRefs,
} from "./indexable.ts";

const DAY_MS = 86_400_000;

/** Passages that are embedded and stamped at a time: the work lost when a run is cut off, and what is held in memory. */
const PASSAGES_A_BATCH = 256;

export type IndexCtx = Ctx<"db" | "now" | "newId" | "embedder" | "vectors">;

/** Unix milliseconds. */
export type Run = { deadline: number };

/** `unfinished`: the deadline has passed, and the job must run again for the rest. */
export type Outcome = "unfinished" | undefined;

/**
 * Carries out jobs `jobs.index`: embeds the rows that they name. Rows that have a vector of the embedder's model are skipped, and so are
 * deleted ones.
 */
export async function indexRows(ctx: IndexCtx, indexable: Indexable, jobs: readonly LeasedJob[], run: Run): Promise<Outcome> {
  const ranges = new Map(jobs.flatMap((job) => rangesIn(job.payload).map((range) => [`${range.from} ${range.chunks}`, range])));
  const named = JSON.stringify([...ranges.values()]);
  const id = columnOf(indexable, "id");
  const isNamed =
    indexable.passages === undefined
      ? sql`${id} = j.value ->> 'from'`
      : sql`${id} >= (j.value ->> 'from') and ${id} < (j.value ->> 'from') + (j.value ->> 'chunks')`;
  const { rows } = await read(ctx, {
    rows: statement(
      indexable.row,
      sql`select ${indexable.row.columns} from json_each(${named}) j cross join ${tableOf(indexable)} on ${isNamed} ${indexable.joins ?? sql``}
        where ${isEmbedded(ctx, indexable)} and ${columnOf(indexable, "vector_model")} is not ${ctx.embedder.model}`,
    ),
  });
  return await embedRows(ctx, indexable, rows, run);
}

/**
 * Embeds rows batch by batch, each complete before the next, so that a later run continues where this one ends. The first batch is always
 * done; the others only before the deadline.
 */
export async function embedRows(ctx: IndexCtx, indexable: Indexable, rows: readonly IndexedRow[], run: Run): Promise<Outcome> {
  for (const [i, batch] of batchesOf(rows).entries()) {
    if (i > 0 && ctx.now() >= run.deadline) return "unfinished";
    await embedBatch(ctx, indexable, batch);
  }
  return undefined;
}

/** Batches hold whole rows, because a row is stamped as a whole. */
function batchesOf(rows: readonly IndexedRow[]): IndexedRow[][] {
  const batches: IndexedRow[][] = [];
  let room = 0;
  for (const one of rows) {
    const batch = batches.at(-1);
    if (batch !== undefined && one.passages.length <= room) batch.push(one);
    else {
      batches.push([one]);
      room = PASSAGES_A_BATCH;
    }
    room -= one.passages.length;
  }
  return batches;
}

type Embedded = { of: IndexedRow; item: VectorItem };

/**
 * Stores the vectors, then reads which rows have changed meanwhile: the vectors of a deleted row are removed, those of a row whose tag
 * changed are tagged again, and one whose words changed is embedded again: whoever did that first may have been overtaken. The stamp marks
 * the row as complete, so it is written last.
 */
async function embedBatch(ctx: IndexCtx, indexable: Indexable, rows: readonly IndexedRow[]): Promise<void> {
  const passages = rows.flatMap((of) => of.passages.map((passage, i) => ({ of, id: vectorIdOf(indexable, of.id + i), passage })));
  const vectors = await ctx.embedder.embed(
    passages.map(({ passage }) => passage.text),
    "document",
  );
  const embedded = passages.flatMap(({ of, id, passage }, i): Embedded[] => {
    const values = vectors[i];
    const metadata = { ...metadataOf(passage), kind: indexable.kind, space: of.space, model: ctx.embedder.model };
    return values === undefined ? [] : [{ of, item: { id, values, metadata } }];
  });
  await ctx.vectors.upsert(
    ctx.tenantId,
    embedded.map(({ item }) => item),
  );
  const states = await readStates(ctx, indexable, rows);
  const rewritten = rows.filter(({ id, edits = 0 }) => (states.get(id)?.edits ?? edits) !== edits);
  const gone = [...rows.filter(({ id }) => !states.has(id)), ...rewritten].flatMap((one) => vectorRefs(indexable, refOf(one)));
  if (gone.length > 0) await ctx.vectors.remove(ctx.tenantId, gone);
  const same = rows.filter((one) => states.has(one.id) && !rewritten.includes(one));
  const changed = same.filter(({ id, state }) => states.get(id)?.state !== state);
  await retagVectors(ctx, indexable, { embedded, changed, states });
  const again = indexable.retag === undefined ? changed : rewritten;
  await runBatch(ctx, [
    stamp(ctx, indexable, rows),
    ...(again.length > 0 ? embedAgain(ctx, indexable, again.map(refOf)).statements : []),
  ]);
}

function refOf({ id, space, passages }: IndexedRow): RowRef & { space: number } {
  return { id, space, span: passages.length };
}

type RowState = { state: number; edits: number };

/** The current state of these rows, by id. Deleted rows are left out. */
async function readStates(ctx: Ctx<"db">, indexable: Indexable, rows: readonly { id: number }[]): Promise<Map<number, RowState>> {
  const id = columnOf(indexable, "id");
  const ids = JSON.stringify(rows.map((one) => one.id));
  const shape = row({ id: integer(id), state: integer(indexable.state), edits: integer(indexable.edits ?? sql`0`) });
  const { now } = await read(ctx, {
    now: statement(
      shape,
      sql`select ${shape.columns} from json_each(${ids}) j cross join ${tableOf(indexable)} on ${id} = j.value ${indexable.joins ?? sql``}
        where ${isEmbedded(ctx, indexable)}`,
    ),
  });
  return new Map(now.map((one) => [one.id, one]));
}

type Changed = { embedded: readonly Embedded[]; changed: readonly IndexedRow[]; states: ReadonlyMap<number, RowState> };

async function retagVectors(ctx: IndexCtx, { retag }: Indexable, { embedded, changed, states }: Changed): Promise<void> {
  if (retag === undefined || changed.length === 0) return;
  const moved = new Set(changed);
  const items = embedded.flatMap(({ of, item }) =>
    moved.has(of)
      ? [{ ...item, metadata: { ...item.metadata, ...storedTags(retag(states.get(of.id)?.state ?? of.state)) } }]
      : [],
  );
  await ctx.vectors.upsert(ctx.tenantId, items);
}

/** Marks rows as embedded: those whose text has not changed since they were read. A change that affects only tags makes no difference. */
function stamp(ctx: IndexCtx, indexable: Indexable, rows: readonly IndexedRow[]): Statement {
  const id = columnOf(indexable, "id");
  const text = indexable.retag === undefined ? indexable.state : indexable.edits;
  const seen = JSON.stringify(rows.map((one) => [one.id, indexable.retag === undefined ? one.state : (one.edits ?? 0)]));
  const isMeant =
    text === undefined
      ? sql`${id} in (select value ->> 0 from json_each(${seen}))`
      : sql`(${id}, ${text}) in (select value ->> 0, value ->> 1 from json_each(${seen}))`;
  return setModel(ctx, indexable, { model: ctx.embedder.model, isMeant });
}

/** Statements that remove the stamp from rows and enqueue jobs that embed them. */
export function embedAgain(
  ctx: Ctx<"db" | "now" | "newId">,
  indexable: Indexable,
  rows: readonly RowRef[],
): { statements: Statement[]; jobIds: string[] } {
  const jobs = indexable.payloads(rows).map((payload) => ({ id: ctx.newId("job"), payload: JSON.stringify(payload) }));
  return {
    statements: [unstamp(ctx, indexable, rows), enqueueMany(ctx, { kind: indexable.jobs.index, drafts: jobs })],
    jobIds: jobs.map(({ id }) => id),
  };
}

export function unstamp(ctx: Ctx<"db">, indexable: Indexable, rows: readonly RowRef[]): Statement {
  return setModel(ctx, indexable, {
    model: null,
    isMeant: sql`vector_model is not null and ${columnOf(indexable, "id")} in (
      select value from json_each(${JSON.stringify(rows.map(({ id }) => id))}))`,
  });
}

function setModel(ctx: Ctx<"db">, indexable: Indexable, { model, isMeant }: { model: string | null; isMeant: SQL }): Statement {
  return ctx.db.run(sql`
    update ${sql.identifier(indexable.table)} as ${sql.identifier(indexable.alias)} set vector_model = ${model}
    where ${isEmbedded(ctx, indexable)} and ${isMeant}`);
}

/** Carries out jobs `jobs.remove`: removes the vectors of deleted rows. */
export async function removeVectors(ctx: Ctx<"db" | "vectors">, indexable: Indexable, jobs: readonly LeasedJob[]): Promise<void> {
  await ctx.vectors.remove(ctx.tenantId, await removableVectors(ctx, indexable, jobs));
}

/** The vectors that jobs `jobs.remove` are about. A row that was restored since keeps its vectors. */
export async function removableVectors(
  ctx: Ctx<"db">,
  indexable: Indexable,
  jobs: readonly Pick<LeasedJob, "payload">[],
): Promise<VectorRef[]> {
  const removed = jobs.flatMap((job) => rangesIn(job.payload));
  const named = removed.map(({ from }) => ({ id: from }));
  const restored = indexable.live === undefined ? null : await readStates(ctx, indexable, named);
  return removed.flatMap(({ from, chunks, space = 0 }) =>
    restored?.has(from) === true ? [] : vectorRefs(indexable, { id: from, span: chunks, space }),
  );
}

/** A passage's metadata; the index stores 0 and "" for missing values. */
function metadataOf({ at, tags }: Passage): Omit<VectorMetadata, "kind" | "space" | "model"> {
  const none = { session: 0, project: 0, workspace: "", scope: "", type: "", expiresDay: 0 };
  return { ...none, ...storedTags(tags), createdDay: Math.floor(at / DAY_MS) };
}

function storedTags({ expiresAt, ...tags }: Tags): Partial<VectorMetadata> {
  return {
    ...Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== null)),
    ...(expiresAt == null ? {} : { expiresDay: Math.floor(expiresAt / DAY_MS) }),
  };
}
