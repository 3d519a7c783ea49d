import { expect, it } from "vitest";
import { type Counts, share, sum, summarise } from "./counts.ts";

const NONE: Counts = {
  trips: 0,
  statements: 0,
  rowsRead: 0,
  rowsWritten: 0,
  embeddings: 0,
  embeddingTokens: 0,
  vectorQueries: 0,
  vectorsWritten: 0,
  messages: 0,
  requests: 1,
};

it("takes the median and the maximum of each count by itself", () => {
  const calls = [
    { ...NONE, trips: 1, rowsRead: 30 },
    { ...NONE, trips: 2, rowsRead: 10 },
    { ...NONE, trips: 3, rowsRead: 20 },
  ];
  const { calls: number, median, max, total } = summarise(calls);
  expect(number).toBe(3);
  expect([median.trips, median.rowsRead]).toEqual([2, 20]);
  expect([max.trips, max.rowsRead]).toEqual([3, 30]);
  expect([total.trips, total.rowsRead]).toEqual([6, 60]);
});

it("takes the lower of two middles, so that a median is a count that was measured", () => {
  expect(summarise([8, 2, 6, 4].map((trips) => ({ ...NONE, trips }))).median.trips).toBe(4);
});

it("adds and divides", () => {
  const total = sum([
    { ...NONE, rowsWritten: 3 },
    { ...NONE, rowsWritten: 4 },
  ]);
  expect([total.rowsWritten, total.requests]).toEqual([7, 2]);
  expect(share(total, 2).rowsWritten).toBe(3.5);
});
