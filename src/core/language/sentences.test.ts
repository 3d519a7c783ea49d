import { describe, expect, it } from "vitest";
import { SENTENCE_UNITS, sentencesOf } from "./sentences.ts";

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
});
