import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { exportedColumns, type Kind, TABLES } from "#domain/exports";

export type Row = Record<string, unknown>;

/** A JSON text of rows that one statement takes. D1 takes 2 MB for a parameter. */
const MAX_CHARACTERS = 900_000;

/** Rows as JSON texts of a bounded length each. A longer row has one of its own. */
export function documentsOf(rows: readonly Row[]): string[] {
  const parts: string[][] = [];
  let room = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (json.length > room) {
      parts.push([]);
      room = MAX_CHARACTERS;
    }
    parts.at(-1)?.push(json);
    room -= json.length + 1;
  }
  return parts.map((part) => `[${part.join(",")}]`);
}

/** A property of the row `j` of a document. */
export function of(name: string): SQL {
  return sql`j.value ->> ${sql.raw(`'${name}'`)}`;
}

/**
 * Inserts the rows of a document; what breaks a unique index is left out. `own` has the columns that the import sets, and the `id` of kinds
 * whose id is not a counter; `from` what they are read from, joined to `j`. A row whose space is gone, because its user or project was erased
 * meanwhile, is left out.
 */
export function insertInto(
  ctx: Ctx<"db">,
  kind: Kind,
  {
    document,
    own,
    from = sql``,
    where = sql`true`,
  }: { document: string; own: Readonly<Record<string, SQL>>; from?: SQL; where?: SQL },
): Statement {
  const columns = getTableColumns(TABLES[kind].table);
  const copied = exportedColumns(kind).filter(({ name }) => name !== "id" && !(name in own));
  const set = Object.entries({ tenantId: sql`${ctx.tenantId}`, ...own }).flatMap(([name, value]) => {
    const column = columns[name];
    return column === undefined ? [] : [{ column: column.name, value }];
  });
  const all = [...copied.map(({ name, column }) => ({ column, value: of(name) })), ...set];
  return ctx.db.run(sql`
    insert into ${sql.identifier(kind)} (${sql.join(
      all.map(({ column }) => sql.identifier(column)),
      sql`, `,
    )})
    select ${sql.join(
      all.map(({ value }) => value),
      sql`, `,
    )}
    from json_each(${document}) j ${from} where ${where} and ${own.spaceId ?? sql`1`} is not null on conflict do nothing`);
}
