import type { Ctx } from "#context";

/** Where one upload of a file is in the store until it has been read; each upload has a place of its own, so that two at once keep apart. */
export function uploadKey(tenantId: number, file: UploadedFile, uploadId: string): string {
  return `${uploadsOfFile(tenantId, file)}${uploadId}`;
}

/** A file by its public id, in its source by the internal one. */
export type UploadedFile = { sourceId: number; publicId: string };

/** Where all uploads of a file are. */
export function uploadsOfFile(tenantId: number, { sourceId, publicId }: UploadedFile): string {
  return `${uploadsOfSource(tenantId, sourceId)}${publicId}/`;
}

/** Where all uploads of a source are, also those of files that have no row yet, or no row any more. */
export function uploadsOfSource(tenantId: number, sourceId: number): string {
  return `${uploadsOfTenant(tenantId)}${sourceId}/`;
}

export function uploadsOfTenant(tenantId: number): string {
  return `t${tenantId}/`;
}

/** The public id of the file under which an upload was stored. */
export function fileIdOf(key: string): string {
  return key.split("/").at(-2) ?? "";
}

/** The upload of a key, by the id of the job that reads it. */
export function uploadIdOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

export async function removeUploads(ctx: Ctx<"files">, file: UploadedFile): Promise<void> {
  let after: string | null = null;
  do {
    const { keys, next } = await ctx.files.list(uploadsOfFile(ctx.tenantId, file), after);
    await ctx.files.remove(keys);
    after = next;
  } while (after !== null);
}

/**
 * Stores a body and computes its SHA-256 on the way, without holding it in memory.
 * @throws invalid_input if it has another length than `bytes`; nothing is stored then.
 */
export async function putHashed(
  ctx: Ctx<"files">,
  key: string,
  { body, bytes }: { body: ReadableStream<Uint8Array>; bytes: number },
): Promise<string> {
  const digest = new crypto.DigestStream("SHA-256");
  const hash = digest.getWriter();
  // They fail with the body, whose own error is thrown.
  for (const failing of [hash.closed, digest.digest]) failing.catch(() => undefined);
  const reader = body.getReader();
  const hashed = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (value !== undefined) await hash.write(value);
      if (value !== undefined) controller.enqueue(value);
      if (!done) return;
      await hash.close();
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  try {
    await ctx.files.put(key, hashed, bytes);
  } catch (error) {
    await hash.abort().catch(() => undefined);
    throw error;
  }
  return toHex(await digest.digest);
}

export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", bytes));
}

function toHex(digest: ArrayBuffer): string {
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
