import { type SQL, sql } from "drizzle-orm";

/** D1 allows 100 parameters for each statement; this leaves some to the rest of the statement. */
const MAX_TEXTS = 60;

/** D1 allows 2 MB for a text; a row's other columns need some of it. */
const MAX_BYTES = 1_000_000;

/** A cell that is JSON already is embedded as it is, because quoting it again could double its size. */
export type Cell = string | number | { json: string };

export type Rows = readonly (readonly Cell[])[];

/**
 * Table expressions with the columns c0, c1, … that hold these rows between them, each small enough for a statement of its own.
 * A few rows are bound one by one, because D1 counts every element of a JSON parameter as a row read; many go as JSON.
 */
export function rowsInParts(rows: Rows): SQL[] {
  if (countTexts(rows) <= MAX_TEXTS) return rows.length === 0 ? [] : [bound(rows)];
  return jsonOf(rows).map((json) => fromJson(json, rows));
}

/** The same as one expression, for at least one row and about four megabytes at most: a compound SELECT may have five terms. */
export function rowsOf(rows: Rows): SQL {
  const [first, ...rest] = rowsInParts(rows);
  if (first === undefined) throw new RangeError("No rows.");
  if (rest.length === 0) return first;
  return sql`(${sql.join(
    [first, ...rest].map((part) => sql`select * from ${part}`),
    sql` union all `,
  )})`;
}

function countTexts(rows: Rows): number {
  return rows.reduce((sum, row) => sum + row.filter((cell) => typeof cell !== "number").length, 0);
}

function bound(rows: Rows): SQL {
  const named = (rows[0] ?? []).map((_, i) => sql.raw(`column${i + 1} as c${i}`));
  const tuples = rows.map((row) => sql`(${sql.join(row.map(toCell), sql`, `)})`);
  return sql`(select ${sql.join(named, sql`, `)} from (values ${sql.join(tuples, sql`, `)}))`;
}

function fromJson(json: string, rows: Rows): SQL {
  const named = (rows[0] ?? []).map((cell, i) => sql.raw(`value ${typeof cell === "object" ? "->" : "->>"} ${i} as c${i}`));
  return sql`(select ${sql.join(named, sql`, `)} from json_each(${json}))`;
}

/** JSON arrays of the rows, each of about a megabyte. */
function jsonOf(rows: Rows): string[] {
  const encoder = new TextEncoder();
  const parts: string[][] = [[]];
  let bytes = 0;
  for (const row of rows) {
    const json = `[${row.map((cell) => (typeof cell === "object" ? cell.json : JSON.stringify(cell))).join(",")}]`;
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

/** Integers are written as literals: D1 binds every number as a real, and a rowid must be an integer. */
function toCell(cell: Cell): SQL {
  if (typeof cell === "string") return sql`${cell}`;
  if (typeof cell === "object") return sql`${cell.json}`;
  if (!Number.isSafeInteger(cell)) throw new RangeError("Only integers and texts can be rows.");
  return sql.raw(String(cell));
}
