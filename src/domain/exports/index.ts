export { exportRows } from "./export-rows.ts";
export { ExportRowsInput, FORMAT_VERSION } from "./schemas.ts";
export { exportedColumns } from "./stages.ts";
export { type ExportedTable, KINDS, type Kind, NOT_EXPORTED, type Reference, TABLES } from "./tables.ts";
