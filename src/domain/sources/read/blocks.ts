/** A stretch of a document under the same headings and on one page. */
export type Block = { text: string; headings: readonly string[]; page: number | null };

export type ReadSlice = {
  title: string | null;
  blocks: Block[];
  /** Of the whole file; null for files without pages. */
  pages: number | null;
  /** The page, from 0, where the next slice begins; null at the end. */
  next: number | null;
};

/** `path` and `mediaType` are as the uploader gave them; the bytes decide. */
export type FileToRead = { bytes: Uint8Array; path: string; mediaType: string };

/** What stands between two blocks in the whole text of a file. */
export const BLOCK_BREAK = "\n\n";

/** The text to which the offsets of chunks refer. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join(BLOCK_BREAK);
}

/** The length of that text, in UTF-16 code units. */
export function textLength(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0) + BLOCK_BREAK.length * Math.max(0, blocks.length - 1);
}
