/** Holds uploaded files until they have been read. Keys are ours: internal ids, never a name that somebody gave. */
export interface FileStore {
  /** Stores the file under the key, in place of one that is there. `bytes` is its exact length. */
  put(key: string, body: ReadableStream<Uint8Array> | Uint8Array, bytes: number): Promise<void>;
  /** The whole file, or null. */
  get(key: string): Promise<Uint8Array | null>;
  /** Keys that are not there are skipped. */
  remove(keys: readonly string[]): Promise<void>;
  /** Keys with this prefix, in order, at most 1,000; `next` continues, null at the end. */
  list(prefix: string, after: string | null): Promise<{ keys: string[]; next: string | null }>;
}
