import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { readRows, select } from "#db/client";
import { failUnless } from "#db/guard";
import { commitUnlessLost } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { userIdOf } from "#domain/tenants";
import { documentUser } from "./find-source.ts";
import { findWritableFile } from "./remove-file.ts";
import type { FileView, SourceReader } from "./schemas.ts";
import { enqueueReading } from "./store-files.ts";
import { sha256Of, uploadIdOf, uploadsOfFile } from "./uploads.ts";
import { FILE_ROW, type FileRow, toFile } from "./view.ts";

type AgainCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "files">;

/**
 * Reads a file again that failed, or whose job never ended: its bytes are kept until they have been read.
 * @throws conflict if they have been read, or are not there.
 * @throws not_found, forbidden as `requireWritable`.
 */
export async function readAgain(
  ctx: AgainCtx,
  named: { sourceId: string; fileId: string },
  input: SourceReader,
): Promise<FileView> {
  requirePermission(ctx.actor, "write");
  const asked = { sourceId: named.sourceId, user: documentUser(ctx, input.userId) };
  const { source, file } = await findWritableFile(ctx, asked, named.fileId);
  const uploadId = file.status === "ready" ? null : await findUpload(ctx, source, file);
  if (uploadId === null)
    throw conflict("What was uploaded is not kept once it has been read. Delete the file and upload it again.");
  const jobId = ctx.newId("job");
  const isSame = sql`f.id = ${file.id} and f.revision = ${file.revision} and f.read_revision <> f.revision`;
  const stored = await commitUnlessLost(ctx, {
    statements: [
      failUnless(ctx.db, sql`exists (select 1 from files f where ${isSame})`),
      ctx.db.run(sql`
        update files set status = 'waiting', error = null, updated_at = ${ctx.now()} where id = ${file.id} and +tenant_id = ${ctx.tenantId}`),
      enqueueReading(ctx, {
        ...{ jobId, uploadId, fileId: sql`${sql.raw(String(file.id))}`, publicId: file.publicId },
        ...{ revision: file.revision, sourceId: source.id },
      }),
    ],
    audit: [
      {
        ...{ action: "file.read_again", objectId: file.publicId, userId: userIdOf(ctx.tenantId, asked.user) },
        detail: { source: source.publicId },
      },
    ],
  });
  if (stored === "lost") throw conflict("The file is being changed or read at the same moment. Look at it again.");
  dispatch(ctx, [jobId]);
  const [now] = await readRows(
    ctx,
    select(
      FILE_ROW,
    )`from files f cross join sources so on so.id = f.source_id where f.id = ${file.id} and +f.tenant_id = ${ctx.tenantId}`,
  );
  if (now === undefined) throw notFound("file");
  return toFile(now);
}

/** The upload that has the file's content: an upload that was broken off may have left its bytes too. */
async function findUpload(ctx: AgainCtx, source: { id: number }, { publicId, sha256 }: FileRow): Promise<string | null> {
  const { keys } = await ctx.files.list(uploadsOfFile(ctx.tenantId, { sourceId: source.id, publicId }), null);
  for (const key of keys) {
    const bytes = await ctx.files.get(key);
    if (bytes !== null && (await sha256Of(new Uint8Array(bytes))) === sha256) return uploadIdOf(key);
  }
  return null;
}
