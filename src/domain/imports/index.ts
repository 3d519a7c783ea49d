export { addPart } from "./add-part.ts";
export { importEdgewiseLines, type Report } from "./edgewise/import-lines.ts";
export { JSON_COLUMNS } from "./edgewise/values.ts";
export { finishImport } from "./finish-import.ts";
export { getImport, listImports } from "./list-imports.ts";
export { idIfImported } from "./own-id.ts";
export {
  ImportFinishInput,
  ImportInput,
  ImportListInput,
  ImportPartInput,
  ImportPartView,
  ImportPlace,
  ImportView,
} from "./schemas.ts";
export { startImport } from "./start-import.ts";
