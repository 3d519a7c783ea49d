import { sql } from "drizzle-orm";
import { AppError } from "#core/errors";
import { type Redaction, redactSecrets } from "#core/safety/find-secrets";
import { readRows, select } from "#db/client";
import { isLostRace, isUniqueViolation } from "#db/guard";
import type { JobRun, LeasedJob } from "#domain/jobs";
import { BLOCK_BREAK, type ReadSlice, textLength } from "./read/blocks.ts";
import { checkCharacters } from "./read/bounds.ts";
import { chunkBlocks } from "./read/chunk-blocks.ts";
import { readDocument } from "./read/read-document.ts";
import { UnreadableFile } from "./read/unreadable-file.ts";
import { FILE_TO_READ, type FileToStore, type ReadCtx, ReadingPlace } from "./reading-place.ts";
import { recognisedType } from "./recognised-type.ts";
import { removeChunks } from "./remove-chunks.ts";
import { markFailed, storePart } from "./store-chunks.ts";
import { uploadKey } from "./uploads.ts";

/** Chunks that are stored at a time. */
const CHUNKS_A_PART = 128;

/**
 * Carries out a job `files.read`: reads an uploaded file slice by slice and stores its chunks part by part, each with the place where a
 * later run continues. What was read before is shown until the last part is stored; then it is removed, and the upload with it. A job that
 * comes twice, or after a newer upload, changes nothing.
 */
export async function readFile(ctx: ReadCtx, [job]: readonly LeasedJob[], run: JobRun): Promise<"unfinished" | undefined> {
  if (job === undefined) throw new AppError("internal", "There is no job.");
  const place = ReadingPlace.parse(job.payload);
  const [file] = await readRows(
    ctx,
    select(
      FILE_TO_READ,
    )`from files f cross join sources so on so.id = f.source_id where f.id = ${place.fileId} and +f.tenant_id = ${ctx.tenantId}`,
  );
  if (file === undefined || file.revision !== place.revision) return await dropUpload(ctx, place);
  if (file.readRevision === place.revision) return await cleanUp(ctx, place, run);
  // A file that could not be read. One that is `failed` because its job was is read when that is run again, which reports nothing yet.
  if (file.status === "failed" && job.result?.outcome === "failed") return await removeUnread(ctx, place, run);
  try {
    const outcome = await readSlices(ctx, { job, run, file, place });
    return outcome === "done" ? await cleanUp(ctx, place, run) : "unfinished";
  } catch (error) {
    // The file was replaced or deleted, or another consumer stored the same part: the next run looks again.
    if (isLostRace(error) || isUniqueViolation(error)) return "unfinished";
    if (!(error instanceof UnreadableFile)) throw error;
    run.report(job, { outcome: "failed", reason: error.message });
    await markFailed(ctx, file, error.message);
    return await removeUnread(ctx, place, run);
  }
}

type Reading = { job: LeasedJob; run: JobRun; file: FileToStore; place: ReadingPlace };

async function readSlices(ctx: ReadCtx, reading: Reading): Promise<"done" | "unfinished"> {
  const { run } = reading;
  let { file, place } = reading;
  const bytes = await ctx.files.get(keyOf(ctx, place));
  if (bytes === null) throw new UnreadableFile("What was uploaded is not there any more. Upload it again.");
  file = { ...file, mediaType: recognisedType({ bytes, path: file.path, mediaType: file.mediaType }) };
  for (;;) {
    const slice = withoutSecrets(
      await readDocument({ bytes, path: file.path, mediaType: file.mediaType }, { page: place.page }, ctx.toMarkdown),
    );
    const next = await storeSlice(ctx, { ...reading, file, place }, slice);
    if (next === "unfinished" || next === "done") return next;
    if (ctx.now() >= run.deadline) return "unfinished";
    place = next;
  }
}

