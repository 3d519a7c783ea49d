import { describe, expect, it } from "vitest";
import { diversify } from "./diversify.ts";

const entry = (id: number, text: string) => ({ id, text });

describe("diversify", () => {
  it("collapses near-duplicates into the better ranked, which lists them", () => {
    const kept = diversify(
      [entry(3, "We adopted two dogs from the shelter"), entry(1, "We adopted two dogs from the shelter!"), entry(2, "It rains")],
      10,
    );
    expect(kept.map(({ id, similar }) => [id, similar])).toEqual([
      [3, [1]],
      [2, []],
    ]);
  });

  it("keeps what differs in more than a fifth of its words", () => {
    expect(diversify([entry(1, "one red dog in a park"), entry(2, "one blue cat in a park")], 10)).toHaveLength(2);
    expect(diversify([entry(1, "dog"), entry(2, "dog and a long story about much else")], 10)).toHaveLength(2);
  });

  it("keeps entries that say nothing apart", () => {
    expect(diversify([entry(1, "…"), entry(2, "!")], 10)).toHaveLength(2);
  });

  it("stops at the limit", () => {
    expect(diversify([entry(1, "dog"), entry(2, "cat"), entry(3, "cow")], 2).map(({ id }) => id)).toEqual([1, 2]);
  });
});
