import { describe, expect, it } from "vitest";
import { mean, score } from "./metrics.ts";

const others = (n: number) => Array.from({ length: n }, (_, i) => `x${i}`);

describe("score", () => {
  it("is one everywhere for a perfect ranking", () => {
    expect(score(new Set(["a", "b"]), ["b", "a", ...others(30)])).toEqual({
      r5: 1,
      r10: 1,
      r20: 1,
      hit10: 1,
      mrr10: 1,
      ndcg10: 1,
    });
  });

  it("is nothing when nothing is found", () => {
    expect(score(new Set(["a"]), others(30))).toEqual({ r5: 0, r10: 0, r20: 0, hit10: 0, mrr10: 0, ndcg10: 0 });
  });

  it("counts recall by evidence, at each depth", () => {
    const ranked = ["a", ...others(5), "b", ...others(9).map((id) => `${id}y`), "c", ...others(9).map((id) => `${id}z`), "d"];
    expect(score(new Set(["a", "b", "c", "d"]), ranked)).toMatchObject({ r5: 0.25, r10: 0.5, r20: 0.75, hit10: 1, mrr10: 1 });
  });

  it("takes the first hit for the reciprocal rank, within ten", () => {
    expect(score(new Set(["a", "b"]), ["x", "x2", "a", "b"]).mrr10).toBeCloseTo(1 / 3);
    expect(score(new Set(["a"]), [...others(10), "a"])).toMatchObject({ mrr10: 0, hit10: 0, r20: 1 });
  });

  it("discounts gain by the logarithm of the rank, against the best ranking there could be", () => {
    expect(score(new Set(["a", "b"]), ["x", "a"]).ndcg10).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)));
    const many = new Set(Array.from({ length: 12 }, (_, i) => `g${i}`));
    expect(score(many, [...many]).ndcg10).toBeCloseTo(1);
  });
});

describe("mean", () => {
  it("averages each score, and is nothing for nothing", () => {
    const [one, none] = [score(new Set(["a"]), ["a"]), score(new Set(["a"]), [])];
    expect(mean([one, none])).toEqual({ r5: 0.5, r10: 0.5, r20: 0.5, hit10: 0.5, mrr10: 0.5, ndcg10: 0.5 });
    expect(mean([]).r10).toBe(0);
  });
});
