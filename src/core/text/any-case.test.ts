import v8 from "node:v8";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCase } from "./any-case.ts";

const finds = (source: string, text: string, outside?: "exact") =>
  new RegExp(`^(?:${anyCase(source, outside)})$`, "u").test(text);

describe("anyCase", () => {
  it.each([
    ["mon", "MoN"],
    ["(?<role>[a-zäöü]+) is", "ÄRZTE IS"],
    ["[oa]s?", "OS"],
    ["fianc[ée]e?", "FIANCÉE"],
    ["\\bx\\d{2}", "X12"],
    ["(?<=^)b(?!c)(?:d|e)", "BD"],
    ["[^x-]y", "zY"],
    ["\\u00e9[\\u00e0-\\u00ff-]\\p{L}", "é-x"],
  ])("%s finds %s", (source, text) => expect(finds(source, text)).toBe(true));

  it.each([
    ["i (?-i:Am)", "I Am", "i am"],
    ["(?-i:A(?:b|[cd])e)f", "AbeF", "ABEF"],
    ["(?:(?-i:A)b)c", "ABC", "abc"],
  ])("%s finds %s and not %s", (source, found, missed) => {
    expect(finds(source, found)).toBe(true);
    expect(finds(source, missed)).toBe(false);
  });

  it("may be exact but for what is marked", () => {
    expect(finds("A(?i:b(?-i:C))d", "ABCd", "exact")).toBe(true);
    expect(finds("A(?i:b(?-i:C))d", "Abcd", "exact")).toBe(false);
    expect(finds("A(?i:b)d", "aBd", "exact")).toBe(false);
  });

  it("finds what the flag finds", () => {
    const part = fc.constantFrom("a", "B", "é", "[a-f]", "[xY]", "(?:c|D)", "\\d", "ß", "1", "(?<n>e)?", "ж");
    fc.assert(
      fc.property(
        fc.uniqueArray(part, { minLength: 1, maxLength: 6 }),
        fc.string({ unit: fc.constantFrom(..."aAbBéÉfFxXyYcCdD1ßeEжЖ") }),
        (parts, text) => {
          const source = parts.join("");
          expect(new RegExp(anyCase(source)).test(text)).toBe(new RegExp(source, "i").test(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is right where V8 does not optimise, as patterns with modifiers are not", () => {
    v8.setFlagsFromString("--no-regexp-optimization");
    try {
      expect(new RegExp(anyCase("((m|((?-i:(-){2}))))")).test("Mon")).toBe(true);
    } finally {
      v8.setFlagsFromString("--regexp-optimization");
    }
  });
});
