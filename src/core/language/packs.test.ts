import { afterAll, expect, it, vi } from "vitest";
import { MADE_UP_LANGUAGE } from "#test/made-up-language";

vi.mock(import("./packs.ts"), async (original) => ({ PACKS: [...(await original()).PACKS, MADE_UP_LANGUAGE] }));

// Test files share their modules, which have the packs without it.
vi.resetModules();
afterAll(() => vi.resetModules());

const { readClauses } = await import("./clause-reader.ts");
const { sensitivityOf } = await import("#core/safety/sensitivity");
const { isOfTheMoment } = await import("#core/text/of-the-moment");
const { isNegated } = await import("#core/text/negation");

it("a language that is added to the packs is read by the clause reader", () => {
  const read = (text: string) => readClauses(text).map(({ text: words, standing }) => [words, standing]);
  expect(read("Mi logas en Umo vel mi logas tie")).toEqual([
    ["Mi logas en Umo", "own"],
    ["vel mi logas tie", "supposed"],
  ]);
  expect(read("Ho zu mi logas en Umo")[0]?.[1]).toBe("asked");
  expect(read("Tradu: mi logas en Umo").at(-1)?.[1]).toBe("material");
});

it("a language that is added to the packs is read by sensitivity, negation and words of the moment", () => {
  expect(sensitivityOf("Mi estas malsana")).toBe("sensitive");
  expect(isNegated("Mi nul trinkas")).toBe(true);
  expect(isOfTheMoment({ content: "Mi dormas nunmo", type: "knowledge" })).toBe(true);
});
