import { unzipSync } from "fflate";
import { UnreadableFile } from "./unreadable-file.ts";

export type ZipEntry = { name: string; bytes: number };

/** More entries than any document has. */
const MAX_ENTRIES = 10_000;

/** What a zip archive says that it holds, with the unzipped sizes that it states. Null if it is broken. */
export function zipEntries(archive: Uint8Array): ZipEntry[] | null {
  const entries: ZipEntry[] = [];
  try {
    unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        if (entries.length >= MAX_ENTRIES) throw new UnreadableFile("The archive has more than 10,000 entries.");
        entries.push({ name, bytes: originalSize });
        return false;
      },
    });
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    return null;
  }
  return entries;
}
