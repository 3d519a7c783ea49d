import { expect, it } from "vitest";
import { trainNamed } from "./logistic.ts";

const often = (label: number, count: number, features: Record<string, number>) =>
  Array.from({ length: count }, () => ({ label, features: { bias: 1, ...features } }));
const EXAMPLES = [...often(1, 300, { x: 2 }), ...often(0, 100, { x: 2 }), ...often(1, 100, {}), ...often(0, 300, {})];

it("finds the log odds of what it is shown, in units of the features as they are", () => {
  const weights = trainNamed(EXAMPLES, { decay: 1e-6, least: 1 });
  expect(weights.bias).toBeCloseTo(Math.log(1 / 3), 3);
  expect(weights.x).toBeCloseTo(Math.log(3), 3);
});

it("leaves out what few examples have, and trusts the others less the more they decay", () => {
  const rare = [...EXAMPLES, ...often(1, 3, { rare: 1 })];
  expect(Object.keys(trainNamed(rare, { decay: 1, least: 5 }))).toEqual(["bias", "x"]);
  expect(trainNamed(EXAMPLES, { decay: 200, least: 1 }).x).toBeLessThan(1);
});
