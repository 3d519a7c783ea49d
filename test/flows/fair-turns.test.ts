import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { readRows, statement } from "#db/client";
import { integer, row } from "#db/row";
import { createHarness } from "#test/harness";

/** More than fit into a turn; without turns, all of them come before anything else. */
const MANY_CALLS = 2_000;
const ONE = row({ one: integer(sql`1`) });

it("a long run of database calls lets other work of the process in before it ends", async () => {
  const { services } = await createHarness();
  const ctx = services();
  let isIn = false;
  setTimeout(() => {
    isIn = true;
  }, 0);
  let calls = 0;
  for (; calls < MANY_CALLS && !isIn; calls += 1) await readRows(ctx, statement(ONE, sql`select ${ONE.columns}`));
  expect([isIn, calls < MANY_CALLS]).toEqual([true, true]);
});
