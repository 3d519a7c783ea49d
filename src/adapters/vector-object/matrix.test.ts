import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Matrix } from "./matrix.ts";

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
