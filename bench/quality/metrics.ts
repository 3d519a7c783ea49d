/** Scores of one question: its gold is a set of ids, its ranking a list of distinct ids, best first. */
export type Scores = { r5: number; r10: number; r20: number; hit10: number; mrr10: number; ndcg10: number };

export const SCORE_NAMES = ["r5", "r10", "r20", "hit10", "mrr10", "ndcg10"] as const satisfies readonly (keyof Scores)[];

/** Recall is the share of the question's evidence found, not whether any of it was; gain is binary; `gold` must not be empty. */
export function score(gold: ReadonlySet<string>, ranked: readonly string[]): Scores {
  const first = ranked.findIndex((id) => gold.has(id));
  const inTen = first >= 0 && first < 10;
  return {
    r5: recall(gold, ranked, 5),
    r10: recall(gold, ranked, 10),
    r20: recall(gold, ranked, 20),
    hit10: inTen ? 1 : 0,
    mrr10: inTen ? 1 / (first + 1) : 0,
    ndcg10: ndcg(gold, ranked, 10),
  };
}

export function mean(all: readonly Scores[]): Scores {
  const of = (name: keyof Scores) => all.reduce((sum, scores) => sum + scores[name], 0) / Math.max(1, all.length);
  return { r5: of("r5"), r10: of("r10"), r20: of("r20"), hit10: of("hit10"), mrr10: of("mrr10"), ndcg10: of("ndcg10") };
}

function recall(gold: ReadonlySet<string>, ranked: readonly string[], k: number): number {
  return ranked.slice(0, k).filter((id) => gold.has(id)).length / gold.size;
}

/** Järvelin and Kekäläinen (2002), with binary gain; the ideal ranking has min(k, |gold|) hits at its head. */
function ndcg(gold: ReadonlySet<string>, ranked: readonly string[], k: number): number {
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const found = ranked.slice(0, k).reduce((sum, id, rank) => sum + (gold.has(id) ? gain(rank) : 0), 0);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(k, gold.size); rank++) ideal += gain(rank);
  return found / ideal;
}