/** Secrets are never stored. Offsets are those of the text without them. */
function withoutSecrets(slice: ReadSlice): ReadSlice {
  const clean = (text: string): Redaction["text"] => redactSecrets(text).text;
  return {
    ...slice,
    title: slice.title === null ? null : clean(slice.title),
    blocks: slice.blocks.map((block) => ({ ...block, text: clean(block.text), headings: block.headings.map(clean) })),
  };
}

/** Stores the chunks of a slice that are not stored yet. Returns the place of the next slice. */
async function storeSlice(
  ctx: ReadCtx,
  { job, run, file, place }: Reading,
  slice: ReadSlice,
): Promise<ReadingPlace | "done" | "unfinished"> {
  const length = textLength(slice.blocks);
  checkCharacters(place.offset + length);
  const chunks = chunkBlocks(slice.blocks, place.offset).map((chunk, i) => ({ ...chunk, ordinal: place.ordinal + i }));
  const behind = {
    page: slice.next ?? 0,
    offset: place.offset + (length === 0 ? 0 : length + BLOCK_BREAK.length),
    ordinal: place.ordinal + chunks.length,
  };
  if (slice.next === null && behind.ordinal === 0) throw new UnreadableFile("The file holds no text.");
  const isFirst = (from: number) => from === Math.max(0, file.stored - place.ordinal);
  let from = Math.max(0, file.stored - place.ordinal);
  for (;;) {
    if (!isFirst(from) && ctx.now() >= run.deadline) return "unfinished";
    const part = chunks.slice(from, from + CHUNKS_A_PART);
    const isLast = from + CHUNKS_A_PART >= chunks.length;
    const progress = progressOf(slice, { stored: place.ordinal + from + part.length, ...behind, isLast });
    await storePart(ctx, {
      ...{ job, file, chunks: part, progress },
      title: place.page === 0 ? slice.title : undefined,
      pages: slice.pages,
      place: isLast ? { ...place, ...behind } : place,
      whole:
        isLast && slice.next === null
          ? { characters: Math.max(0, behind.offset - BLOCK_BREAK.length), chunkCount: behind.ordinal }
          : null,
    });
    run.report(job, progress);
    if (isLast) return slice.next === null ? "done" : { ...place, ...behind };
    from += CHUNKS_A_PART;
  }
}

function progressOf(slice: ReadSlice, { stored, page, isLast }: { stored: number; page: number; isLast: boolean }) {
  const isWhole = isLast && slice.next === null;
  const pages = slice.pages === null ? {} : { pages: { done: isWhole ? slice.pages : page, of: slice.pages } };
  return { outcome: isWhole ? "ready" : "reading", ...pages, chunks: stored };
}

/** A newer upload has taken its place, or the file is deleted. */
async function dropUpload(ctx: ReadCtx, place: ReadingPlace): Promise<undefined> {
  await ctx.files.remove([keyOf(ctx, place)]);
  return undefined;
}

function keyOf({ tenantId }: ReadCtx, { sourceId, file, upload }: ReadingPlace): string {
  return uploadKey(tenantId, { sourceId, publicId: file }, upload);
}

/** Removes what is not shown any more: older chunks, and the upload. */
async function cleanUp(ctx: ReadCtx, place: ReadingPlace, run: JobRun): Promise<"unfinished" | undefined> {
  await dropUpload(ctx, place);
  if (place.revision === 1) return undefined;
  return await removeChunks(ctx, { ...place, which: sql`ck.revision < ${place.revision}` }, run);
}

/** Removes the chunks of a file that could not be read to its end, and of older ones that nothing shows. */
async function removeUnread(ctx: ReadCtx, place: ReadingPlace, run: JobRun): Promise<"unfinished" | undefined> {
  const shown = sql`(select f.read_revision from files f where f.id = ck.file_id)`;
  return await removeChunks(ctx, { ...place, which: sql`ck.revision <= ${place.revision} and ck.revision is not ${shown}` }, run);
}
