import { describe, expect, it } from "vitest";
import { openStaticWords } from "../../src/core/static-words/static-words.ts";
import { packWords } from "./pack-words.ts";

const TOKENS = ["tea", "teapot", "a", "zoo", "cat", "te"];
const VECTORS = TOKENS.map((_, row) => [0.1 * (row + 1), -0.2, 0.05 * row, 0.3].map((value) => value * 4 ** (row - 3)));
const words = openStaticWords(
  packWords(TOKENS, { dimensions: 4, values: Float32Array.from(VECTORS.flat()) }, "a test's own numbers"),
);

function sumOf(...tokens: string[]): { vector: number[]; found: number } {
  const into = new Float32Array(4);
  words.sum(tokens, into);
  return { vector: [...into], found: tokens.filter((token) => words.has(token)).length };
}

describe("packed words", () => {
  it.each(TOKENS.map((token, row) => ({ token, row })))(
    "keeps the vector of $token within a step of a half byte",
    ({ token, row }) => {
      const { vector, found } = sumOf(token);
      const given = VECTORS[row] ?? [];
      const deviation = Math.sqrt(given.reduce((sum, value) => sum + value * value, 0) / 4);
      expect(found).toBe(1);
      for (const [k, value] of vector.entries()) expect(Math.abs(value - (given[k] ?? 0))).toBeLessThan(0.25 * deviation);
    },
  );

  it.each(["", "t", "teap", "teapots", "zoos", "zzz", "b", "猫"])("has nothing for %j", (token) => {
    expect(sumOf(token)).toEqual({ vector: [0, 0, 0, 0], found: 0 });
  });

  it("adds up those that it knows, as often as they stand there", () => {
    const once = sumOf("tea").vector;
    const both = sumOf("tea", "unknown", "cat", "tea");
    expect(both.found).toBe(3);
    for (const [k, value] of sumOf("cat").vector.entries()) expect(both.vector[k]).toBeCloseTo(value + 2 * (once[k] ?? 0), 6);
  });
});
