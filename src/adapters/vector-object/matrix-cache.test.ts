import { describe, expect, it } from "vitest";
import { Matrix } from "./matrix.ts";
import { MatrixCache } from "./matrix-cache.ts";

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
