import { type SQL, sql } from "drizzle-orm";

/** D1 binds 100 parameters a statement; this leaves the statement some of its own. */
const MAX_TEXTS = 60;

/** D1 takes 2 MB a text; a row of its own may come on top of what is counted here. */
const MAX_BYTES = 1_000_000;

/**
 * A table expression with the columns c0, c1, … that holds these rows, at least one, all of one length. A few rows are bound one
 * by one, because D1 counts every element of a JSON parameter as a row read; many rows go as JSON, in as few parameters as hold them.
 */
export function rowsOf(rows: readonly (readonly (string | number)[])[]): SQL {
  const width = rows[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, i) => i);
  if (rows.flat().filter((cell) => typeof cell === "string").length > MAX_TEXTS) {
    const named = columns.map((i) => sql.raw(`value ->> ${i} as c${i}`));
    const parts = jsonOf(rows).map((json) => sql`select ${sql.join(named, sql`, `)} from json_each(${json})`);
    return sql`(${sql.join(parts, sql` union all `)})`;
  }
  const named = columns.map((i) => sql.raw(`column${i + 1} as c${i}`));
  const tuples = rows.map((row) => sql`(${sql.join(row.map(toCell), sql`, `)})`);
  return sql`(select ${sql.join(named, sql`, `)} from (values ${sql.join(tuples, sql`, `)}))`;
}

/** JSON arrays of the rows, each of about a megabyte: a body of one has no more than four, and a compound SELECT may have five terms. */
function jsonOf(rows: readonly (readonly (string | number)[])[]): string[] {
  const encoder = new TextEncoder();
  const parts: string[][] = [[]];
  let bytes = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    const size = encoder.encode(json).length;
    if (bytes > 0 && bytes + size > MAX_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(json);
    bytes += size + 1;
  }
  return parts.map((part) => `[${part.join(",")}]`);
}

/** Integers are written out: D1 binds every number as a real, and a rowid must be an integer. */
function toCell(cell: string | number): SQL {
  if (typeof cell === "string") return sql`${cell}`;
  if (!Number.isSafeInteger(cell)) throw new RangeError("Only integers and texts can be rows.");
  return sql.raw(String(cell));
}
