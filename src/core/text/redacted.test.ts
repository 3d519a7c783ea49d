import { describe, expect, it } from "vitest";
import { isRedacted, isSameButRedacted, redactSpans, restoreWords, shortenRedacted } from "./redacted.ts";

const SAID = "Lilli plays the 🎻 on Fridays.";

describe("redacted words", () => {
  it("keep the length of the text, and are put back as they were, in any order", () => {
    const one = { start: 12, end: 18 };
    const two = { start: 22, end: 29 };
    const left = redactSpans(redactSpans(SAID, [one]), [two]);
    expect(left).toHaveLength(SAID.length);
    expect(left).not.toContain("🎻");
    const first = restoreWords(left, { start: one.start, words: SAID.slice(one.start, one.end) });
    expect(first).toBe(redactSpans(SAID, [two]));
    expect(restoreWords(first, { start: two.start, words: SAID.slice(two.start, two.end) })).toBe(SAID);
  });

  it("are known when they are sent again, and other words are not", () => {
    const left = redactSpans(SAID, [{ start: 0, end: 5 }]);
    expect(isSameButRedacted(left, SAID)).toBe(true);
    expect(isSameButRedacted(left, SAID.replace("Fridays", "Mondays"))).toBe(false);
    expect(isSameButRedacted(left, `${SAID} Yes.`)).toBe(false);
    expect(isSameButRedacted(SAID, SAID.replace("Lilli", "Tilli"))).toBe(false);
  });

  it("leave nothing where no word is left", () => {
    expect(isRedacted(redactSpans(SAID, [{ start: 0, end: SAID.length - 1 }]))).toBe(true);
    expect(isRedacted(redactSpans(SAID, [{ start: 0, end: 5 }]))).toBe(false);
    expect(isRedacted("...")).toBe(false);
    expect(shortenRedacted(redactSpans(SAID, [{ start: 0, end: 5 }]))).toBe("[…] plays the 🎻 on Fridays.");
  });
});
