import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor, toPage } from "./page.ts";

describe("cursor", () => {
  it("comes back as it went, in any script", () => {
    expect(decodeCursor(encodeCursor([12, "東京 ok"]), ["number", "string"])).toEqual([12, "東京 ok"]);
  });

  it.each(["", "%%%", "bm90IGpzb24", encodeCursor(["12"]), encodeCursor([1, 2])])(
    "refuses %j where one number is wanted",
    (cursor) => {
      expect(() => decodeCursor(cursor, ["number"])).toThrow(expect.objectContaining({ code: "unprocessable" }));
    },
  );
});

describe("toPage", () => {
  const view = { item: (n: number) => n, position: (n: number) => [n] };
  it("has no next page when the rows just fill it", () => {
    expect(toPage([1, 2], 2, view)).toEqual({ items: [1, 2], nextCursor: null });
  });
  it("points after the last row that is shown", () => {
    expect(toPage([1, 2, 3], 2, view)).toEqual({ items: [1, 2], nextCursor: encodeCursor([2]) });
  });
});
