import { expect, it } from "vitest";
import { ignoredBy } from "./ignored.ts";

it.each([
  ["notes.md", false],
  [".git/config", true],
  ["a/node_modules/b.js", true],
  [".edgewiseignore", true],
  ["draft.tmp", true],
  ["keep.tmp", false],
  ["private/diary.md", true],
  ["a/private/diary.md", false],
])("%s: %s", (path, isIgnored) => {
  expect(ignoredBy("*.tmp\n!keep.tmp\n/private/\n").file(path)).toBe(isIgnored);
});

it("takes what the file names with an exclamation mark", () => {
  const { file } = ignoredBy("!.DS_Store\n");
  expect([file(".DS_Store"), file(".git/config")]).toEqual([false, true]);
});

it("leaves out whole folders", () => {
  const { folder } = ignoredBy("/private/");
  expect([folder(""), folder("private"), folder("a/private"), folder("node_modules")]).toEqual([false, true, false, true]);
});
