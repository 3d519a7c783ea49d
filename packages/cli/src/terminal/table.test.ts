import { expect, it } from "vitest";
import { table } from "./table.ts";
import { widthOf, wrap } from "./width.ts";

it("aligns columns by what characters take in a terminal", () => {
  const lines = table(
    ["NAME", "CITY"],
    [
      ["Ann", "Lisbon"],
      ["東京の人", "東京"],
    ],
    undefined,
  );
  expect(lines).toEqual(["NAME      CITY", "Ann       Lisbon", "東京の人  東京"]);
});

it("cuts only the last column, and only to fit a terminal", () => {
  const rows = [["mem_1", "I prefer window seats on night trains 東京東京"]];
  expect(table(["ID", "TEXT"], rows, undefined)[1]).toBe("mem_1  I prefer window seats on night trains 東京東京");
  const [, cut = ""] = table(["ID", "TEXT"], rows, 30);
  expect(cut).toMatch(/^mem_1 {2}I prefer window.*…$/);
  expect(widthOf(cut)).toBeLessThanOrEqual(30);
});

it("never lets a cell make a second line or send escape sequences", () => {
  expect(table(["A", "B"], [["x\ny", "\u001b[2J"]], 80)[1]).toBe("x y  \\u{1b}[2J");
});

it("wraps at spaces and breaks what has none", () => {
  expect(wrap("one two three four", 10)).toEqual(["one two", "three four"]);
  expect(wrap("a\n\nb", 20)).toEqual(["a", "", "b"]);
  for (const line of wrap(`${"東".repeat(30)} and more`, 12)) expect(widthOf(line)).toBeLessThanOrEqual(12);
  expect(
    wrap(`${"東".repeat(30)} and more`, 12)
      .join("")
      .replaceAll(" ", ""),
  ).toBe(`${"東".repeat(30)}andmore`);
});
