import { describe, expect, it } from "vitest";
import { marginals, readTags, TAGS } from "./tags.ts";

const TRANSITIONS = Float32Array.of(0.3, 0.1, 0, -0.2, 0.4, 0.5, 0.2, -0.1, 0.6);
const SCORES = Float32Array.of(0.5, 0.1, 0.3, 0.2, 0.9, 0.4, -0.3, 0.2, 0.8);

/** All readings of three words, each with its score: later words follow no word outside. */
function readings(): { tags: number[]; score: number }[] {
  const all = [0, 1, 2].flatMap((a) => [0, 1, 2].flatMap((b) => [0, 1, 2].map((c) => [a, b, c])));
  return all
    .filter((tags) => tags.every((tag, i) => tag !== 2 || (tags[i - 1] ?? 0) !== 0))
    .map((tags) => ({
      tags,
      score: tags.reduce(
        (sum, tag, i) =>
          sum + (SCORES[i * TAGS + tag] ?? 0) + (i === 0 ? 0 : (TRANSITIONS[(tags[i - 1] ?? 0) * TAGS + tag] ?? 0)),
        0,
      ),
    }));
}

const total = (of: readonly { score: number }[]) => of.reduce((sum, { score }) => sum + Math.exp(score), 0);

describe("tags of words", () => {
  it("have the probabilities of all readings together", () => {
    const { tags } = marginals({ scores: SCORES, transitions: TRANSITIONS });
    for (let i = 0; i < 3; i++)
      for (let tag = 0; tag < TAGS; tag++) {
        const share = total(readings().filter((one) => one.tags[i] === tag)) / total(readings());
        expect(tags[i * TAGS + tag]).toBeCloseTo(share, 5);
      }
  });

  it("are read with a span, with its probability among the readings that have one", () => {
    const withSpan = readings().filter(({ tags }) => tags.some((tag) => tag !== 0));
    const best = withSpan.reduce((one, other) => (other.score > one.score ? other : one));
    const { spans, odds } = readTags({ scores: SCORES, transitions: TRANSITIONS });
    expect(best.tags).toEqual([0, 1, 2]);
    expect(spans.map(({ from, to }) => [from, to])).toEqual([[1, 3]]);
    expect(odds).toBeCloseTo(Math.exp(best.score) / total(withSpan), 3);
  });

  it("of no words are none", () => {
    expect(readTags({ scores: new Float32Array(), transitions: TRANSITIONS })).toEqual({ spans: [], odds: 1 });
  });
});
