import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dot, quantise } from "./quantise.ts";

const anyVector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 })
  .map((values) => Float32Array.from(values))
  .filter((values) => lengthOf(values) > 0.5);

describe("quantise", () => {
  it("keeps the cosine of any two vectors within one in a hundred", () => {
    fc.assert(
      fc.property(anyVector, anyVector, (vector, other) => {
        const { codes, scale } = quantise(vector);
        const unit = other.map((value) => value / lengthOf(other));
        const exact = dotOf(vector, unit) / lengthOf(vector);
        expect(Math.abs(dot(unit, codes, 0) * scale - exact)).toBeLessThan(0.01);
      }),
    );
  });

  it("uses the whole range, whatever the size of the values", () => {
    expect(quantise(Float32Array.of(1e-6, -1e-6, 0)).codes).toEqual(Int8Array.of(127, -127, 0));
    expect(quantise(new Float32Array(3))).toEqual({ codes: new Int8Array(3), scale: 0 });
  });
});

describe("dot", () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 11])("adds every one of %i products, from the offset on", (length) => {
    const query = Float32Array.from({ length }, (_, i) => i + 1);
    const codes = Int8Array.from({ length: 2 * length + 3 }, (_, i) => (i % 19) - 9);
    let expected = 0;
    for (let i = 0; i < length; i++) expected += (i + 1) * (codes[3 + i] ?? 0);
    expect(dot(query, codes, 3)).toBe(expected);
  });
});

function dotOf(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(dotOf(vector, vector));
}
