import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { runBatch, type Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { rowsInParts } from "#db/rows";
import { FILE } from "#db/schema/sources";
import { dispatch, enqueue, type JobResult, type LeasedJob, saveProgress } from "#domain/jobs";
import { CHUNKS, wordsOf } from "./index-chunks.ts";
import type { DocumentChunk } from "./read/chunk-blocks.ts";
import type { FileToStore, ReadCtx, ReadingPlace } from "./reading-place.ts";

type Part = {
  job: LeasedJob;
  file: FileToStore;
  chunks: readonly (DocumentChunk & { ordinal: number })[];
  /** Undefined where the slice does not have it. */
  title: string | null | undefined;
  pages: number | null;
  /** Where the next part begins. */
  place: ReadingPlace;
  /** Of the last part. */
  whole: { characters: number; chunkCount: number } | null;
  progress: JobResult;
};

/**
 * Stores a part of a file's chunks with their words and the job that embeds them, and where the reading continues; with the last part, the
 * file shows them. It fails as a lost race if the file was replaced or deleted, and breaks a unique index if the part is stored already.
 */
export async function storePart(ctx: ReadCtx, part: Part): Promise<void> {
  const { file, chunks, job, place, progress } = part;
  const indexing = ctx.newId("job");
  await runBatch(ctx, [
    failUnless(
      ctx.db,
      sql`exists (
        select 1 from files f where f.id = ${file.id} and +f.tenant_id = ${ctx.tenantId} and f.revision = ${file.revision} and f.read_revision <> f.revision)`,
    ),
    ...insertChunks(ctx, file, chunks),
    ...enqueueIndexing(ctx, part, indexing),
    changeFile(ctx, part),
    saveProgress(ctx, job, { payload: JSON.stringify(place), result: progress }),
  ]);
  if (chunks.length > 0) dispatch(ctx, [indexing]);
}

function insertChunks(ctx: ReadCtx, file: FileToStore, chunks: Part["chunks"]): Statement[] {
  const rows = chunks.map((chunk) => ({ publicId: ctx.newId("chunk"), ...chunk }));
  const stored = rows.map(({ publicId, ordinal, text, start, end, page, headings }) => [
    ...[publicId, ordinal, text, start, end, page ?? 0, JSON.stringify(headings)],
  ]);
  return [
    ...rowsInParts(stored).map((part) =>
      ctx.db.run(sql`
        insert into chunks (public_id, tenant_id, source_id, space_id, file_id, revision, ordinal, text, start_at, end_at, page, headings, created_at)
        select j.c0, ${ctx.tenantId}, ${file.sourceId}, ${file.spaceId}, ${file.id}, ${file.revision}, j.c1, j.c2, j.c3, j.c4, nullif(j.c5, 0), j.c6, ${ctx.now()}
        from ${part} j`),
    ),
    ...rowsInParts(rows.map((chunk) => [chunk.publicId, wordsOf(chunk)])).map((part) =>
      ctx.db.run(sql`
        insert into chunk_fts (rowid, space, text) select ck.id, ${CHUNKS.words.space}, j.c1
        from ${part} j cross join chunks ck on ck.public_id = j.c0`),
    ),
  ];
}

/** The ids of a part follow one another, because one transaction inserted them. */
function enqueueIndexing(ctx: ReadCtx, { file, chunks: [first, ...more] }: Part, jobId: string): Statement[] {
  if (first === undefined) return [];
  const payload = sql`json_object('from', ck.id, 'chunks', ${sql.raw(String(more.length + 1))}, 'space', ck.space_id, 'sourceId', ck.source_id)`;
  const from = sql`chunks ck where ck.file_id = ${file.id} and ck.revision = ${file.revision} and ck.ordinal = ${first.ordinal}`;
  return [enqueue(ctx, { id: jobId, kind: CHUNKS.jobs.index, payload, from })];
}

function changeFile(ctx: ReadCtx, { file, title, pages, whole }: Part): Statement {
  const read =
    whole === null
      ? { status: "reading" as const }
      : { status: "ready" as const, readRevision: file.revision, error: null, updatedAt: ctx.now(), ...whole };
  const change = { ...read, mediaType: file.mediaType, pages, ...(title === undefined ? {} : { title }) };
  return ctx.db.run(sql`update files set ${FILE.set(change)} where id = ${file.id} and +tenant_id = ${ctx.tenantId}`);
}

/** Marks a file as one that cannot be read, unless it was replaced meanwhile. What was read before stays. */
export async function markFailed(ctx: Ctx<"db" | "now">, { id, revision }: FileToStore, reason: string): Promise<void> {
  const change = FILE.set({ status: "failed", error: reason, updatedAt: ctx.now() });
  await runBatch(ctx, [
    ctx.db.run(sql`
      update files set ${change} where id = ${id} and revision = ${revision} and read_revision <> revision and +tenant_id = ${ctx.tenantId}`),
  ]);
}
