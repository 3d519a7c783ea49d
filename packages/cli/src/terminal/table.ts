import { printableLine } from "./printable.ts";
import { fit, pad, widthOf } from "./width.ts";

const GAP = "  ";

/** How narrow the last column may become before the table is wider than the terminal. */
const MIN_LAST_COLUMNS = 12;

/**
 * Lines of a table: a row of titles and rows of cells, each of one line. Only the last column is cut to fit the terminal; a pipe has no
 * width, and nothing is cut.
 */
export function table(titles: string[], rows: string[][], columns: number | undefined): string[] {
  const cells = [titles, ...rows.map((row) => row.map(printableLine))];
  const widths = titles.map((_, i) => Math.max(...cells.map((row) => widthOf(row[i] ?? ""))));
  const last = titles.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(columns - before, MIN_LAST_COLUMNS);
  return cells.map((row) =>
    row
      .map((cell, i) => (i < last ? pad(cell, widths[i] ?? 0) : Number.isFinite(room) ? fit(cell, room) : cell))
      .join(GAP)
      .trimEnd(),
  );
}
