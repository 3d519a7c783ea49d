import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Channel, fuse } from "./fuse.ts";

const ranked = (...ids: number[]) => ids.map((id, i) => ({ id, score: 100 - i }));
const ids = (channels: Channel[]) => fuse(channels).map(({ id }) => id);

describe("fuse", () => {
  it("sums weight ÷ (60 + rank) and keeps each channel's rank and score", () => {
    const [first] = fuse([
      { name: "text", weight: 1, ranked: ranked(7, 8) },
      { name: "vectors", weight: 0.5, ranked: ranked(9, 7) },
    ]);
    expect(first).toEqual({
      id: 7,
      score: 1 / 61 + 0.5 / 62,
      channels: { text: { rank: 1, score: 100 }, vectors: { rank: 2, score: 99 } },
    });
  });

  it("lets a channel without weight propose but not outrank", () => {
    expect(
      ids([
        { name: "text", weight: 1, ranked: ranked(1, 2) },
        { name: "lexical", weight: 0, ranked: ranked(3, 2) },
      ]),
    ).toEqual([1, 2, 3]);
  });

  it("breaks ties by the best rank, then by the newer id", () => {
    expect(
      ids([
        { name: "a", weight: 1, ranked: ranked(1) },
        { name: "b", weight: 1, ranked: ranked(2) },
      ]),
    ).toEqual([2, 1]);
    expect(ids([{ name: "a", weight: 0, ranked: ranked(5, 9) }])).toEqual([5, 9]);
  });

  it("counts an id once a channel, at its best rank", () => {
    expect(fuse([{ name: "a", weight: 1, ranked: ranked(1, 1, 2) }]).map(({ channels }) => channels.a?.rank)).toEqual([1, 2]);
  });

  it("gives the same order whatever the order of the channels, and one channel its own order", () => {
    const channel = (name: string) =>
      fc.record({
        name: fc.constant(name),
        weight: fc.constantFrom(0.5, 1),
        ranked: fc.uniqueArray(fc.integer({ min: 1, max: 30 })).map((all) => ranked(...all)),
      });
    fc.assert(
      fc.property(channel("a"), channel("b"), (a, b) => {
        expect(ids([a, b])).toEqual(ids([b, a]));
        expect(ids([a])).toEqual(a.ranked.map(({ id }) => id));
      }),
    );
  });
});
