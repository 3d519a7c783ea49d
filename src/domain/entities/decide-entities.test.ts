import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_MERGED_CHARACTERS, mergeNotes, mergeSafely } from "./decide-entities.ts";

describe("mergeNotes", () => {
  it.each([
    [null, "a database", "a database"],
    ["a database", null, "a database"],
    ["A database, fast", "a database", "A database, fast"],
    ["a database", "A database, of Berlin", "A database, of Berlin"],
    ["a database", "runs in Berlin", "a database\nruns in Berlin"],
    ["a start", "art", "a start\nart"],
    ["a database", "…", "a database"],
  ])("%s and %s", (known, added, merged) => {
    expect(mergeNotes(known, added)).toBe(merged);
  });

  it("leaves out what does not fit any more", () => {
    const known = "x".repeat(MAX_MERGED_CHARACTERS - 3);
    expect(mergeNotes(known, "yyyy")).toBe(known);
    expect(mergeNotes(known, "yy")).toBe(`${known}\nyy`);
  });

  it("gathers the same from what comes twice, and never too much", () => {
    const word = fc.constantFrom("red", "green", "Blue", "not", "a", "…");
    const notes = fc.array(word, { maxLength: 5 }).map((words) => (words.length === 0 ? null : words.join(" ")));
    fc.assert(
      fc.property(fc.array(notes, { maxLength: 8 }), (all) => {
        const once = all.reduce(mergeNotes, null);
        expect(all.reduce(mergeNotes, once)).toBe(once);
        expect(once?.length ?? 0).toBeLessThanOrEqual(MAX_MERGED_CHARACTERS);
      }),
    );
  });
});

it("two notes that hold a secret together are not put together", () => {
  expect(mergeSafely("the password:", "hunter2")).toBe("the password:");
  expect(mergeSafely("the paint:", "green")).toBe("the paint:\ngreen");
});
