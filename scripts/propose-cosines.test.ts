import { expect, it } from "vitest";
import { proposeCosines, spreadOf } from "./propose-cosines.ts";

const range = (from: number, to: number) => Array.from({ length: 101 }, (_, i) => from + (i * (to - from)) / 100);

it("proposes a floor above nearly all unrelated pairs, in steps", () => {
  expect(proposeCosines(range(0.5, 0.9), range(-0.1, 0.3))).toEqual({ unrelated: 0.1, floor: 0.25 });
});

it("stays below nearly all related pairs where the two overlap", () => {
  expect(proposeCosines(range(0.2, 0.6), range(0.1, 0.5))).toEqual({ unrelated: 0.3, floor: 0.2 });
});

it("says below which cosine a share of the pairs is", () => {
  expect(spreadOf(range(0, 1))).toMatchObject({ pairs: 101, below: { "0.5": 0.5, "0.95": 0.95 } });
});
