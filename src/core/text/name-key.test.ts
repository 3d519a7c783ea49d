import { describe, expect, it } from "vitest";
import { nameKey } from "./normalize.ts";

describe("nameKey", () => {
  it.each([
    ["José", "jose"],
    ["  MÜLLER-Lüdenscheidt ", "muller ludenscheidt"],
    ["O’Brien", "o brien"],
    ["O'Brien", "o brien"],
    ["Ｂｏｂ", "bob"],
    ["李小龙", "李小龙"],
    ["Мария", "мария"],
    ["王 小明", "王 小明"],
    ["ANN  lee", "ann lee"],
    ["!?", ""],
  ])("%s is looked up as %s", (name, key) => {
    expect(nameKey(name)).toBe(key);
  });
});
