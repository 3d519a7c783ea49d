import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Channel, fuse, ownScale, withBestOf } from "./fuse.ts";

const ranked = (...ids: number[]) => ids.map((id, i) => ({ id, score: 100 - i }));
const scale = { nothing: 0, everything: 200 };
const ids = (channels: Channel[]) => fuse(channels).map(({ id }) => id);

describe("fuse", () => {
  it("sums weight × score on the channel's scale, and keeps each channel's rank and score", () => {
    const [first] = fuse([
      { name: "text", weight: 1, ranked: ranked(7, 8), scale },
      { name: "vectors", weight: 0.5, ranked: ranked(9, 7), scale: { nothing: 89, everything: 109 } },
    ]);
    expect(first).toEqual({
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
