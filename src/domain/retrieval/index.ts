export { type ChunkView, getChunk } from "./get-chunk.ts";
export type { SearchOptions } from "./read-question.ts";
export { DocumentView, type HitView, OlderView, SearchInput, SearchView, Strategy } from "./schemas.ts";
export { type Searched, search, searchFor } from "./search.ts";
export { hitKey } from "./view.ts";
