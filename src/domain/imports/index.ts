export { forgetIds } from "./edgewise/id-map.ts";
export { type ImportRow, importEdgewiseLines, type Report } from "./edgewise/import-lines.ts";
