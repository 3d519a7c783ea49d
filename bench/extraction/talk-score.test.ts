import { describe, expect, it } from "vitest";
import { areaUnderCurve, byLanguage, scoreTalk } from "./talk-score.ts";

const message = (facts: string[][], stored: string[]) => ({ lang: "en", keep: facts.length > 0, facts, stored });

describe("scoreTalk", () => {
  it("keeps a fact if one content has all of its words, without regard to case", () => {
    const facts = [["Miso", "cat"], ["Leeds"]];
    expect(scoreTalk([message(facts, ["my CAT is called miso"])])).toMatchObject({ facts: 2, kept: 1, stored: 1, right: 1 });
    expect(scoreTalk([message(facts, ["my cat", "miso sleeps"])])).toMatchObject({ kept: 0, stored: 2, right: 2 });
  });

  it("takes a content as right if it has any word of any fact of its own message", () => {
    expect(scoreTalk([message([["Leeds"]], ["in Leeds", "hello"]), message([["York"]], ["in Leeds"])])).toMatchObject({
      stored: 3,
      right: 1,
    });
  });

  it("counts a message with nothing to keep once, however much is stored from it", () => {
    const counts = scoreTalk([message([], ["a", "b"]), message([], []), message([["c"]], ["d"])]);
    expect(counts).toEqual({ messages: 3, facts: 1, kept: 0, stored: 3, right: 0, nothing: 2, storedFromNothing: 1 });
  });
});

describe("areaUnderCurve", () => {
  const scored = (kept: number[], others: number[]) => [
    ...kept.map((score) => ({ score, isKept: true })),
    ...others.map((score) => ({ score, isKept: false })),
  ];

  it.each([
    ["all above", [3, 4], [1, 2], 1],
    ["all below", [1], [2, 3], 0],
    ["a tie is half", [2, 2], [2], 0.5],
    ["mixed", [1, 3], [2], 0.5],
    ["a tie among others", [2, 5], [1, 2], 0.875],
  ])("%s", (_name, kept, others, area) => {
    expect(areaUnderCurve(scored(kept, others))).toBe(area);
  });
});

describe("byLanguage", () => {
  it("has English, the others together, and each of the others", () => {
    const messages = ["zh", "en", "de", "zh"].map((lang) => ({ lang }));
    expect(byLanguage(messages).map(([name, of]) => [name, of.length])).toEqual([
      ["en", 1],
      ["other", 3],
      ["de", 1],
      ["zh", 2],
    ]);
  });
});
