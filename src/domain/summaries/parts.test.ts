import { describe, expect, it } from "vitest";
import { keptWithin, partsOf, roomFor } from "./parts.ts";

describe("the budget of a session", () => {
  it("keeps the newest episodes that fit, and nothing behind the first that does not", () => {
    expect(keptWithin([10, 10, 10], 30)).toBe(3);
    expect(keptWithin([10, 10, 10], 29)).toBe(2);
    expect(keptWithin([10, 50, 1], 30)).toBe(1);
    expect(keptWithin([10], 0)).toBe(0);
  });
});

describe("parts", () => {
  const sizes = (tokens: readonly number[]) => partsOf(tokens.map((one) => ({ tokens: one }))).map((part) => part.length);

  it("have 4,000 tokens and 100 episodes at most, and a longer episode is one by itself", () => {
    expect(sizes([2_000, 2_000, 1])).toEqual([2, 1]);
    expect(sizes([10, 9_000, 10])).toEqual([1, 1, 1]);
    expect(sizes(Array.from({ length: 201 }, () => 1))).toEqual([100, 100, 1]);
    expect(sizes([])).toEqual([]);
  });

  it("leave a summary a fifth of their tokens, within bounds", () => {
    expect([roomFor(10), roomFor(2_000), roomFor(9_000)]).toEqual([40, 400, 700]);
  });
});
