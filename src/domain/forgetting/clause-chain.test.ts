import { describe, expect, it } from "vitest";
import { type Chain, marginalsOf } from "./clause-chain.ts";

/** Every choice of some clauses and not of all, each with its weight. */
function byHand({ goes, same }: Chain): { goes: number[]; same: number[] } {
  const count = goes.length;
  const choices = Array.from({ length: 2 ** count - 2 }, (_, i) => goes.map((_score, at) => ((i + 1) >> at) % 2 === 1));
  const weights = choices.map((choice) => {
    const clauses = goes.reduce((sum, score, i) => sum + (choice[i] === true ? score : 0), 0);
    return Math.exp(clauses + same.reduce((sum, score, i) => sum + (choice[i] === choice[i + 1] ? score : 0), 0));
  });
  const all = weights.reduce((sum, each) => sum + each, 0);
  const share = (is: (choice: readonly boolean[]) => boolean) =>
    choices.reduce((sum, choice, i) => sum + (is(choice) ? (weights[i] ?? 0) : 0), 0) / all;
  return {
    goes: goes.map((_, i) => share((choice) => choice[i] === true)),
    same: same.map((_, i) => share((choice) => choice[i] === choice[i + 1])),
  };
}

describe("the probabilities of clauses to go", () => {
  it.each([
    { goes: [0.4, -1], same: [0.3] },
    { goes: [2, -0.5, 0.7], same: [1.2, -0.4] },
    { goes: [-3, 1, 1, -2, 0.5], same: [0, 2, -1, 0.6] },
  ])("are those of all choices of some and not all: %j", (chain) => {
    const [found, expected] = [marginalsOf(chain), byHand(chain)];
    for (const [i, share] of expected.goes.entries()) expect(found.goes[i]).toBeCloseTo(share, 10);
    for (const [i, share] of expected.same.entries()) expect(found.same[i]).toBeCloseTo(share, 10);
  });

  it("are found for a long message in a moment", () => {
    const count = 20_000;
    const { goes } = marginalsOf({
      goes: Array.from({ length: count }, () => 0.1),
      same: Array.from({ length: count - 1 }, () => 1),
    });
    expect(goes.every(Number.isFinite)).toBe(true);
  });
});
