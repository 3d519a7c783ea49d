import { mean, SCORE_NAMES, type Scores } from "./metrics.ts";

export type Scored = { conversation: string; category: number; scores: Scores };

export type Row = { name: string; questions: number; scores: Scores };

/** The categories of LoCoMo. The fifth asks for things that were never said, so it is reported beside the total and not in it. */
const CATEGORIES = new Map([
  [1, "multi-hop"],
  [2, "temporal"],
  [3, "open-domain"],
  [4, "single-hop"],
  [5, "adversarial"],
]);
const LAST_OF_TOTAL = 4;

/** One row a category that has questions, then categories 1 to 4 together. */
export function summarise(scored: readonly Scored[]): Row[] {
  const rows = [...CATEGORIES].map(([category, name]) =>
    row(
      `${category} ${name}`,
      scored.filter((s) => s.category === category),
    ),
  );
  return [
    ...rows.filter(({ questions }) => questions > 0),
    row(
      "1-4 together",
      scored.filter(({ category }) => category <= LAST_OF_TOTAL),
    ),
  ];
}

export function formatTable(rows: readonly Row[]): string {
  const head = [
    "category".padEnd(16),
    "questions",
    ...["R@5", "R@10", "R@20", "hit@10", "MRR@10", "NDCG@10"].map((name) => name.padStart(8)),
  ].join(" ");
  const lines = rows.map(({ name, questions, scores }) =>
    [name.padEnd(16), String(questions).padStart(9), ...SCORE_NAMES.map((key) => scores[key].toFixed(4).padStart(8))].join(" "),
  );
  return [head, ...lines].join("\n");
}

/** The value below which the share `p` of the values lies, by nearest rank; 0 of none. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? 0;
}

function row(name: string, scored: readonly Scored[]): Row {
  return { name, questions: scored.length, scores: mean(scored.map(({ scores }) => scores)) };
}
