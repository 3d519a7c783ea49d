export type { Block, FileToRead, ReadSlice } from "./read/blocks.ts";
export { chunkBlocks, type DocumentChunk } from "./read/chunk-blocks.ts";
export { readDocument } from "./read/read-document.ts";
export { UnreadableFile } from "./read/unreadable-file.ts";
