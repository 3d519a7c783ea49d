import type { Arrangeable, Line } from "./line.ts";

/** A line beside its conversation. Likeness to the question is in standard deviations of the talk. */
export type Place<I> = {
  likeness: number;
  /** The mean of its messages. */
  likenessOfConversation: number;
  /** Whether it is the first of several messages. */
  isOpening: boolean;
  before: Line<I> | null;
};

/** Cosines of one talk hardly lie closer together than this. */
const LEAST_DEVIATION = 0.05;

/**
 * Where lines stand; the likeness is 0, as for the mean, where none is known. A memory has its own, and the place of the user's message
 * from which it was learned.
 */
export function readPlaces<I extends Arrangeable>(all: readonly Line<I>[]): (line: Line<I>) => Place<I> {
  const known = all.flatMap(({ item }) => item.likeness ?? []);
  const mean = known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length);
  const variance = known.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, known.length);
  const deviation = Math.max(LEAST_DEVIATION, Math.sqrt(variance));
  const likenessOf = ({ item }: Line<I>) => (item.likeness === null ? 0 : (item.likeness - mean) / deviation);
  const passages = all.filter(({ item }) => item.kind === "episode");
  const places = new Map<Line<I>, Omit<Place<I>, "likeness">>();
  for (const said of Map.groupBy(passages, ({ item }) => item.view.sessionId).values()) {
    said.sort((a, b) => a.at - b.at);
    const isMore = said.length > 1;
    const likenessOfConversation = isMore ? said.reduce((sum, line) => sum + likenessOf(line), 0) / said.length : 0;
    for (const [i, line] of said.entries())
      places.set(line, { likenessOfConversation, isOpening: isMore && i === 0, before: said[i - 1] ?? null });
  }
  const sources = new Map(passages.flatMap((line) => (line.isStatement ? [[line.item.id, line] as const] : [])));
  return (line) => {
    const source = line.item.kind === "memory" && line.item.episodeId !== null ? sources.get(line.item.episodeId) : line;
    const place = source === undefined ? undefined : places.get(source);
    return { likeness: likenessOf(line), ...(place ?? { likenessOfConversation: 0, isOpening: false, before: null }) };
  };
}
