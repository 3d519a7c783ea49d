import { sql } from "drizzle-orm";
import { toIso } from "#core/fields";
import { nullable, type RowOf, row, text } from "#db/row";
import { IMPORT } from "#db/schema/transfer";
import type { ImportView } from "./schemas.ts";
import { withAll } from "./statistics.ts";

/** From `imports i`. */
export const IMPORT_ROW = row({
  ...IMPORT.of(sql`i`, "id", "publicId", "platform", "fileName", "sha256", "extraction", "dryRun", "status"),
  ...IMPORT.of(sql`i`, "statistics", "problems", "createdAt", "finishedAt"),
  projectExternalId: nullable(text(sql`(select p.external_id from projects p where p.id = i.project_id)`)),
});

export type ImportRow = RowOf<typeof IMPORT_ROW>;

export function toImport(found: ImportRow, { repeated = false } = {}): ImportView {
  const { publicId, platform, fileName, sha256, projectExternalId, extraction, dryRun, status, problems } = found;
  return {
    ...{ id: publicId, platform, fileName, sha256, projectId: projectExternalId, extraction, dryRun, status },
    statistics: withAll(found.statistics),
    rows: rowsIn(found.statistics),
    problems,
    createdAt: toIso(found.createdAt),
    finishedAt: found.finishedAt === null ? null : toIso(found.finishedAt),
    repeated,
  };
}

const ROWS = "rows.";

/** Rows of an export of Edgewise, as they are counted beside conversations. */
export function asCounted(rows: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).map(([name, count]) => [`${ROWS}${name}`, count]));
}

function rowsIn(statistics: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(statistics).flatMap(([name, count]) => (name.startsWith(ROWS) ? [[name.slice(ROWS.length), count]] : [])),
  );
}
