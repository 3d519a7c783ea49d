import type { Readable } from "node:stream";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { usageError } from "#cli/exit-code";

/** A file in an archive, or the only one. */
export type ExportEntry = { name: string; bytes: number; open: () => Promise<Readable> };

/** JSON of chats is compressed to a fifth or a tenth; what unpacks to so much more is made to fill a disk or a memory. */
const MAX_RATIO = 200;
/** Smaller files do no harm, whatever their ratio. */
const HARMLESS_BYTES = 10_000_000;
const MAX_TOTAL_BYTES = 16_000_000_000;

/**
 * The JSON and HTML files of a zip archive, by its central directory; images and audio are not read at all.
 * @throws CliError for an archive that cannot be read, that names a path outside of itself, or that unpacks to far more than it should.
 */
export async function openZip(path: string): Promise<{ entries: ExportEntry[]; close: () => void }> {
  const zip = await opened(path);
  try {
    const found = (await listed(zip)).filter(({ fileName }) => /\.(?:json|html?)$/i.test(fileName));
    for (const entry of found) refuseBomb(entry);
    if (found.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > MAX_TOTAL_BYTES) throw bomb("It");
    const entries = found.map((entry) => ({
      name: entry.fileName,
      bytes: entry.uncompressedSize,
      open: () => streamOf(zip, entry),
    }));
    return { entries, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function refuseBomb({ fileName, uncompressedSize, compressedSize }: Entry): void {
  const ratio = uncompressedSize / Math.max(1, compressedSize);
  if (uncompressedSize > HARMLESS_BYTES && ratio > MAX_RATIO) throw bomb(`The file ${fileName.slice(0, 100)} in it`);
}

function bomb(what: string) {
  return usageError(
    `${what} would unpack to so much that the archive is not read. An export of a chat platform is not like that.`,
  );
}

async function opened(path: string): Promise<ZipFile> {
  return await new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error) reject(unreadable(error));
      else resolve(zip);
    });
  });
}

async function listed(zip: ZipFile): Promise<Entry[]> {
  return await new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on("end", () => resolve(entries));
    zip.on("error", (error: Error) => reject(unreadable(error)));
    zip.readEntry();
  });
}

async function streamOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  return await new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(unreadable(error));
      else resolve(stream);
    });
  });
}

function unreadable(error: Error) {
  // The library refuses such names, as of absolute paths and those with `..`, before anything is read.
  if (/^(?:absolute path|invalid relative path|invalid characters in fileName)/.test(error.message))
    return usageError("The archive names files outside of itself, so it is not read. No chat platform makes such an export.");
  return usageError("The archive cannot be read: it is damaged, encrypted or cut off. Download it again.");
}
