export { type HitView, SearchInput, SearchView, Strategy } from "./schemas.ts";
export { search } from "./search.ts";
