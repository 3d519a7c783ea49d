import { AppError } from "#core/errors";
import type { FileStore } from "#ports/file-store";

/** Keys that R2 deletes in one call. */
const DELETES_A_CALL = 1_000;

/** Files in an R2 bucket. */
export function createR2Files(bucket: R2Bucket): FileStore {
  return {
    async put(key, body, bytes) {
      if (body instanceof Uint8Array) {
        await bucket.put(key, body);
        return;
      }
      // R2 takes a stream only if its length is known.
      const sized = new FixedLengthStream(bytes);
      const [copied, stored] = await Promise.allSettled([body.pipeTo(sized.writable), bucket.put(key, sized.readable)]);
      if (copied.status === "fulfilled" && stored.status === "fulfilled") return;
      // A body that is too long leaves its beginning.
      await bucket.delete(key);
      throw new AppError("invalid_input", "The body ended before, or after, the length that was announced.");
    },
    async get(key) {
      const object = await bucket.get(key);
      return object === null ? null : new Uint8Array(await object.arrayBuffer());
    },
    async remove(keys) {
      for (let from = 0; from < keys.length; from += DELETES_A_CALL) await bucket.delete(keys.slice(from, from + DELETES_A_CALL));
    },
    async list(prefix, after) {
      const page = await bucket.list({ prefix, ...(after === null ? {} : { startAfter: after }) });
      const keys = page.objects.map(({ key }) => key);
      return { keys, next: page.truncated ? (keys.at(-1) ?? null) : null };
    },
  };
}
