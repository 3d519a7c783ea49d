import type { Block, ReadSlice } from "./blocks.ts";

/** Plain text: one stretch, which is cut on sentences. */
export function readText(text: string): ReadSlice {
  return wholeDocument(null, [{ text: text.trim(), headings: [], page: null }]);
}

/** What is read of a file in one go. Blocks without text are left out. */
export function wholeDocument(title: string | null, blocks: readonly Block[]): ReadSlice {
  return { title, blocks: blocks.filter(({ text }) => text.trim() !== ""), pages: null, next: null };
}
