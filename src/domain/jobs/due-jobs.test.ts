import { expect, it } from "vitest";
import { backOffMs } from "./due-jobs.ts";

it("backs off fourfold from 15 seconds, and never beyond an hour", () => {
  expect([1, 2, 3, 4, 5, 40].map(backOffMs)).toEqual([15_000, 60_000, 240_000, 960_000, 3_600_000, 3_600_000]);
});
