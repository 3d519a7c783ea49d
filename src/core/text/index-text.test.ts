import { describe, expect, it } from "vitest";
import { analyse, indexTokens } from "./analyse.ts";

describe("indexTokens", () => {
  it("holds the passage's tokens and the month and year in UTC, as a question would name them", () => {
    const tokens = indexTokens("I adopted a puppy", new Date("2023-05-31T23:30:00-02:00")).split(" ");
    expect(tokens).toEqual(expect.arrayContaining([...analyse("adopted puppy June 2023")]));
    expect(tokens).not.toContain(analyse("May")[0]);
  });

  it("holds the passage alone when the time is unknown or no time", () => {
    expect(indexTokens("a puppy", null)).toBe(analyse("a puppy").join(" "));
    expect(indexTokens("a puppy", new Date(Number.NaN))).toBe(analyse("a puppy").join(" "));
  });
});
