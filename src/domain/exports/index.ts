export { exportRows } from "./export-rows.ts";
export { ExportRowsInput, FORMAT_VERSION } from "./schemas.ts";
export { exportedColumns, NAMED_BY_APP } from "./stages.ts";
export { KINDS, type Kind, NOT_EXPORTED, TABLES } from "./tables.ts";
