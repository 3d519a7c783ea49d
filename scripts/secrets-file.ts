import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** Bytes of an `ENCRYPTION_KEY`: the key size of AES-256. */
const KEY_BYTES = 32;

export function newEncryptionKey(): string {
  return Array.from(randomBytes(KEY_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Creates the file with this machine's own `ENCRYPTION_KEY`, readable by its owner only, unless it exists. Wrangler reads it like
 * `.dev.vars`, so the key is in no list of processes.
 */
export async function ensureSecrets(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  try {
    await writeFile(file, `ENCRYPTION_KEY=${newEncryptionKey()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw error;
  }
}
