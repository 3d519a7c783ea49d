import { UnreadableFile } from "./unreadable-file.ts";

export const MAX_FILE_BYTES = 25 * 1024 * 1024;
export const MAX_PAGES = 2_000;
/** UTF-16 code units of the text that is read of one file. */
export const MAX_CHARACTERS = 5_000_000;

/** @throws UnreadableFile if the file is empty or larger than is read. */
export function checkBytes(bytes: number): void {
  if (bytes === 0) throw new UnreadableFile("The file is empty.");
  if (bytes > MAX_FILE_BYTES)
    throw new UnreadableFile("The file is larger than 25 MB (26,214,400 bytes), the most that is read.");
}

/** @throws UnreadableFile if the document has more pages than are read. */
export function checkPages(pages: number): void {
  if (pages > MAX_PAGES)
    throw new UnreadableFile(
      `The document has ${pages.toLocaleString("en")} pages; at most 2,000 are read. Split it into parts.`,
    );
}

/**
 * For the text of a whole file: whoever reads in slices adds them up.
 * @throws UnreadableFile if it is longer than is read.
 */
export function checkCharacters(characters: number, most = MAX_CHARACTERS): void {
  if (characters > most)
    throw new UnreadableFile(
      "The document has more than 5,000,000 characters of text, the most that is read. Split it into parts.",
    );
}
