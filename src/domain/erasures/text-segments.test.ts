import { expect, it } from "vitest";
import { segmentsOf } from "./text-segments.ts";

/** As SQLite 3.51 wrote it: twelve segments of 50 rows, of which the first has one deleted row; and the same merged into one. */
const TWO_LEVELS = "00000000FF00000101020C0002010101010101013202010102020000320000";
const MERGED = "00000000FF000001020110000000010D0103010C00008454";

it("reads the segments of an index, and how many of their rows were deleted", () => {
  expect(segmentsOf(TWO_LEVELS)).toEqual([
    { name: "1:1-1:50", deleted: 1 },
    { name: "2:2-2:50", deleted: 0 },
  ]);
  expect(segmentsOf(MERGED)).toEqual([{ name: "13:1-12:596", deleted: 0 }]);
  expect(segmentsOf("")).toEqual([]);
});

it("refuses a version that it does not know", () => {
  expect(() => segmentsOf("00000000010203040506")).toThrow(RangeError);
});
