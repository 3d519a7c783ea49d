import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { SCHEMA_TABLES } from "#test/schema-tables";
import { nth, rows } from "./requests.ts";

type Column = { name: string; type: string; notNull: boolean; defaultValue: string | null };
type Shape = {
  columns: Column[];
  primaryKey: string[];
  indexes: { name: string; unique: boolean; columns: string[]; where: string | null }[];
};

/** White space and case are the writer's own. */
const plain = (sql: string) => sql.replace(/\s+/g, " ").trim().toLowerCase();
const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

/** A condition of an index is words of ours only, without parameters. */
function wordsOf(condition: ReturnType<typeof getTableConfig>["indexes"][number]["config"]["where"]): string | null {
  if (condition === undefined) return null;
  return plain(
    condition.queryChunks
      .map((chunk) => (typeof chunk === "object" && chunk !== null && "value" in chunk ? String(chunk.value) : "?"))
      .join(""),
  );
}

function declared(table: SQLiteTable): Shape {
  const { columns, primaryKeys, indexes } = getTableConfig(table);
  return {
    columns: columns
      .map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        notNull: column.notNull,
        defaultValue: column.hasDefault && column.default !== undefined ? String(column.default) : null,
      }))
      .sort(byName),
    primaryKey: [...columns.filter((column) => column.primary), ...primaryKeys.flatMap((key) => key.columns)].map(
      ({ name }) => name,
    ),
    indexes: indexes
      .map(({ config }) => ({
        name: config.name,
        unique: config.unique,
        columns: config.columns.map((column) => ("name" in column ? String(column.name) : "an expression")),
        where: wordsOf(config.where),
      }))
      .sort(byName),
  };
}

async function migrated(name: string): Promise<Shape> {
  const info = await rows<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number }>(
    `pragma table_info(${name})`,
  );
  const list = await rows<{ name: string; unique: number; origin: string }>(`pragma index_list(${name})`);
  const indexes = await Promise.all(
    list
      .filter(({ origin }) => origin === "c")
      .map(async (index) => {
        const columns = await rows<{ name: string | null }>(`pragma index_info(${index.name})`);
        const made = nth(
          await rows<{ sql: string }>("select sql from sqlite_master where type = 'index' and name = ?", index.name),
          0,
        );
        const where = / where (.*)$/.exec(plain(made.sql))?.[1] ?? null;
        return {
          name: index.name,
          unique: index.unique === 1,
          columns: columns.map((column) => column.name ?? "an expression"),
          where,
        };
      }),
  );
  return {
    columns: info
      .map((column) => ({
        name: column.name,
        type: column.type.toLowerCase(),
        notNull: column.notnull === 1,
        defaultValue: column.dflt_value,
      }))
      .sort(byName),
    primaryKey: info
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map((column) => column.name),
    indexes: indexes.sort(byName),
  };
}

it.each(SCHEMA_TABLES.map((table) => [getTableConfig(table).name, table] as const))(
  "the code and the migrations agree about %s",
  async (name, table) => {
    expect(await migrated(name)).toEqual(declared(table));
  },
);

it("the migrations make no table that the code does not know, but for the text indexes", async () => {
  const made = await rows<{ name: string }>("select name from sqlite_master where type = 'table'");
  const ours = made
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite_|_cf_|d1_migrations$|message_fts|memory_fts|entity_fts|chunk_fts)/.test(name));
  expect(ours.sort()).toEqual(SCHEMA_TABLES.map((table) => getTableConfig(table).name).sort());
});
