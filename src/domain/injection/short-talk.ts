import type { Asked } from "./asked.ts";
import type { Arrangeable, Line } from "./line.ts";
import { type LineFeatures, readLineFeatures } from "./line-features.ts";
import { readPlaces } from "./places.ts";
import weights from "./short-talk-weights.json" with { type: "json" };

/** What speaks for a question that needs nothing of what was said. */
export type NoneFeatures = { always: number; self: number; known: number; assistant: number };

export type ShortTalkWeights = { line: LineFeatures; none: NoneFeatures };

/** Fitted by `npm run train:context`. */
export const WEIGHTS: ShortTalkWeights = { ...weights };

/** In deviations of the talk, among which nothing is so much like the question. */
const MOST_LIKENESS = 3;

export function readNoneFeatures(asked: Asked): NoneFeatures {
  return { always: 1, self: Number(asked.self), known: Number(asked.known), assistant: Number(asked.assistant) };
}

/**
 * Sets the score of each line to the probability that it is what the question needs, if it needs any, so that together they are 1, and that of a
 * document's passage on their scale, by how it matches alone. Returns the probability that the question needs any of the lines. A conditional logit over the lines of the talk and "none of them" (McFadden, "Conditional logit analysis of
 * qualitative choice behavior", 1974).
 */
export function scoreShortTalk<I extends Arrangeable>(
  lines: readonly Line<I>[],
  talk: { asked: Asked; all: readonly Line<I>[]; documents?: readonly Line<I>[] },
): number {
  if (lines.length === 0) return 0;
  const weighed = readLineFeatures(lines, talk).map((features) => weigh(WEIGHTS.line, features));
  const highest = Math.max(...weighed);
  const odds = weighed.map((weight) => Math.exp(weight - highest));
  const sum = odds.reduce((total, one) => total + one, 0);
  for (const [i, line] of lines.entries()) line.score = (odds[i] ?? 0) / sum;
  const placeOf = readPlaces(talk.all);
  const isLikenessKnown = talk.all.some(({ item }) => item.likeness !== null);
  for (const line of talk.documents ?? []) {
    const likeness = isLikenessKnown ? Math.min(MOST_LIKENESS, placeOf(line).likeness) : 0;
    const weight = WEIGHTS.line.score * line.item.view.score + WEIGHTS.line.likeness * likeness;
    line.score = Math.exp(weight - highest) / sum;
  }
  // Beside the mean line, so that a question needs as much of a talk of two lines as of one of sixty.
  const none = lines.length * Math.exp(weigh(WEIGHTS.none, readNoneFeatures(talk.asked)) - highest);
  return sum / (sum + none);
}

/** The sum of the features by their weights. */
function weigh<Name extends string>(by: Readonly<Record<Name, number>>, features: Readonly<Record<Name, number>>): number {
  return (Object.keys(by) as Name[]).reduce((sum, name) => sum + by[name] * features[name], 0);
}
