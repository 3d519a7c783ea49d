import { describe, expect, it } from "vitest";
import { saysTheSame, takenAlready } from "./model-statement.ts";

describe("two statements of one episode", () => {
  it.each([
    ["I prefer dark mode in every editor", "Prefers dark mode in every editor"],
    ["I live in Rome", "I live in Rome, Italy"],
    ["我喜欢绿茶", "喜欢绿茶"],
  ])("are one in other words: %s / %s", (a, b) => expect(saysTheSame(a, b)).toBe(true));

  it.each([
    ["I like tea", "Does not like tea"],
    ["I prefer dark mode", "Prefers light mode"],
    ["My name is Bob", "Lives in Rome"],
    ["", ""],
  ])("are two: %s / %s", (a, b) => expect(saysTheSame(a, b)).toBe(false));

  it("are one when the words of the second are in the first, as the same kind of statement", () => {
    const taken = [{ type: "identity", content: "We live in Rome these days", source: "rules" }];
    const said = { type: "identity" as const, content: "Lives in Rome", quote: "We live in Rome", key: null };
    expect(takenAlready(said, taken)).toBe(taken[0]);
    expect(takenAlready({ ...said, type: "event" }, taken)).toBeUndefined();
    expect(
      takenAlready({ ...said, content: "Works as a nurse", quote: "We live in Rome these days and I work as a nurse" }, taken),
    ).toBeUndefined();
  });

  it.each([
    ["im vegan btw", "Follows a vegan diet", "im vegan btw so no cheese"],
    ["quit shopify last month", "No longer works at Shopify", "quit shopify last month"],
  ])("are one when both are of one clause and the second has no word of its own: %s / %s", (content, second, quote) => {
    const taken = [{ type: "context", content, source: "rules" }];
    const said = { type: "identity" as const, content: second, quote, key: null };
    expect(takenAlready(said, taken)).toBe(taken[0]);
    expect(takenAlready({ ...said, quote: "something else" }, taken)).toBeUndefined();
    expect(takenAlready({ ...said, content: `${second} in Cork` }, taken)).toBeUndefined();
    expect(takenAlready({ ...said, key: "identity:that" }, taken)).toBeUndefined();
  });

  it("are one though the judge took the first for another kind, unless the second has a key", () => {
    const taken = [{ type: "event", content: "Paris is history, Rome it is now", source: "judge" }];
    const said = { type: "identity" as const, content: "Lives in Rome", quote: "Rome it is now", key: null };
    expect(takenAlready(said, taken)).toBe(taken[0]);
    expect(takenAlready({ ...said, key: "identity:home" }, taken)).toBeUndefined();
  });
});
