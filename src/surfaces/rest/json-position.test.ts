import fc from "fast-check";
import { expect, it } from "vitest";
import { findJsonError } from "./json-position.ts";

it.each([
  ["", 1, 1],
  ["{", 1, 2],
  ['{"text": a}', 1, 10],
  ["{'text': 1}", 1, 2],
  ['{"a": 1,}', 1, 9],
  ['{"a": [1, 2,]}', 1, 13],
  ['{"a" 1}', 1, 6],
  ['{"a": 1 "b": 2}', 1, 9],
  ['{"a": "no end}', 1, 15],
  ['{"a": "tab\there"}', 1, 11],
  ['{"a": "\\x"}', 1, 8],
  ['{\n  "a": 1,\n  b: 2\n}', 3, 3],
  ["[1, 2}", 1, 6],
  ["{} {}", 1, 4],
  ["01", 1, 2],
  ["tru", 1, 1],
])("finds where %j stops being JSON", (text, line, column) => {
  expect(findJsonError(text)).toEqual({ line, column });
});

it("finds nothing in JSON, and something in all else, as JSON.parse does", () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const cut = fc.tuple(fc.json(), fc.nat(60)).map(([text, length]) => text.slice(0, length));
  const marks = fc.string({ unit: fc.constantFrom(...'{}[],:"1a\\ -.e0'), maxLength: 12 });
  fc.assert(
    fc.property(fc.oneof(fc.json(), cut, marks), (text) => {
      expect(findJsonError(text) === null).toBe(isJson(text));
    }),
  );
});

it("reads ten million characters of one string", () => {
  expect(findJsonError(`{"image": "${"a".repeat(10_000_000)}`)).toEqual({ line: 1, column: 10_000_012 });
});

it("reads ten million lines, and no deeper than a thousand lists", () => {
  expect(findJsonError(`${"\n".repeat(10_000_000)}x`)).toEqual({ line: 10_000_001, column: 1 });
  expect(findJsonError(`${"[".repeat(1_000)}x`)).toEqual({ line: 1, column: 1_001 });
  expect(findJsonError("[".repeat(10_000_000))).toBeNull();
});
