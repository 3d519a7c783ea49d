import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { statement } from "./client.ts";
import { integer, row } from "./row.ts";

const SHAPE = row({ id: integer(sql`m.id`) });

describe("statement", () => {
  it("binds a value once, however often it stands there, and tells 1 from '1'", () => {
    const mine = sql`m.tenant_id = ${1} and m.name = ${"1"}`;
    const { sql: text, params } = statement(SHAPE, sql`select m.id from m where ${mine} or (${mine} and m.at < ${5})`).getQuery();
    expect(params).toEqual([1, "1", 5]);
    expect(text).toContain("m.tenant_id = ?1 and m.name = ?2 or (m.tenant_id = ?1 and m.name = ?2 and m.at < ?3)");
  });
});
