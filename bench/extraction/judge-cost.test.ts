import { expect, it } from "vitest";
import { codeLines } from "./judge-cost.ts";

it("lines of code are those with more than comments and white space", () => {
  const source = [
    "/** What it is.",
    " * More. */",
    "",
    'const a = "// no comment"; // one',
    "  // alone",
    "f(a /* here */);",
    "",
  ];
  expect(codeLines(source.join("\n"))).toBe(2);
});

it("code before and after a comment counts, also on the comment's lines", () => {
  expect(codeLines("a(); /* one\ntwo\nthree */ b();")).toBe(2);
});
