import { describe, expect, it } from "vitest";
import { requireJson } from "./require-json.ts";

class Point {
  x = 1;
}

const circle: Record<string, unknown> = {};
circle.inner = [circle];

describe("requireJson", () => {
  it.each([
    ["a Map", new Map([["a", 1]])],
    ["a Set", new Set([1])],
    ["a RegExp", /x/],
    ["a Date", new Date(0)],
    ["bytes", new Uint8Array(1)],
    ["an instance of a class", new Point()],
    ["a boxed text", Object("text")],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-0", -0],
    ["a function", () => 1],
    ["a bigint", 10n],
    ["a symbol", Symbol("s")],
    ["a list with a hole", new Array(1)],
    ["a list with a field", Object.assign([1], { extra: 1 })],
    ["a field named by a symbol", { [Symbol("s")]: 1 }],
    ["a field that is not enumerable", Object.defineProperty({}, "x", { value: 1 })],
    ["an object within itself", circle],
  ])("refuses %s in a list and in a field", (_, value) => {
    expect(() => requireJson({ list: [value] })).toThrow(TypeError);
    expect(() => requireJson({ field: value })).toThrow(TypeError);
    expect(() => requireJson({ field: value })).toThrow(/stored as JSON/);
  });

  it.each([[undefined], ["text"], [1], [new Map()]])("refuses %s in the place of a value", (value) => {
    expect(() => requireJson(value)).toThrow(TypeError);
  });

  it("refuses undefined in a list, and takes it for a field that is not there", () => {
    expect(() => requireJson({ list: [undefined] })).toThrow(/undefined/);
    expect(() => requireJson({ field: undefined })).not.toThrow();
  });

  it("names what would be lost, and none of its content", () => {
    expect(() => requireJson({ secret: new Map([["secret", 1]]) })).toThrow(/the Map in it as it is\. Put/);
    expect(() => requireJson({ secret: new Map() })).toThrow(expect.not.stringContaining("secret"));
  });

  it("takes what comes back from JSON as it is", () => {
    const same = [1];
    const value = { text: "é", n: 1.5, on: true, none: null, list: [[], {}, same, same], bare: Object.create(null) };
    expect(() => requireJson(value)).not.toThrow();
    expect(JSON.parse(JSON.stringify(value))).toEqual(value);
  });

  it("takes objects of another realm, whose prototype is another one without a prototype", () => {
    expect(() => requireJson(Object.create(Object.create(null)))).not.toThrow();
  });
});
