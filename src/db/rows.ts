import { type SQL, sql } from "drizzle-orm";

/** D1 binds 100 parameters a statement; this leaves the statement some of its own. */
const MAX_TEXTS = 60;

/**
 * A table expression with the columns c0, c1, … that holds these rows, at least one, all of one length. A few rows are bound one
 * by one, because D1 counts every element of a JSON parameter as a row read; many rows go as one JSON parameter.
 */
export function rowsOf(rows: readonly (readonly (string | number)[])[]): SQL {
  const width = rows[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, i) => i);
  if (rows.flat().filter((cell) => typeof cell === "string").length > MAX_TEXTS) {
    const named = columns.map((i) => sql.raw(`value ->> ${i} as c${i}`));
    return sql`(select ${sql.join(named, sql`, `)} from json_each(${JSON.stringify(rows)}))`;
  }
  const named = columns.map((i) => sql.raw(`column${i + 1} as c${i}`));
  const tuples = rows.map((row) => sql`(${sql.join(row.map(toCell), sql`, `)})`);
  return sql`(select ${sql.join(named, sql`, `)} from (values ${sql.join(tuples, sql`, `)}))`;
}

/** Integers are written out: D1 binds every number as a real, and a rowid must be an integer. */
function toCell(cell: string | number): SQL {
  if (typeof cell === "string") return sql`${cell}`;
  if (!Number.isSafeInteger(cell)) throw new RangeError("Only integers and texts can be rows.");
  return sql.raw(String(cell));
}
