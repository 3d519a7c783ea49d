import { describe, expect, it } from "vitest";
import type { WordMeaning, WordMeanings } from "#ports/embedder";
import { chooseNeeded } from "./choose.ts";
import { neededOf } from "./needed-of.ts";
import { besideOthers } from "./signals.ts";

/** Words of one meaning have the same vector. */
const MEANINGS = [
  ["tyre", "wheel"],
  ["mortgag", "hous"],
  ["dog", "pet"],
  ["silver", "metal"],
];
const meanings: WordMeanings = {
  meaningOf: (token): WordMeaning | null => {
    const place = MEANINGS.findIndex((words) => words.includes(token));
    if (place < 0) return null;
    const vector = new Float32Array(MEANINGS.length);
    vector[place] = 1;
    return { vector, weight: 1.5 };
  },
};
const cosines = { unrelated: 0.1, floor: 0.3 };

const needed = (query: string, memories: readonly (readonly [text: string, cosine: number | null, found?: string])[]) =>
  neededOf(
    memories.map(([text, cosine, found]) => ({ text, cosine, found: new Set(found === undefined ? [] : [found]) })),
    { query, cosines, meanings },
  ).map(({ text }) => text);

const OTHERS = [
  ["I sing in a choir", 0.1],
  ["My sister lives in Porto", 0.08],
  ["The boiler was repaired", 0.12],
  ["I drink no coffee", 0.05],
] as const;

describe("the memories that a question needs", () => {
  it("are those that answer it, in the order given", () => {
    expect(needed("Where are my wheels?", [["The tyres are in Viktor's garage", 0.6], ...OTHERS])).toEqual([
      "The tyres are in Viktor's garage",
    ]);
    expect(
      needed("what are my dog and my sister called", [["My sister is Ines", 0.55], ["My dog is Rex", 0.6], ...OTHERS.slice(2)]),
    ).toEqual(["My sister is Ines", "My dog is Rex"]);
  });

  it("are none for a question that has nothing to do with them", () => {
    expect(needed("How long does it take to boil an egg?", OTHERS)).toEqual([]);
    expect(needed("Where are my wheels?", [])).toEqual([]);
  });

  it("are found by their words while they are not embedded yet", () => {
    expect(needed("Which wheels need air?", [["The wheels need air", null], ...OTHERS])).toEqual(["The wheels need air"]);
  });
});

describe("how many are kept", () => {
  it("is none where it is likelier that nothing is needed", () => {
    expect(chooseNeeded({ needed: [0.3, 0.2], nothing: 0.95 })).toEqual([]);
    expect(chooseNeeded({ needed: [0.3, 0.9], nothing: 0.05 })[0]).toBe(1);
  });

  it("grows with what recall is worth, and stops at what is unlikely", () => {
    const needs = { needed: [0.6, 0.3, 0.1, 0.001], nothing: 0.05 };
    expect(chooseNeeded(needs, 0)).toEqual([0]);
    expect(chooseNeeded(needs, 100)).toEqual([0, 1, 2]);
  });

  it("has no limit for what is likely", () => {
    const many = Array.from({ length: 30 }, (_, i) => (i < 25 ? 0.8 : 0.1));
    expect(chooseNeeded({ needed: many, nothing: 0.01 }, 10)).toHaveLength(25);
  });
});

it("sees a number beside those of the others, and unrelated texts where there are few", () => {
  const [best, second] = besideOthers("x", [3, 1]);
  expect(best).toMatchObject({ x: 3, "x: below the best": 0, "x: above the next": 3, "x: rank": 0, "x: lead": 2 });
  expect(second).toMatchObject({ x: 1, "x: below the best": 2, "x: of the best": 3, "x: rank": 1, "x: lead": 0 });
  expect(besideOthers("x", [9, 8, 7, 6, 5, 4])[0]?.["x: above the next"]).toBeCloseTo(9 - (5 + 4) / 10);
});
