import { expect, it } from "vitest";
import type { Call } from "./client.ts";
import { NOTHING } from "./counts.ts";
import { timeInTurns, timeRatios } from "./search-times.ts";

const request = { method: "GET", path: "/" } as const;

function clock(name: string, order: string[], milliseconds: number): Call {
  return async () => {
    order.push(name);
    return { counts: NOTHING, body: null, milliseconds, databaseMs: milliseconds / 2 };
  };
}

it("takes turns, and leaves the first round out", async () => {
  const order: string[] = [];
  const places = new Map([
    ["few", clock("few", order, 10)],
    ["many", clock("many", order, 12)],
  ]);
  const samples = await timeInTurns(places, [request], 2);
  expect(order).toEqual(["few", "many", "many", "few", "few", "many"]);
  expect(samples.get("many")).toEqual([
    { round: 1, total: 12, database: 6 },
    { round: 2, total: 12, database: 6 },
  ]);
});

it("divides round by round", () => {
  const samples = new Map([
    ["few", [10, 20, 40].map((total, i) => ({ round: i + 1, total, database: 1 }))],
    ["many", [11, 26, 36].map((total, i) => ({ round: i + 1, total, database: 2 }))],
  ]);
  expect(timeRatios(samples, "few")).toEqual([
    { place: "many", total: { median: 1.1, least: 0.9, most: 1.3 }, database: { median: 2, least: 2, most: 2 } },
  ]);
});
