import { expect, it } from "vitest";
import { countsOf, databaseMsOf, parseServerTiming } from "./server-timing.ts";

const HEADER =
  'total;dur=12, d1;dur=3.5;desc="trips=2 statements=11 read=15 written=12", work;desc="embeddings=1 vectors=2 messages=3"';

it("reads names, durations and the numbers of descriptions", () => {
  expect(parseServerTiming(HEADER)).toEqual([
    { name: "total", milliseconds: 12, facts: {} },
    { name: "d1", milliseconds: 3.5, facts: { trips: 2, statements: 11, read: 15, written: 12 } },
    { name: "work", milliseconds: null, facts: { embeddings: 1, vectors: 2, messages: 3 } },
  ]);
});

it("keeps a comma inside quotes, and takes metrics without parameters", () => {
  expect(parseServerTiming('a;desc="x=1, y=2",b').map(({ name, facts }) => [name, facts])).toEqual([
    ["a", { x: 1, y: 2 }],
    ["b", {}],
  ]);
});

it("refuses what is no such header", () => {
  expect(() => parseServerTiming('a;desc="open')).toThrow("Not a server-timing header");
});

it("turns an admin's header into counts", () => {
  expect(countsOf(HEADER)).toMatchObject({
    trips: 2,
    statements: 11,
    rowsRead: 15,
    rowsWritten: 12,
    embeddings: 1,
    vectorQueries: 2,
    messages: 3,
    requests: 1,
  });
});

it("reads the milliseconds in the database", () => {
  expect(databaseMsOf(HEADER)).toBe(3.5);
});

it("says so when the key is not an admin's", () => {
  expect(() => countsOf("total;dur=12")).toThrow("admin");
});
