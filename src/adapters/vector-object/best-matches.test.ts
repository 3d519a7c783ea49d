import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BestMatches } from "./best-matches.ts";

describe("BestMatches", () => {
  it("keeps what sorting would keep", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.integer({ min: 0, max: 20 }), (scores, size) => {
        const best = new BestMatches(size);
        for (const [slot, score] of scores.entries()) best.offer(slot, score);
        const kept = best.scores();
        for (const [slot, score] of kept) expect(scores[slot]).toBe(score);
        const expected = scores.toSorted((a, b) => b - a).slice(0, size);
        expect([...kept.values()].sort((a, b) => b - a)).toEqual(expected);
      }),
    );
  });
});
