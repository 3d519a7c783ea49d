import { AppError, breaksRule, invalid } from "#core/errors";
import { requirePermission } from "#core/permission";
import { read } from "#db/client";
import { documentUser, findSource, requireWritable } from "./find-source.ts";
import { parsePath } from "./paths.ts";
import { MAX_FILE_BYTES } from "./read/bounds.ts";
import { UNKNOWN_TYPE } from "./recognised-type.ts";
import type { UploadedView, UploadInput } from "./schemas.ts";
import { findByPath, type StoreCtx, storeFiles } from "./store-files.ts";
import { putHashed, uploadKey } from "./uploads.ts";

export type Upload = {
  mediaType: string;
  /** What the request announces; null if it does not. */
  bytes: number | null;
  body: ReadableStream<Uint8Array> | null;
};

/**
 * Stores a file of a source at a path, in place of the one that is there, and enqueues the job that reads it. The body goes to the store as
 * it arrives. The same content again changes nothing.
 * @throws not_found, forbidden as `requireWritable`.
 * @throws unprocessable for a path that leaves the source, and for an empty file.
 * @throws invalid_input without the body's length, and for a body of another length.
 */
export async function uploadFile(ctx: StoreCtx, sourceId: string, input: UploadInput, upload: Upload): Promise<UploadedView> {
  requirePermission(ctx.actor, "write");
  const path = parsePath(input.path);
  const { bytes, body, mediaType } = requireBody(upload);
  const asked = { sourceId, user: documentUser(ctx, input.userId) };
  const {
    source: [found],
    known,
  } = await read(ctx, { source: findSource(ctx, asked), known: findByPath(ctx, sourceId, [path]) });
  const source = requireWritable(ctx, found, asked);
  const uploadId = ctx.newId("job");
  const file = { sourceId: source.id, publicId: known[0]?.publicId ?? ctx.newId("file") };
  const key = uploadKey(ctx.tenantId, file, uploadId);
  const sha256 = await putHashed(ctx, key, { body, bytes });
  const [stored] = await storeFiles(ctx, [{ path, mediaType, bytes, sha256, uploadId, key, content: null }], {
    ...{ source, user: asked.user, known },
    audit: () => ({ source: source.publicId, bytes }),
  });
  if (stored === undefined) throw new AppError("internal", "No file was stored.");
  return stored;
}

function requireBody({ bytes, body, mediaType }: Upload): { bytes: number; body: ReadableStream<Uint8Array>; mediaType: string } {
  if (bytes === 0 || (bytes === null && body === null))
    throw breaksRule("body", "It is empty. Send the bytes of the file as the body.");
  if (bytes === null || body === null)
    throw invalid(
      "content-length",
      "It is missing. Send the length of the file in bytes; `curl -T FILE` and `--data-binary @FILE` do.",
    );
  if (bytes > MAX_FILE_BYTES) throw new AppError("payload_too_large", `A file may have ${MAX_FILE_BYTES} bytes.`);
  return { bytes, body, mediaType };
}

/** The media type that is stored: what a client sends without a thought says nothing of the file. */
export function mediaTypeOf(header: string | undefined): string {
  const type = header?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isGiven = /^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(type) && type !== "application/x-www-form-urlencoded";
  return isGiven ? type : UNKNOWN_TYPE;
}
