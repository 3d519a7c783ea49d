import type { VectorItem, VectorMatch } from "#ports/vector-index";

/** Best first; equal scores by id, so that the same question has the same answer. */
export function bestOf(lists: readonly (readonly VectorMatch[])[], topK: number): VectorMatch[] {
  return lists
    .flat()
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, topK);
}

/** The last item of each id, so that the order in which batches arrive does not matter. */
export function lastOfEach(items: readonly VectorItem[]): VectorItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
