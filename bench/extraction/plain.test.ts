import { describe, expect, it } from "vitest";
import { isKept, typedResult } from "./plain.ts";

const memory = (type: string, content: string, of: { expiresAt?: string; reason?: string } = {}) => ({
  ...{ type, content, expiresAt: of.expiresAt ?? null, reason: of.reason ?? null },
});

describe("typedResult", () => {
  const sentence = { type: "context", text: "I'm working on the annexe" } as const;

  it("takes the type of the longest memory that is stored", () => {
    const made = [
      memory("identity", "short"),
      memory("task", "not stored at all", { reason: "belowThreshold" }),
      memory("context", "longer"),
    ];
    expect(typedResult(sentence, made)).toMatchObject({ stored: "context" });
    expect(typedResult(sentence, [])).toMatchObject({ stored: null, isEndless: false });
  });

  it("sees any stored memory that has no end", () => {
    const ending = memory("context", "longer", { expiresAt: "2026-01-01T00:00:00.000Z" });
    expect(typedResult(sentence, [ending])).toMatchObject({ isEndless: false });
    expect(typedResult(sentence, [ending, memory("task", "x")])).toMatchObject({ isEndless: true });
  });
});

describe("isKept", () => {
  it("needs all words in one stored memory, in any case", () => {
    const sentence = { text: "", must: ["chinese", "food"] };
    expect(isKept(sentence, [memory("preference", "I love Chinese food")])).toBe(true);
    expect(isKept(sentence, [memory("preference", "I love Chinese food", { reason: "belowThreshold" })])).toBe(false);
    expect(isKept(sentence, [memory("preference", "Chinese"), memory("preference", "food")])).toBe(false);
  });
});
