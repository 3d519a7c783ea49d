import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withinBudget } from "./budget.ts";

const sizes = (...tokens: number[]) => tokens.map((n) => ({ tokens: n }));

describe("withinBudget", () => {
  it("takes what fits in rank order, passing over what does not", () => {
    expect(withinBudget(sizes(5, 9, 3, 2, 1), 10)).toEqual(sizes(5, 3, 2));
  });

  it("takes the first whatever its size", () => {
    expect(withinBudget(sizes(50, 1), 10)).toEqual(sizes(50));
    expect(withinBudget([], 10)).toEqual([]);
  });

  it("never goes over, but for a single entry", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 1, max: 100 }), (all, max) => {
        const taken = withinBudget(sizes(...all), max);
        expect(taken.length === 1 || taken.reduce((sum, { tokens }) => sum + tokens, 0) <= max).toBe(true);
      }),
    );
  });
});
