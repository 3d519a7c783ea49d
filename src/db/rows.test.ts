import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { rowsInParts, rowsOf } from "./rows.ts";

const dialect = new SQLiteSyncDialect();
const query = (rows: (string | number)[][]) => dialect.sqlToQuery(rowsOf(rows));
const bytes = (text: unknown) => new TextEncoder().encode(String(text)).length;

describe("rowsOf", () => {
  it("binds the texts of a few rows one by one and writes integers out", () => {
    const { sql, params } = query([
      ["a", 1],
      ["b", 2],
    ]);
    expect(sql).toBe("(select column1 as c0, column2 as c1 from (values (?, 1), (?, 2)))");
    expect(params).toEqual(["a", "b"]);
  });

  it("binds many rows as one JSON text", () => {
    const rows = Array.from({ length: 200 }, (_, i) => [`text ${i}`, i]);
    const { sql, params } = query(rows);
    expect(sql).toBe("(select value ->> 0 as c0, value ->> 1 as c1 from json_each(?))");
    expect(params.map((param) => JSON.parse(String(param)))).toEqual([rows]);
  });

  it("spreads what is too large for one parameter of D1 over several, and loses no row", () => {
    const rows = Array.from({ length: 100 }, (_, i) => [`${i} ${"北京的公司 ".repeat(2_000)}`, i]);
    const { params } = query(rows);
    expect(params.length).toBeGreaterThan(1);
    expect(params.length).toBeLessThanOrEqual(5);
    expect(Math.max(...params.map(bytes))).toBeLessThan(2_000_000);
    expect(params.flatMap((param) => JSON.parse(String(param)))).toEqual(rows);
  });

  it("puts JSON into JSON without quoting it again, and binds it as it is among few", () => {
    const json = JSON.stringify({ text: 'a "quoted" word' });
    const many = Array.from({ length: 100 }, (_, i) => [i, { json }]);
    const { sql, params } = dialect.sqlToQuery(rowsOf(many));
    expect(sql).toBe("(select value ->> 0 as c0, value -> 1 as c1 from json_each(?))");
    expect(params).toEqual([`[${many.map((_, i) => `[${i},${json}]`).join(",")}]`]);
    expect(dialect.sqlToQuery(rowsOf([[1, { json }]])).params).toEqual([json]);
  });

  it("makes as many parts as it takes for statements of their own, and none of no rows", () => {
    const rows = Array.from({ length: 100 }, (_, i) => [i, "x".repeat(90_000)]);
    expect(rowsInParts(rows).length).toBeGreaterThan(5);
    expect(rowsInParts([])).toEqual([]);
  });

  it("refuses a number that is no integer", () => {
    expect(() => rowsOf([[0.5]])).toThrow(RangeError);
  });
});
