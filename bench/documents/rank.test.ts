import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PACKAGE_LIBRARIES } from "./package-questions.ts";
import { headingQuestions, strangersQuestions } from "./questions.ts";
import { headingsIn, rankOf, rankWithShared, withinOf } from "./rank.ts";

const asked = [{ path: "pages/a.md", heading: "Two" }];
const hit = (file: string, ...headings: string[]) => ({ path: file, headings, text: "" });

describe("the rank of a section", () => {
  it("is that of its first passage, and not of one of another page or of a section below it", () => {
    const others = [hit("pages/b.md", "Two"), hit("pages/a.md", "Two", "Three"), hit("pages/a.md")];
    expect(rankOf(asked, [...others, hit("pages/a.md", "One", "Two"), hit("pages/a.md", "One", "Two")])).toBe(4);
    expect(rankOf(asked, others)).toBeNull();
  });

  it("may be that of a passage which several sections share", () => {
    const shared = { ...hit("pages/a.md", "One"), text: "## First\n\nText.\n\n## `Two`\n\nMore." };
    const hits = [{ ...shared, path: "pages/b.md" }, shared, hit("pages/a.md", "One", "Two")];
    expect([rankOf(asked, hits), rankWithShared(asked, hits)]).toEqual([3, 2]);
  });

  it("counts within the first so many", () => {
    expect([1, 5, 10].map((count) => withinOf([1, 5, 6, null], count))).toEqual([1, 2, 3]);
  });
});

it.each([...strangersQuestions, ...headingQuestions])("$path has the heading $heading", ({ path: file, heading }) => {
  const page = path.join(import.meta.dirname, "../..", file);
  expect(existsSync(page)).toBe(true);
  expect(
    readFileSync(page, "utf8")
      .split("\n")
      .map((line) => line.replace(/^#+ /, "")),
  ).toContain(heading);
});

const packages = Object.values(PACKAGE_LIBRARIES).flatMap(({ questions }) => questions.flatMap(({ sections }) => sections));

it.each(packages)("the page $path of a package has the heading $heading", ({ path: file, heading }) => {
  const page = readFileSync(path.join(import.meta.dirname, "../../node_modules", file), "utf8");
  expect(headingsIn(page)).toContain(heading);
});
