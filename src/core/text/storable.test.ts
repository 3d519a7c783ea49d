import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storable } from "./normalize.ts";

describe("storable", () => {
  it("keeps length, and makes of any text one that UTF-8 and SQL can hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const stored = storable(text);
        expect([stored.length, stored.isWellFormed(), stored.includes("\0"), storable(stored)]).toEqual([
          text.length,
          true,
          false,
          stored,
        ]);
      }),
    );
    expect(storable("a\0b\ud800c😀")).toBe("a\ufffdb\ufffdc😀");
  });
});
