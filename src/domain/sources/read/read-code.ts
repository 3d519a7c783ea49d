import type { Block, ReadSlice } from "./blocks.ts";
import { wholeDocument } from "./read-text.ts";

/** Lines of a piece, after which the next blank line ends it, however it is indented. */
const MOST_LINES = 60;

/** Code as it is, in pieces that begin after a blank line where the indentation is the outermost. */
export function readCode(text: string): ReadSlice {
  const blocks: Block[] = [];
  let piece: string[] = [];
  let isAfterBlank = false;
  for (const line of text.split("\n")) {
    const isBlank = line.trim() === "";
    if (isAfterBlank && !isBlank && (/^[^\s})\]]/.test(line) || piece.length >= MOST_LINES)) {
      blocks.push(blockOf(piece));
      piece = [];
    }
    piece.push(line);
    isAfterBlank = isBlank;
  }
  return wholeDocument(null, [...blocks, blockOf(piece)]);
}

function blockOf(lines: readonly string[]): Block {
  return { text: trimLines(lines.join("\n")), headings: [], page: null };
}

/** Without blank lines before and after; the first line keeps its indentation. */
function trimLines(text: string): string {
  return text.trimEnd().replace(/^(?:[^\S\n]*\n)+/, "");
}
