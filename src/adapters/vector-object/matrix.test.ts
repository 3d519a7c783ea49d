import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BestMatches, dot, Matrix, MatrixCache, quantise } from "./matrix.ts";

const query = Float32Array.of(1, 0, 0);
const vectorOf = (first: number) => ({ codes: Int8Array.of(first, 9, 9), scale: 0.5 });

describe("Matrix", () => {
  it("holds what a map would hold, through any sequence of changes", () => {
    const change = fc.record({ slot: fc.integer({ min: 0, max: 40 }), first: fc.option(fc.integer({ min: -127, max: 127 })) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 120 }), fc.integer({ min: 0, max: 3 }), (changes, rows) => {
        const matrix = new Matrix(3, rows);
        const model = new Map<number, number>();
        for (const { slot, first } of changes) {
          if (first === null) {
            matrix.delete(slot);
            model.delete(slot);
          } else {
            matrix.set(slot, vectorOf(first));
            model.set(slot, first);
          }
        }
        for (let slot = 0; slot <= 40; slot++) {
          const first = model.get(slot);
          expect(matrix.score(slot, query)).toBe(first === undefined ? undefined : first * 0.5);
        }
      }),
    );
  });

  it("says how much memory it takes, which grows with its rows", () => {
    const matrix = new Matrix(1_000);
    const before = matrix.bytes;
    for (let slot = 0; slot < 100; slot++) matrix.set(slot, { codes: new Int8Array(1_000), scale: 1 });
    expect(before).toBeLessThan(20_000);
    expect(matrix.bytes).toBeGreaterThanOrEqual(100_000);
  });
});

const one = new Matrix(10).bytes;

describe("MatrixCache", () => {
  it("gives up what was used longest ago when it is full", () => {
    const cache = new MatrixCache(2 * one);
    const matrix = new Matrix(10);
    cache.keep("a", matrix);
    cache.keep("b", new Matrix(10));
    expect(cache.take("a")).toBe(matrix);
    cache.keep("c", new Matrix(10));
    expect(cache.take("b")).toBe(undefined);
    expect(cache.take("a")).toBe(matrix);
    expect(cache.bytes).toBe(2 * one);
  });

  it("counts a matrix as it is now, and once", () => {
    const cache = new MatrixCache(100 * one);
    const matrix = new Matrix(10);
    cache.keep("a", matrix);
    for (let slot = 0; slot < 200; slot++) matrix.set(slot, { codes: new Int8Array(10), scale: 1 });
    cache.keep("a", matrix);
    expect(cache.bytes).toBe(matrix.bytes);
    cache.drop("a");
    cache.drop("a");
    expect(cache.bytes).toBe(0);
    expect(cache.take("a")).toBe(undefined);
  });

  it("does not hold what is larger than itself", () => {
    const cache = new MatrixCache(one - 1);
    cache.keep("a", new Matrix(10));
    expect(cache.take("a")).toBe(undefined);
    expect(cache.bytes).toBe(0);
  });
});

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
