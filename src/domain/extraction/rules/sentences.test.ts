import { describe, expect, it } from "vitest";
import { SENTENCE_UNITS, sentencesOf } from "./sentences.ts";
import { takeMemories } from "./take-memories.ts";

describe("a sentence without an end", () => {
  it.each([
    ["words", "word ".repeat(12_800)],
    ["clauses", "a,b; ".repeat(12_800)],
    ["letters", "a".repeat(64_000)],
    ["characters of two units", "😀".repeat(32_000)],
  ])("of %s is cut, and nothing of it is lost", (_of, text) => {
    const pieces = sentencesOf(text);
    expect(Math.max(...pieces.map(({ start, end }) => end - start))).toBeLessThanOrEqual(SENTENCE_UNITS);
    expect(pieces.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text.trim());
    expect(pieces.every(({ start, end }) => text.slice(start, end).isWellFormed())).toBe(true);
    expect(pieces.map(({ goesOn }) => goesOn)).toEqual(pieces.map((_, i) => i > 0));
  });

  it("is read where it begins: a preference before 64,000 digits is taken", () => {
    const [taken, ...others] = takeMemories([{ role: "user", text: `I prefer tea because ${"1".repeat(64_000)}` }]);
    expect(taken?.content).toMatch(/^I prefer tea\b/u);
    expect(others).toEqual([]);
  });

  it("stays a question to its end: nothing is extracted from its rest", () => {
    const statement = `${"and so on ".repeat(150)}, I live in Rome and I prefer tea`;
    expect(takeMemories([{ role: "user", text: `Is it true that ${statement}` }])).toEqual([]);
  });
});
