import { env } from "cloudflare:workers";
import { getTableConfig, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import type { ErasureView } from "#domain/erasures";
import { createHarness } from "#test/harness";
import { makeRichTenant } from "#test/rich-tenant";
import { SCHEMA_TABLES } from "#test/schema-tables";
import { rows } from "./requests.ts";

const COLUMNS = SCHEMA_TABLES.flatMap((table) => {
  const { name, columns } = getTableConfig(table);
  return columns.filter(isJson).map((column) => ({ table: name, column: column.name, columns }));
});

/** What no column of JSON may hold, whatever it is for. */
const HOSTILE = {
  "an empty text": "",
  "a blank": " ",
  "broken off": '{"a":[1,',
  "two values": "{}{}",
  "null as JSON": "null",
  "a number": "7",
  "a text": '"{}"',
  "not strict": "{a:1}",

  "deeper than SQLite reads": `${"[".repeat(1_200)}${"]".repeat(1_200)}`,
};

/** What columns of objects may hold. */
const DEEP = `${"[".repeat(900)}${"]".repeat(900)}`;
const ODD = {
  empty: "{}",
  numbers: '{"a":1e308,"from":-0.5,"by":12345678901234567890,"sessionId":1.5,"episodes":7,"memories":0}',
  nulls: '{"a":null,"from":null,"episodes":null,"subjects":null,"versions":[null]}',
  texts: '{"from":"x","episodes":["x"],"chunks":["x"],"memories":["x"],"versions":["x"],"subjects":["x"],"episodeId":"x"}',
  deep: `{"a":${DEEP},"episodes":${DEEP},"chunks":${DEEP},"memories":${DEEP},"versions":${DEEP},"subjects":${DEEP}}`,
  huge: `{"a":"${"x".repeat(900_000)}"}`,
};

function isJson(column: SQLiteColumn): boolean {
  return column.dataType === "json";
}

const quoted = (name: string) => `"${name}"`;
let number = 1_000_000;

/** Inserts a row with this value of one column; every other JSON column of the table takes one of two forms. */
async function insert({ table, column, columns }: (typeof COLUMNS)[number], value: string, others: string): Promise<void> {
  // A memory has an owner, by a constraint.
  const given = columns.filter((one) => one.name === column || one.notNull || one.primary || one.name === "owner_id");
  number += 1;
  const values = given.map((one) => {
    if (one.name === column) return value;
    if (isJson(one)) return others;
    if (one.enumValues !== undefined && one.enumValues.length > 0) return one.enumValues[0];
    if (one.getSQLType() === "real") return 1;
    return one.getSQLType() === "text" ? `text ${number}` : number;
  });
  await env.DB.prepare(
    `insert into ${quoted(table)} (${given.map(({ name }) => quoted(name)).join(", ")}) values (${given.map(() => "?").join(", ")})`,
  )
    .bind(...values)
    .run();
}

async function isTaken(of: (typeof COLUMNS)[number], value: string): Promise<boolean> {
  for (const others of ["{}", "[]"]) {
    const taken = await insert(of, value, others).then(
      () => true,
      () => false,
    );
    if (taken) return true;
  }
  return false;
}

describe.each(COLUMNS.map((one) => [`${one.table}.${one.column}`, one] as const))("the column %s", (_, one) => {
  it("holds JSON objects or JSON arrays, and nothing else", async () => {
    const kinds = [await isTaken(one, "{}"), await isTaken(one, "[]")];
    expect(kinds.filter(Boolean)).toHaveLength(1);
    const taken = await Promise.all(Object.entries(HOSTILE).map(async ([name, value]) => [name, await isTaken(one, value)]));
    expect(taken.filter(([, isIn]) => isIn)).toEqual([]);
  });

  it("is changed to nothing else", async () => {
    for (const value of Object.values(HOSTILE))
      await expect(
        env.DB.prepare(`update ${quoted(one.table)} set ${quoted(one.column)} = ?`)
          .bind(value)
          .run(),
      ).rejects.toThrow();
  });
});

describe("an erasure ends, whatever the columns of objects hold:", () => {
  it.each(Object.entries(ODD))("%s", async (_, odd) => {
    const h = await createHarness();
    await makeRichTenant(async (method, path, body) => await h.fetch(method, path, { body, user: null }));
    await h.settle();
    for (const one of COLUMNS.filter(({ table }) => table !== "erasures")) {
      if (await isTaken(one, "{}"))
        await rows(`update ${quoted(one.table)} set ${quoted(one.column)} = ? where ${quoted(one.column)} is not null`, odd);
    }
    const { json } = await h.fetch<ErasureView>("DELETE", "/v1/users/ann", { user: null });
    await h.settle();
    const erasure = await h.fetch<ErasureView>("GET", `/v1/erasures/${json.id}`);
    expect(erasure.json.status, erasure.text).toBe("finished");
  });
});
