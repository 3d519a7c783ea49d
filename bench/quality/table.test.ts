import { describe, expect, it } from "vitest";
import { score } from "./metrics.ts";
import { formatTable, percentile, summarise } from "./table.ts";

const [hit, miss] = [score(new Set(["a"]), ["a"]), score(new Set(["a"]), [])];

describe("summarise", () => {
  it("has a row for each category asked, and the first four together", () => {
    const rows = summarise([
      { conversation: "c", category: 4, scores: hit },
      { conversation: "c", category: 1, scores: miss },
      { conversation: "c", category: 5, scores: hit },
    ]);
    expect(rows.map(({ name, questions, scores }) => [name, questions, scores.r10])).toEqual([
      ["1 multi-hop", 1, 0],
      ["4 single-hop", 1, 1],
      ["5 adversarial", 1, 1],
      ["1-4 together", 2, 0.5],
    ]);
    expect(formatTable(rows).split("\n")[0]?.split(/ +/)).toEqual([
      "category",
      "questions",
      "R@5",
      "R@10",
      "R@20",
      "hit@10",
      "MRR@10",
      "NDCG@10",
    ]);
    expect(formatTable(rows).split("\n").at(-1)).toMatch(/^1-4 together +2 +0\.5000/);
  });
});

describe("percentile", () => {
  it("is a value that was measured", () => {
    expect(percentile([30, 10, 20, 40], 0.5)).toBe(20);
    expect(percentile([30, 10, 20, 40], 0.95)).toBe(40);
    expect(percentile([], 0.5)).toBe(0);
  });
});
