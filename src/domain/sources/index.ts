export { chunkBlocks } from "./read/chunk-blocks.ts";
export { readDocument } from "./read/read-document.ts";
