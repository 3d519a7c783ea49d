import { describe, expect, it } from "vitest";
import { queryTerms } from "#core/text/query";
import { boostNamed, isNamed, rankByWords } from "./rank-entities.ts";

describe("rankByWords", () => {
  const terms = ["berlin", "database"].map((term) => ({ term, weight: 1 }));

  it("puts first what holds the rarer word, and above all what holds both", () => {
    const { ranked, ideal } = rankByWords(terms, [[4], [1, 2, 3, 5]], 10);
    expect(ranked.map(({ id }) => id)).toEqual([4, 5, 3, 2, 1]);
    const { ranked: both } = rankByWords(
      terms,
      [
        [4, 1],
        [1, 2, 3, 5],
      ],
      10,
    );
    expect(both[0]?.id).toBe(1);
    expect(ideal).toBeGreaterThan(ranked[0]?.score ?? 0);
  });

  it("keeps no more than it is asked for", () => {
    expect(rankByWords(terms, [[], [1, 2, 3]], 2).ranked).toHaveLength(2);
    expect(rankByWords([], [], 2)).toEqual({ ranked: [], ideal: 0 });
  });
});

describe("what a question names", () => {
  it.each([
    ["What do we know of the Apollo project?", "Apollo", true],
    ["is Apollo Moon late?", "Apollo Moon", true],
    ["is Apollo late?", "Apollo Moon", false],
    ["北京大学在哪里", "北京大学", true],
    ["who is the", "The Who", false],
  ])("%s %s", (question, name, named) => {
    expect(isNamed(queryTerms(question), name)).toBe(named);
  });

  it("is lifted over what only shares words", () => {
    const names = new Map([
      [1, "Apollo"],
      [2, "Zeus"],
    ]);
    const ranked = [
      { kind: "entity" as const, id: 2, score: 1.2 },
      { kind: "entity" as const, id: 1, score: 1 },
    ];
    expect(
      boostNamed(queryTerms("status of Apollo"), { ranked, ideal: 2 }, (id) => names.get(id) ?? "").map(({ id }) => id),
    ).toEqual([1, 2]);
  });
});
