import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Channel,
  diversify,
  fuse,
  fuseWordsAndVectors,
  type Nature,
  ownScale,
  withBestOf,
  withinBudget,
} from "./ranking.ts";

const ranked = (...ids: number[]) => ids.map((id, i) => ({ kind: "episode", id, score: 100 - i }));
const scale = { nothing: 0, everything: 200 };
const ids = (channels: Channel[]) => fuse(channels).map(({ id }) => id);
const entry = (id: number, text: string) => ({ id, text });
const sizes = (...tokens: number[]) => tokens.map((n) => ({ tokens: n }));

describe("fuse", () => {
  it("sums weight × score on the channel's scale, and keeps each channel's rank and score", () => {
    const [first] = fuse([
      { name: "text", weight: 1, ranked: ranked(7, 8), scale },
      { name: "vectors", weight: 0.5, ranked: ranked(9, 7), scale: { nothing: 89, everything: 109 } },
    ]);
    expect(first).toEqual({
      kind: "episode",
      id: 7,
      score: 0.5 + 0.5 * 0.5,
      channels: { text: { rank: 1, score: 100 }, vectors: { rank: 2, score: 99 } },
    });
  });

  it("gives nothing below a scale, and everything where the scale has no span", () => {
    const low = { name: "low", weight: 1, ranked: ranked(1), scale: { nothing: 150, everything: 200 } };
    const flat = { name: "flat", weight: 1, ranked: ranked(2), scale: ownScale(ranked(2)) };
    expect(fuse([low, flat]).map(({ id, score }) => [id, score])).toEqual([
      [2, 1],
      [1, 0],
    ]);
  });

  it("lets a channel without weight propose but not outrank", () => {
    expect(
      ids([
        { name: "text", weight: 1, ranked: ranked(1, 2), scale },
        { name: "lexical", weight: 0, ranked: ranked(3, 2), scale },
      ]),
    ).toEqual([1, 2, 3]);
  });

  it("breaks ties by the best rank, then by the newer id", () => {
    expect(
      ids([
        { name: "a", weight: 1, ranked: ranked(1), scale },
        { name: "b", weight: 1, ranked: ranked(2), scale },
      ]),
    ).toEqual([2, 1]);
    expect(ids([{ name: "a", weight: 0, ranked: ranked(5, 9), scale }])).toEqual([5, 9]);
  });

  it("counts an id once a channel, at its best rank", () => {
    const channels = fuse([{ name: "a", weight: 1, ranked: ranked(1, 1, 2), scale }]).map((entry) => entry.channels.a?.rank);
    expect(channels).toEqual([1, 2]);
  });

  it("gives the same order whatever the order of the channels, and one channel its own order", () => {
    const channel = (name: string) =>
      fc.record({
        name: fc.constant(name),
        weight: fc.constantFrom(0.5, 1),
        ranked: fc.uniqueArray(fc.integer({ min: 1, max: 30 })).map((all) => ranked(...all)),
        scale: fc.constant(scale),
      });
    fc.assert(
      fc.property(channel("a"), channel("b"), (a, b) => {
        expect(ids([a, b])).toEqual(ids([b, a]));
        expect(ids([a])).toEqual(a.ranked.map(({ id }) => id));
      }),
    );
  });
});

describe("withBestOf", () => {
  const fused = fuse([
    { name: "text", weight: 1, ranked: ranked(1, 2, 3, 4), scale },
    { name: "semantic", weight: 0.1, ranked: ranked(9, 2), scale },
  ]);

  it("lifts the first of the channel to the place", () => {
    expect(fused.map(({ id }) => id).indexOf(9)).toBe(4);
    expect(withBestOf(fused, "semantic", 2).map(({ id }) => id)).toEqual([2, 1, 9, 3, 4]);
  });

  it("leaves it where it is higher, and all where the channel found nothing", () => {
    expect(withBestOf(fused, "text", 3)).toEqual(fused);
    expect(withBestOf(fused, "recent", 0)).toEqual(fused);
  });
});

