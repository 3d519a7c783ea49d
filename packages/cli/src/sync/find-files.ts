import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Ignored } from "./ignored.ts";

export const MAX_FILE_BYTES = 25 * 1024 * 1024;

export type LocalFile = { path: string; bytes: number; sha256: string };

/** What is not uploaded, and why. */
export type Skipped = { path: string; reason: string };

export type Found = { files: LocalFile[]; skipped: Skipped[] };

/**
 * All files of a folder that are not ignored, by path, with their hashes. Links are followed as long as they stay inside the folder, and no
 * folder is entered twice.
 */
export async function findFiles(
  root: string,
  ignored: Ignored,
  onFile: (path: string) => void = () => undefined,
): Promise<Found> {
  const found: Found = { files: [], skipped: [] };
  const real = await realpath(root);
  const entered = new Set([real]);
  const enter = async (folder: string): Promise<void> => {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true });
    for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const own = folder === "" ? name : `${folder}/${name}`;
      if (ignored.folder(own) || ignored.file(own)) continue;
      const kind = await kindOf(path.join(root, own), real);
      if (typeof kind === "object") {
        if (entered.has(kind.folder)) continue;
        entered.add(kind.folder);
        await enter(own);
      } else if (kind === "file") {
        onFile(own);
        await addFile(root, own, found);
      } else if (kind !== "other") found.skipped.push({ path: own, reason: kind });
    }
  };
  await enter("");
  return found;
}

/** One file as it is now; null if it is gone, ignored, no file or not to be uploaded, which is then said in `skipped`. */
export async function findFile(
  root: string,
  own: string,
  ignored: Ignored,
): Promise<{ file: LocalFile | null; skipped: Skipped[] }> {
  const found: Found = { files: [], skipped: [] };
  if (ignored.file(own)) return { file: null, skipped: [] };
  const kind = await kindOf(path.join(root, own), await realpath(root));
  if (kind === "file") await addFile(root, own, found);
  else if (typeof kind === "string" && kind !== "other") found.skipped.push({ path: own, reason: kind });
  return { file: found.files[0] ?? null, skipped: found.skipped };
}

async function kindOf(full: string, root: string): Promise<"file" | "other" | { folder: string } | string> {
  try {
    const real = await realpath(full);
    if (real !== root && !real.startsWith(root + path.sep)) return "It is a link that leads out of the folder.";
    const is = await stat(real);
    if (is.isDirectory()) return { folder: real };
    return is.isFile() ? "file" : "other";
  } catch (error) {
    if (isGone(error)) return "other";
    throw error;
  }
}

async function addFile(root: string, own: string, { files, skipped }: Found): Promise<void> {
  try {
    const { size } = await stat(path.join(root, own));
    const reason = reasonAgainst(own, size);
    if (reason !== null) skipped.push({ path: own, reason });
    else files.push({ path: own, bytes: size, sha256: await hashOf(path.join(root, own)) });
  } catch (error) {
    // It was deleted a moment ago.
    if (isGone(error)) return;
    if (!isUnreadable(error)) throw error;
    skipped.push({ path: own, reason: "It cannot be read." });
  }
}

function reasonAgainst(own: string, bytes: number): string | null {
  if (bytes === 0) return "It is empty.";
  if (bytes > MAX_FILE_BYTES) return "It has more than 25 MB.";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the service refuses them.
  if (/[\u0000-\u001f\u007f\\\ufffd]/.test(own))
    return "Its name holds a backslash, a control character or bytes that are no UTF-8.";
  return own.normalize("NFC").length > 500 ? "Its path has more than 500 characters." : null;
}

async function hashOf(full: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(full), hash);
  return hash.digest("hex");
}

function isGone(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "ELOOP")
  );
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM");
}
