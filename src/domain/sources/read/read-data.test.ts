import { describe, expect, it } from "vitest";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { readCode } from "./read-code.ts";
import { readCsv } from "./read-csv.ts";
import { readJson, readJsonLines } from "./read-json.ts";

const texts = ({ blocks }: { blocks: { text: string }[] }) => blocks.map(({ text }) => text);

describe("readCsv", () => {
  it("gives every row the names of its columns", () => {
    const { blocks } = readCsv('Name,City\nAnna,"Rome, Italy"\nBen,\n"C ""x""","two\nlines"\n', null);
    expect(blocks).toEqual([
      { text: 'Name: Anna; City: Rome, Italy\nName: Ben\nName: C "x"; City: two lines', headings: [], page: null },
    ]);
  });

  it("guesses the delimiter, and takes the given one", () => {
    expect(texts(readCsv("Name;Age\nAnna;3,5\nBen;4,5", null))).toEqual(["Name: Anna; Age: 3,5\nName: Ben; Age: 4,5"]);
    expect(texts(readCsv("Name\tNote\nAnna\ta,b", "\t"))).toEqual(["Name: Anna; Note: a,b"]);
  });

  it("keeps what looks like a formula as it is", () => {
    const row = "=1+1,+2,-3,@SUM(A1)";
    expect(texts(readCsv(`a,b,c,d\n${row}`, null))).toEqual(["a: =1+1; b: +2; c: -3; d: @SUM(A1)"]);
  });

  it("does without names where the first row has none", () => {
    expect(texts(readCsv("1,2\n3,4", null))).toEqual(["1; 2\n3; 4"]);
    expect(texts(readCsv("a,a\nb,c", null))).toEqual(["a; a\nb; c"]);
    expect(texts(readCsv("only,names", null))).toEqual(["only; names"]);
  });

  it("reads the rows after a quote that is never closed", () => {
    expect(texts(readCsv('Name,Size\nAnna,"5\nBen,6\n', null))).toEqual(['Name: Anna; Size: "5\nName: Ben; Size: 6']);
  });

  it("starts a new block before it has more words than a chunk", () => {
    const blocks = texts(readCsv(`Name,Age\n${"Anna,3\n".repeat(100)}`, ","));
    expect(blocks).toHaveLength(2);
    expect(blocks[1]).toMatch(/^Name: Anna; Age: 3\n/);
  });

  it("counts the names of columns against the bound", () => {
    const names = ["a", "b"].map((name) => name.repeat(150)).join(",");
    const rows = "1,2\n".repeat(17_000);
    expect(names.length + rows.length).toBeLessThan(100_000);
    expect(() => readCsv(`${names}\n${rows}`, ",")).toThrow("5,000,000 characters");
  });

  it.each([
    ["unclosed quotes", 'a,"b\n'],
    ["quotes in cells", 'a"b""c,'],
    ["columns", "x,"],
    ["rows", "a,b\n"],
  ])("takes time in proportion to many %s", (_, unit) => {
    expect(
      growthOf(
        (text) => readCsv(text, null),
        (units) => unit.repeat(units / unit.length),
      ),
    ).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});

describe("readJson", () => {
  it("keeps a short value whole", () => {
    expect(readJson('{"title":"T","a":[1,2]}')).toMatchObject({
      title: "T",
      blocks: [{ text: '{"title":"T","a":[1,2]}', headings: [] }],
    });
  });

  it("puts long values under the names that lead to them", () => {
    const note = "A long note about many things. ".repeat(60).trim();
    const { blocks } = readJson(
      JSON.stringify({
        version: 3,
        users: [
          { name: "Anna", age: 4, note },
          { age: 5, note },
        ],
      }),
    );
    expect(blocks).toEqual([
      { text: "version: 3", headings: [], page: null },
      { text: 'name: "Anna"\nage: 4', headings: ["users", "Anna"], page: null },
      { text: note, headings: ["users", "Anna", "note"], page: null },
      { text: "age: 5", headings: ["users", "2"], page: null },
      { text: note, headings: ["users", "2", "note"], page: null },
    ]);
  });

  it("keeps as it was written what is no JSON, nests too deep, or holds integers that would change", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const text of ["{ // a comment\n}", '{"a": [1, 2', deep, '{"id": 12345678901234567890}'])
      expect(texts(readJson(text))).toEqual([text]);
  });

  it("counts the indents against the bound", () => {
    const rows = JSON.stringify(
      Array.from({ length: 45_000 }, () => [["aaaaaaaaaaaaa"], [["bbbbbbbbbbbb"]], "cccccccccccccccc", "d".repeat(40)]),
    );
    expect(rows.length).toBeLessThan(5_000_000);
    expect(() => readJson(rows)).toThrow("5,000,000 characters");
  });

  it("reads lines of JSON, and those that are none", () => {
    expect(texts(readJsonLines('{"a":1}\nnot json\n{"b":2}\n'))).toEqual(['{"a":1}', "not json", '{"b":2}']);
  });

  it.each(["[", '{"a":', '"\\', '[{"a":1},', "\\"])("takes time in proportion to many of %s", (unit) => {
    const text = (units: number) => `[${unit.repeat(units / unit.length)}`;
    expect(growthOf(readJson, text)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});

describe("readCode", () => {
  it("cuts between blank lines and the outermost indentation, and keeps the text", () => {
    expect(texts(readCode("\n\nimport a\n\nfunction b() {\n  x\n\n  y\n\n}\n\n  indented\n\nlast\n"))).toEqual([
      "import a",
      "function b() {\n  x\n\n  y\n\n}\n\n  indented",
      "last",
    ]);
  });

  it("cuts long pieces at blank lines", () => {
    expect(texts(readCode(`{\n${"  a\n\n".repeat(100)}}`)).length).toBeGreaterThan(2);
  });
});
