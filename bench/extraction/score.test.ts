import { describe, expect, it } from "vitest";
import { contentWords, scoreMemories } from "./score.ts";

const tea = { type: "preference", content: "I prefer tea over coffee" };
const rome = { type: "identity", content: "I live in Rome" };

describe("memories are the same", () => {
  it.each([
    ["in the third person", "The user prefers tea over coffee."],
    ["without a subject", "prefers tea over coffee"],
    ["with one word more", "prefers green tea over coffee"],
    ["in capitals", "I PREFER TEA OVER COFFEE!"],
  ])("%s", (_name, content) => {
    expect(scoreMemories([tea], [{ type: "preference", content }]).matched).toEqual([{ expected: 0, found: 0 }]);
  });

  it("only if their type is", () => {
    expect(scoreMemories([tea], [{ ...tea, type: "knowledge" }])).toEqual({ matched: [], missed: [0], excess: [0] });
  });

  it("only if most of their words are", () => {
    expect(scoreMemories([tea], [{ type: "preference", content: "I prefer dark mode over light mode" }]).matched).toEqual([]);
    expect(scoreMemories([rome], [{ type: "identity", content: "I live in Turin with my aunt" }]).matched).toEqual([]);
  });

  it("in scripts without spaces", () => {
    const found = [{ type: "identity", content: "用户住在上海" }];
    expect(scoreMemories([{ type: "identity", content: "我住在上海" }], found).matched).toHaveLength(1);
    expect(
      scoreMemories([{ type: "identity", content: "我住在北京" }], [{ type: "identity", content: "用户喜欢上海" }]).matched,
    ).toEqual([]);
  });
});

describe("pairing", () => {
  it("uses each memory once", () => {
    expect(scoreMemories([tea], [tea, tea])).toEqual({ matched: [{ expected: 0, found: 0 }], missed: [], excess: [1] });
    expect(scoreMemories([tea, tea], [tea])).toEqual({ matched: [{ expected: 0, found: 0 }], missed: [1], excess: [] });
  });

  it("gives each the one most like it, not the first that will do", () => {
    const near = { type: "preference", content: "I prefer tea over coffee on cold mornings" };
    expect(scoreMemories([tea, near], [near, tea]).matched).toEqual(
      expect.arrayContaining([
        { expected: 0, found: 1 },
        { expected: 1, found: 0 },
      ]),
    );
  });

  it("of nothing is nothing", () => {
    expect(scoreMemories([], [])).toEqual({ matched: [], missed: [], excess: [] });
    expect(scoreMemories([], [tea]).excess).toEqual([0]);
  });
});

describe("content words", () => {
  it("leave out what a paraphrase may drop, and an -s at the end", () => {
    expect([...contentWords("The user's dogs love José's Café")]).toEqual(["dog", "love", "jose", "cafe"]);
  });

  it("are all words of a text that has no other", () => {
    expect(contentWords("I am").size).toBe(2);
  });
});
