import { expect, it } from "vitest";
import type { Result } from "./budgets.ts";
import { type Counts, summarise } from "./counts.ts";
import { costTable, grouped, markdown, matchTable } from "./table.ts";

const NONE: Counts = {
  trips: 2,
  statements: 4,
  rowsRead: 1_000,
  rowsWritten: 1,
  embeddings: 0,
  embeddingTokens: 0,
  vectorQueries: 0,
  vectorsWritten: 0,
  messages: 0,
  requests: 1,
};

function result(place: Partial<Result>, ...calls: Partial<Counts>[]): Result {
  const summary = summarise(calls.map((counts) => ({ ...NONE, ...counts })));
  return {
    operation: "search text",
    viewer: "viewer",
    size: 1_000,
    own: 1_000,
    otherTenants: 1,
    summary,
    matches: 0,
    p50Ms: 0,
    ...place,
  };
}

const cells = (line: string | undefined) =>
  line
    ?.split("|")
    .slice(1, -1)
    .map((text) => text.trim());

it("puts places that cost the same into one row and others apart", () => {
  const table = costTable([
    result({ size: 1_000 }, {}),
    result({ size: 10_000 }, {}),
    result({ size: 10_000, otherTenants: 100 }, { rowsRead: 1_001 }),
  ]);
  const lines = table.split("\n").slice(2).map(cells);
  expect(lines.map((line) => line?.slice(0, 3))).toEqual([
    ["search text", "1,000 · 10,000", "1"],
    ["search text", "10,000", "100"],
  ]);
});

it("shows the maximum where it is not the median, and prices the median", () => {
  const row = cells(costTable([result({}, { rowsWritten: 1 }, { rowsWritten: 1 }, { rowsWritten: 9 })]).split("\n")[2]);
  expect(row?.[7]).toBe("1 (max 9)");
  expect(row?.at(-1)).toBe("2.30");
});

it("says what each match more costs to read", () => {
  const table = matchTable([
    result({ matches: 100 }, { rowsRead: 500 }),
    result({ matches: 1_100, own: 10_000, size: 10_000, viewer: "alone" }, { rowsRead: 3_500 }),
  ]);
  expect(cells(table.split("\n")[3])).toEqual(["search text", "10,000", "1,100", "1,100", "3,500", "3.18", "3.00"]);
});

it("groups digits and pads columns", () => {
  expect(grouped(1_234_567)).toBe("1,234,567");
  expect(markdown(["a", "bb"], [["ccc", "d"]])).toBe("| a   | bb |\n|-----|----|\n| ccc | d  |");
});
