import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { QueryTerm } from "#core/text/query";
import { type Query, statement } from "#db/client";
import { integer, nullable, type RowOf, row, text } from "#db/row";
import { CHUNK } from "#db/schema/sources";
import {
  type ChunkRule,
  decideChunkInPool,
  documentSpace,
  type Pool,
  seesChunk,
  type ViewerRef,
  viewerCte,
} from "#domain/visibility";
import { type IdList, idsByTerm, type Posting, postings, union } from "./postings.ts";

/** If the documents of one space contain a term more often than this, only the chunks that were stored last are read. */
const MAX_CHUNKS_A_TERM = 20_000;

/** Which documents are asked for: those that have not changed since a time (Unix milliseconds), or all (null). */
export type ChunkQuestion = { unchangedSince: number | null };

/**
 * For each term the ids of the chunks of documents that contain it, in the one space whose documents the viewer may see, so that other
 * documents change neither the cost nor the ranking. Nothing is read of the index where the space has no source.
 */
export function findChunks(ctx: Ctx, viewer: ViewerRef, terms: readonly QueryTerm[]): Query<Posting> {
  const shape = postings(
    sql`t.value`,
    sql`
    select f.rowid as id from chunk_fts f
    where f.chunk_fts match ((select expression from documents) || '"' || t.value || '"')
    order by f.rowid desc limit ${MAX_CHUNKS_A_TERM}`,
  );
  return statement(
    shape,
    sql`
    with ${viewerCte(viewer)},
    documents as materialized (
      select 'space : "s' || ds.space_id || '" AND text : ' as expression
      from (select ${documentSpace(ctx.tenantId)} as space_id) ds
      where exists (select 1 from sources so where so.space_id = ds.space_id))
    select ${shape.columns} from json_each(${JSON.stringify(terms.map(({ term }) => term))}) t
    where (select expression from documents) is not null`,
  );
}

/** The chunks of each term, in the order of the terms, and how many have any. */
export type FoundChunks = { postings: IdList[]; total: number };

export function readChunks(found: readonly Posting[], terms: readonly QueryTerm[]): FoundChunks {
  const byTerm = idsByTerm(found, terms);
  return { postings: byTerm, total: union(byTerm).length };
}

const tables = { chunk: sql`c`, file: sql`fi`, source: sql`so` };

/** A passage of a document with its file and source, and what the rule needs to know of them and of its viewer. */
const CHUNK_HIT = row({
  ...CHUNK.of(
    tables.chunk,
    "id",
    "publicId",
    "tenantId",
    "text",
    "startAt",
    "endAt",
    "page",
    "headings",
    "revision",
    "vectorModel",
  ),
  fileId: text(sql`fi.public_id`),
  path: text(sql`fi.path`),
  title: nullable(text(sql`fi.title`)),
  readRevision: integer(sql`fi.read_revision`),
  updatedAt: integer(sql`fi.updated_at`),
  sourceId: text(sql`so.external_id`),
  source: text(sql`so.name`),
  projectId: nullable(integer(sql`so.project_id`)),
  project: nullable(text(sql`(select dp.external_id from projects dp where dp.id = so.project_id)`)),
  viewerProject: nullable(integer(sql`v.project_id`)),
  pool: text<Pool>(sql`v.pool`),
});

export type ChunkRow = RowOf<typeof CHUNK_HIT>;

/** A passage of a document that the viewer may see, and the rule that makes it visible. */
export type VisibleChunk = ChunkRow & { kind: "chunk"; visibleBy: ChunkRule };

/** Loads those of the chunks that exist and that the viewer may see. The statement that loads them decides visibility. */
export function loadChunks(
  ctx: Ctx,
  viewer: ViewerRef,
  { ids, unchangedSince }: ChunkQuestion & { ids: readonly number[] },
): Query<ChunkRow> {
  return statement(
    CHUNK_HIT,
    sql`
    with ${viewerCte(viewer)}
    select ${CHUNK_HIT.columns} from viewer v cross join json_each(${JSON.stringify(ids)}) j
    cross join chunks c on c.id = j.value
    cross join files fi on fi.id = c.file_id
    cross join sources so on so.id = c.source_id
    where ${seesChunk(ctx.tenantId, tables)} and ${unchangedSince === null ? sql`true` : sql`fi.updated_at <= ${unchangedSince}`}`,
  );
}

/** One chunk by its public id, if the viewer may see it. */
export function loadChunk(ctx: Ctx, viewer: ViewerRef, chunkId: string): Query<ChunkRow> {
  return statement(
    CHUNK_HIT,
    sql`
    with ${viewerCte(viewer)}
    select ${CHUNK_HIT.columns} from viewer v cross join chunks c on c.public_id = ${chunkId}
    cross join files fi on fi.id = c.file_id
    cross join sources so on so.id = c.source_id
    where ${seesChunk(ctx.tenantId, tables)}`,
  );
}

/** SQL has decided already; the pure rule checks again. If they ever differ, nothing is shown and the log reports it. */
export function visibleChunks(ctx: Ctx<"log">, rows: readonly ChunkRow[]): VisibleChunk[] {
  return rows.flatMap((chunk) => {
    const { pool, viewerProject } = chunk;
    const { visible, rule } = decideChunkInPool({ tenantId: ctx.tenantId, projectId: viewerProject, pool }, chunk);
    if (visible) return [{ ...chunk, kind: "chunk" as const, visibleBy: rule }];
    ctx.log("visibility.disagreement", { kind: "chunk", rule, pool });
    return [];
  });
}

/** What is compared of a chunk beside its text: where it stands in its document. */
export function headingOf({ headings, title }: Pick<ChunkRow, "headings" | "title">): string {
  return [...(title === null || headings.includes(title) ? [] : [title]), ...headings].join(" > ");
}
