export { SearchInput, SearchView } from "./schemas.ts";
export { search } from "./search.ts";
