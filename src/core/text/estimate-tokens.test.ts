import { describe, expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";

describe("estimateTokens", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["abcdefgh", 2],
    ["naïve “quotes”", 4],
    ["北京大学", 4],
    ["สวัสดี", 3],
    ["ab北京", 3],
  ])("%j has about %i", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
