import { describe, expect, it } from "vitest";
import { AppError } from "#core/errors";
import { parseFolder, parsePath } from "./paths.ts";

function refusal(path: string): string {
  try {
    return `taken as ${parsePath(path)}`;
  } catch (error) {
    return error instanceof AppError && error.code === "unprocessable" ? error.message : String(error);
  }
}

describe("a path", () => {
  it.each([
    ["Notes/Today.md", "Notes/Today.md"],
    ["./a//b/./c.md", "a/b/c.md"],
    ["cafe\u0301.md", "caf\u00e9.md"],
    ["..hidden/a..b", "..hidden/a..b"],
    ["日本語/メモ.md", "日本語/メモ.md"],
    ["x".repeat(500), "x".repeat(500)],
  ])("%s is %s", (given, stored) => {
    expect(parsePath(given)).toBe(stored);
  });

  it.each([
    ["/etc/passwd", "absolute"],
    ["C:/notes.md", "absolute"],
    ["a\\b.md", "backslash"],
    ["../a.md", "leaves the source"],
    ["a/../../b.md", "leaves the source"],
    ["a/..", "leaves the source"],
    ["a/", "ends with /"],
    ["./.", "names no file"],
    ["a\u0000b", "control character"],
    ["a\nb", "control character"],
    ["a\u007fb", "control character"],
    ["a\ud800b", "surrogate"],
    ["x".repeat(501), "500 characters"],
  ])("%j is refused: %s", (given, reason) => {
    expect(refusal(given)).toContain(reason);
  });
});

it.each([
  ["", ""],
  ["/", ""],
  [".", ""],
  ["docs/", "docs"],
  ["docs/a", "docs/a"],
])("the folder %j is %j", (given, folder) => {
  expect(parseFolder(given)).toBe(folder);
});

it("refuses a folder that leaves the source", () => {
  expect(() => parseFolder("..")).toThrow("leaves the source");
  expect(() => parseFolder("/etc")).toThrow("absolute");
});
