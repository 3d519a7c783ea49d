import { type Column as DrizzleColumn, getTableColumns, type InferSelectModel, is, SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** What D1 returns for one column. */
export type D1Value = string | number | null;

/** A column of a result: its SQL, and the conversion of what D1 returns for it. */
export type Column<T> = { readonly sql: SQL; readonly decode: (value: D1Value) => T };

/** The named columns of a statement's result: `columns` goes between `select` (or `returning`) and `from`. */
export type RowShape<Row> = { readonly columns: SQL; readonly decode: (row: Record<string, D1Value>) => Row };

/** The row that a shape, or a record of columns, reads. */
export type RowOf<S> = S extends RowShape<infer Row> ? Row : { [K in keyof S]: S[K] extends Column<infer T> ? T : never };

export type Columns = Readonly<Record<string, Column<unknown>>>;

/**
 * Names the columns of a result once: in SQL, in the row's type and where they are converted.
 *
 * @example
 * const FOUND = row({ id: integer(sql`s.id`), kind: text<"private" | "group">(sql`s.kind`), isOwn: flag(sql`s.owner_id = u.id`) });
 * statement(FOUND, sql`select ${FOUND.columns} from sessions s …`);
 */
export function row<C extends Columns>(columns: C): RowShape<RowOf<C>> {
  const entries = Object.entries(columns);
  return {
    columns: sql.join(
      entries.map(([name, column]) => sql`${column.sql} as ${sql.identifier(name)}`),
      sql`, `,
    ),
    decode: (values) => asRow(Object.fromEntries(entries.map(([name, { decode }]) => [name, decode(values[name] ?? null)]))),
  };
}

/** The entries are those of the columns, each decoded as its column says. */
function asRow<Row>(entries: Record<string, unknown>): Row {
  return entries as Row;
}

/** A column that needs no conversion. Its type is guaranteed by the table's constraints and writers. */
function asIs<T>(value: D1Value): T {
  return value as T;
}

/** A number that is not null. */
export function integer(of: SQL): Column<number> {
  return { sql: of, decode: asIs<number> };
}

/** A text that is not null, of these values where `T` names them. */
export function text<T extends string = string>(of: SQL): Column<T> {
  return { sql: of, decode: asIs<T> };
}

/** A condition; null is false. */
export function flag(of: SQL): Column<boolean> {
  return { sql: of, decode: (value) => value === 1 };
}

/** JSON text, as what its writers wrote. */
export function json<T>(of: SQL): Column<T> {
  return { sql: of, decode: (value) => JSON.parse(String(value)) };
}

/** What `group_concat` makes of integers; null is none. */
export function integers(of: SQL): Column<number[]> {
  return { sql: of, decode: (value) => (value === null ? [] : String(value).split(",").map(Number)) };
}

export function nullable<T>(column: Column<T>): Column<T | null> {
  return { sql: column.sql, decode: (value) => (value === null ? null : column.decode(value)) };
}

/** The conversion of a property that is stored in another form. */
export type Conversion<T> = { readonly decode: (value: D1Value) => T; readonly encode: (value: T) => D1Value };

/** A boolean, stored as 1 or 0. */
export const storedAsInteger: Conversion<boolean> = { decode: (value) => value === 1, encode: (value) => (value ? 1 : 0) };

/** A text or null; null is stored as "", because a unique index treats two nulls as different. */
export const storedAsEmpty: Conversion<string | null> = {
  decode: (value) => (value === "" ? null : asIs<string>(value)),
  encode: (value) => value ?? "",
};

/** A text of which one value, `name`, is stored as null. */
export function storedAsNull<T extends string>(name: T): Conversion<T> {
  return { decode: (value) => (value === null ? name : asIs<T>(value)), encode: (value) => (value === name ? null : value) };
}

type RowOfTable<T extends SQLiteTable, C> = {
  [K in keyof InferSelectModel<T>]: K extends keyof C ? (C[K] extends Conversion<infer V> ? V : never) : InferSelectModel<T>[K];
};

/** Values by property; SQL expressions are passed through. */
type Values<Row> = { readonly [K in keyof Row]?: Row[K] | SQL };

/** The conversions between a table's rows and the objects of the domain, made nowhere else. */
export type Codec<Row> = {
  /** The columns of the table under an alias: all of them, or those that are named, to be spread into `row`. */
  of: <K extends keyof Row>(alias: SQL, ...names: K[]) => { [P in K]: Column<Row[P]> };
  /** Values as D1 stores them, by property; JSON of it is what `insertFrom` reads. */
  encode: (values: Partial<Row>) => Record<string, D1Value>;
  /** `(columns) select …` for an insert of these properties, each read from the JSON object `document`. */
  insertFrom: (document: SQL, names: readonly (keyof Row)[]) => { columns: SQL; values: SQL };
  /** `(columns) select values` for an insert of one row; a `from` and a `where` may follow. */
  insert: (values: Values<Row>) => SQL;
  /** `column = value, …` for an update. */
  set: (changes: Values<Row>) => SQL;
};

/** The codec of a table, by the types of its columns and the conversions of those that are stored otherwise. */
export function codec<T extends SQLiteTable, const C extends Record<never, never> = Record<never, never>>(
  table: T,
  conversions?: C,
): Codec<RowOfTable<T, C>> {
  type Row = RowOfTable<T, C>;
  const columns: Record<string, DrizzleColumn> = getTableColumns(table);
  const converted = new Map<string, Conversion<unknown>>(Object.entries(conversions ?? {}));
  const columnOf = (name: PropertyKey): DrizzleColumn => {
    const column = columns[String(name)];
    if (column === undefined) throw new RangeError(`The table has no column ${String(name)}.`);
    return column;
  };
  const decode = (name: string, value: D1Value): unknown => {
    const conversion = converted.get(name);
    if (conversion !== undefined) return conversion.decode(value);
    return value === null ? null : columnOf(name).mapFromDriverValue(value);
  };
  const encodeOne = (name: string, value: unknown): D1Value => {
    const conversion = converted.get(name);
    if (conversion !== undefined) return conversion.encode(value);
    return value === null ? null : asD1Value(columnOf(name).mapToDriverValue(value));
  };
  const encode = (values: Partial<Row>): Record<string, D1Value> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeOne(name, value)]));
  const bound = (name: string, value: unknown): SQL => (is(value, SQL) ? value : sql`${encodeOne(name, value)}`);
  const identifier = (name: PropertyKey): SQL => sql`${sql.identifier(columnOf(name).name)}`;
  return {
    of: (alias, ...wanted) =>
      asRow(
        Object.fromEntries(
          (wanted.length === 0 ? Object.keys(columns) : wanted.map(String)).map((name) => [
            name,
            { sql: sql`${alias}.${identifier(name)}`, decode: (value: D1Value) => decode(name, value) },
          ]),
        ),
      ),
    encode,
    insertFrom: (document, wanted) => ({
      columns: sql.join(wanted.map(identifier), sql`, `),
      values: sql.join(
        wanted.map((name) => sql`${document} ->> ${sql.raw(`'${String(name)}'`)}`),
        sql`, `,
      ),
    }),
    insert: (values) => {
      const entries = Object.entries(values);
      const names = entries.map(([name]) => identifier(name));
      return sql`(${sql.join(names, sql`, `)}) select ${sql.join(
        entries.map(([name, value]) => bound(name, value)),
        sql`, `,
      )}`;
    },
    set: (changes) =>
      sql.join(
        Object.entries(changes).map(([name, value]) => sql`${identifier(name)} = ${bound(name, value)}`),
        sql`, `,
      ),
  };
}

/** Drizzle types what a column stores as unknown; every column of the schema stores one of these. */
function asD1Value(value: unknown): D1Value {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  throw new RangeError("D1 stores texts, numbers and null.");
}
