import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { AppError, notFound } from "#core/errors";
import { isPublicId } from "#core/ids";
import { requirePermission } from "#core/permission";
import { read, select } from "#db/client";
import { failUnless } from "#db/guard";
import { commitUnlessLost } from "#domain/audit";
import { dispatch, enqueue, type JobRun, type LeasedJob } from "#domain/jobs";
import { userIdOf } from "#domain/tenants";
import { type Asked, documentUser, type FoundSource, findSource, isStillWritable, requireWritable } from "./find-source.ts";
import { removeChunks } from "./remove-chunks.ts";
import type { SourceReader } from "./schemas.ts";
import { removeUploads } from "./uploads.ts";
import { FILE_ROW, type FileRow } from "./view.ts";

type RemoveCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "files">;

/**
 * Deletes a file: at once its row, so that nothing shows it, and what was uploaded; its chunks with their words and vectors by a job.
 * @throws not_found, forbidden as `requireWritable`.
 */
export async function removeFile(
  ctx: RemoveCtx,
  named: { sourceId: string; fileId: string },
  input: SourceReader,
): Promise<void> {
  requirePermission(ctx.actor, "write");
  const asked = { sourceId: named.sourceId, user: documentUser(ctx, input.userId) };
  const { source, file } = await findWritableFile(ctx, asked, named.fileId);
  const jobId = ctx.newId("job");
  const payload = JSON.stringify({ fileId: file.id, file: file.publicId, sourceId: source.id });
  const removed = await commitUnlessLost(ctx, {
    statements: [
      failUnless(ctx.db, isStillWritable(ctx, source, asked.user)),
      failUnless(ctx.db, sql`exists (select 1 from files f where f.id = ${file.id})`),
      ctx.db.run(sql`delete from files where id = ${file.id} and +tenant_id = ${ctx.tenantId}`),
      ctx.db.run(sql`update sources set updated_at = ${ctx.now()} where id = ${source.id} and +tenant_id = ${ctx.tenantId}`),
      enqueue(ctx, { id: jobId, kind: "files.remove", payload }),
    ],
    audit: [
      {
        ...{ action: "file.removed", objectId: file.publicId, userId: userIdOf(ctx.tenantId, asked.user) },
        detail: { source: source.publicId, chunks: file.chunkCount },
      },
    ],
  });
  if (removed === "lost") throw notFound("file");
  dispatch(ctx, [jobId]);
  await removeUploads(ctx, { sourceId: source.id, publicId: file.publicId });
}

/** A file of a source that the user may change. */
export async function findWritableFile(
  ctx: Ctx<"db">,
  asked: Asked,
  fileId: string,
): Promise<{ source: FoundSource; file: FileRow }> {
  const {
    source: [found],
    files: [file],
  } = await read(ctx, {
    source: findSource(ctx, asked),
    files: isPublicId("file", fileId)
      ? select(FILE_ROW)`from files f cross join sources so on so.id = f.source_id
          where f.public_id = ${fileId} and f.tenant_id = ${ctx.tenantId} and so.external_id = ${asked.sourceId}`
      : null,
  });
  const source = requireWritable(ctx, found, asked);
  if (file === undefined) throw notFound("file");
  return { source, file };
}

const Payload = z.object({ fileId: z.number().int(), file: z.string(), sourceId: z.number().int() });

/** Carries out a job `files.remove`: deletes what is left of a file whose row is gone. */
export async function removeRest(ctx: RemoveCtx, [job]: readonly LeasedJob[], run: JobRun): Promise<"unfinished" | undefined> {
  if (job === undefined) throw new AppError("internal", "There is no job.");
  const { fileId, file, sourceId } = Payload.parse(job.payload);
  await removeUploads(ctx, { sourceId, publicId: file });
  return await removeChunks(ctx, { fileId, sourceId, which: sql`true` }, run);
}
