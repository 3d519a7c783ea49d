import { describe, expect, it } from "vitest";
import { findDangers } from "./dangerous-sql.ts";

describe("findDangers", () => {
  it.each([
    ["drop table `users`;", "DROP TABLE"],
    ["CREATE TABLE __new_users (id integer);", "__new_"],
    ["PRAGMA foreign_keys=OFF;", "PRAGMA foreign_keys"],
    ["PRAGMA defer_foreign_keys=ON;", "PRAGMA foreign_keys"],
    ["user_id integer references users(id) on delete cascade", "ON DELETE CASCADE"],
    ["insert or replace into users values (1);", "INSERT OR REPLACE"],
  ])("finds %j", (sql, what) => {
    expect(findDangers(`select 1;\n${sql}`)).toEqual([{ line: 2, what }]);
  });

  it("takes a reason on the line before, and only there", () => {
    expect(findDangers("-- safe: never held a row\nDROP TABLE a;\nDROP TABLE b;")).toEqual([{ line: 3, what: "DROP TABLE" }]);
  });

  it("does not read comments", () => {
    expect(findDangers("-- we do not DROP TABLE here")).toEqual([]);
  });
});