describe("fuseWordsAndVectors", () => {
  const words = Array.from({ length: 10 }, (_, i) => ({ kind: "memory", id: i + 1, score: 3 - i / 10 }));
  const vectors = { ranked: [{ kind: "memory", id: 99, score: 0.5 }], scale: { nothing: 0, everything: 0.5 } };
  const placeOf99 = (nature: Nature, ideal: number) =>
    fuseWordsAndVectors({ words: { ranked: words, ideal }, vectors, nature, limit: 20 }).findIndex(({ id }) => id === 99);

  it.each([
    ["semantic", 4, 7],
    ["semantic", 10, 7],
    ["static", 4, 10],
    ["static", 10, 7],
    ["lexical", 4, 10],
    ["lexical", 10, 10],
  ] as const)("%s vectors, words at their best 3 of %d: their best hit stands at %d", (nature, ideal, place) => {
    expect(placeOf99(nature, ideal)).toBe(place);
  });
});

describe("diversify", () => {
  it("collapses repetitions into the better ranked, which counts them", () => {
    const kept = diversify(
      [
        entry(3, "We adopted two dogs from the shelter"),
        entry(1, "we adopted two dogs, from the Shelter!"),
        entry(2, "It rains"),
      ],
      10,
    );
    expect(kept.map(({ id, similar }) => [id, similar])).toEqual([
      [3, 1],
      [2, 0],
    ]);
  });

  it.each([
    [
      "a number",
      "Receipt 771 for the awning is still missing from the folder",
      "Receipt 772 for the awning is still missing from the folder",
    ],
    ["an amount", "The awning costs 1.5 thousand", "The awning costs 15 thousand"],
    ["a sign", "It was 4 degrees in the cellar last night", "It was -4 degrees in the cellar last night"],
    ["a name", "Dinner with Wanda at the harbour on the last evening", "Dinner with Wendel at the harbour on the last evening"],
    ["a day", "The choir meets in the small hall on Monday", "The choir meets in the small hall on Tuesday"],
    ["a negation", "She is coming to the party after all", "She is not coming to the party after all"],
    ["a pronoun", "My landlord has sold the house", "Her landlord has sold the house"],
    ["a tense", "I live above the bakery", "I lived above the bakery"],
    ["who does what", "Rosa owes Milo for the tickets", "Milo owes Rosa for the tickets"],
    ["a question", "You have the keys?", "You have the keys."],
    ["in German", "Das Paket ist da", "Das Paket ist nicht da"],
    ["in Chinese", "我不喜欢茶", "我喜欢茶"],
  ])("keeps two statements that differ in %s", (_, one, other) => {
    expect(diversify([entry(1, one), entry(2, other)], 10)).toHaveLength(2);
  });

  it("keeps the same words of two people", () => {
    const said = [entry(1, "I am allergic to nuts"), entry(2, "I am allergic to nuts")];
    expect(diversify(said, 10, ({ id }) => (id === 1 ? "Rosa" : "Milo"))).toHaveLength(2);
    expect(diversify(said, 10, () => "Rosa")).toHaveLength(1);
  });

  it("keeps entries that say nothing apart", () => {
    expect(diversify([entry(1, "…"), entry(2, "!")], 10)).toHaveLength(2);
  });

  it("stops at the limit", () => {
    expect(diversify([entry(1, "dog"), entry(2, "cat"), entry(3, "cow")], 2).map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe("withinBudget", () => {
  it("takes what fits in rank order, passing over what does not", () => {
    expect(withinBudget(sizes(5, 9, 3, 2, 1), 10)).toEqual(sizes(5, 3, 2));
  });

  it("takes the first whatever its size", () => {
    expect(withinBudget(sizes(50, 1), 10)).toEqual(sizes(50));
    expect(withinBudget([], 10)).toEqual([]);
  });

  it("never goes over, but for a single entry", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 1, max: 100 }), (all, max) => {
        const taken = withinBudget(sizes(...all), max);
        expect(taken.length === 1 || taken.reduce((sum, { tokens }) => sum + tokens, 0) <= max).toBe(true);
      }),
    );
  });
});
