import { describe, expect, it } from "vitest";
import { Matrix } from "./matrix.ts";
import { MatrixShelf } from "./matrix-shelf.ts";

const one = new Matrix(10).bytes;

describe("MatrixShelf", () => {
  it("gives up what was used longest ago when it is full", () => {
    const shelf = new MatrixShelf(2 * one);
    const matrix = new Matrix(10);
    shelf.keep("a", matrix);
    shelf.keep("b", new Matrix(10));
    expect(shelf.take("a")).toBe(matrix);
    shelf.keep("c", new Matrix(10));
    expect(shelf.take("b")).toBe(undefined);
    expect(shelf.take("a")).toBe(matrix);
    expect(shelf.bytes).toBe(2 * one);
  });

  it("counts a matrix as it is now, and once", () => {
    const shelf = new MatrixShelf(100 * one);
    const matrix = new Matrix(10);
    shelf.keep("a", matrix);
    for (let slot = 0; slot < 200; slot++) matrix.set(slot, { codes: new Int8Array(10), scale: 1 });
    shelf.keep("a", matrix);
    expect(shelf.bytes).toBe(matrix.bytes);
    shelf.drop("a");
    shelf.drop("a");
    expect(shelf.bytes).toBe(0);
    expect(shelf.take("a")).toBe(undefined);
  });

  it("does not hold what is larger than itself", () => {
    const shelf = new MatrixShelf(one - 1);
    shelf.keep("a", new Matrix(10));
    expect(shelf.take("a")).toBe(undefined);
    expect(shelf.bytes).toBe(0);
  });
});
