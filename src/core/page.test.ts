import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor, toPage } from "./page.ts";

describe("cursor", () => {
  it("comes back as it went, in any script", () => {
    expect(decodeCursor("mentions", encodeCursor("mentions", [12, "東京 ok"]), ["number", "string"])).toEqual([12, "東京 ok"]);
  });

  it.each([
    "",
    "%%%",
    "bm90IGpzb24",
    encodeCursor("audit", ["12"]),
    encodeCursor("audit", [1, 2]),
    encodeCursor("episodes", [1]),
    "WzFd",
  ])("refuses %j where a number of the audit is wanted", (cursor) => {
    expect(() => decodeCursor("audit", cursor, ["number"])).toThrow(expect.objectContaining({ code: "unprocessable" }));
  });
});

describe("toPage", () => {
  const view = { list: "audit" as const, item: (n: number) => n, position: (n: number) => [n] };
  it("has no next page when the rows just fill it", () => {
    expect(toPage([1, 2], 2, view)).toEqual({ items: [1, 2], nextCursor: null });
  });
  it("points after the last row that is shown", () => {
    expect(toPage([1, 2, 3], 2, view)).toEqual({ items: [1, 2], nextCursor: encodeCursor("audit", [2]) });
  });
});
