import { type Named, scoreNamed } from "#core/linear/named";
import type { AskedNeed } from "./asked.ts";

/** Weights by the names of features; `npm run train:cut` writes them. */
export type NeedWeights = {
  /** That a memory is needed, of itself. */
  needed: Readonly<Named>;
  /** The same, beside how likely the others are. */
  beside: Readonly<Named>;
  /** That no memory is needed. */
  nothing: Readonly<Named>;
};

/** How much a share of recall is worth beside the same share of precision; measured on authors left out (docs/search.md). */
const WORTH_OF_RECALL = 1.6;
/** What is less likely is noise, however uncertain the others are; behind so many others it has to be likely by itself. */
const LEAST = 0.02;
const MANY = 10;
const LEAST_OF_MANY = 0.25;
/** Log odds within which memories are about as likely as the best one, and how many of them are several. */
const NEAR = 1;
const SEVERAL = 3;
const NEXT = { from: 4, to: 14 };
const QUESTION = ["self", "unmatched", "answerable", "words", "few words"];
const OF_NOTHING = [
  ...QUESTION,
  ...["asks: order", "asks: text", "asks: third", "asks: kin", "likeness: of the best", "meaning: of the best"],
];

/** How likely each candidate is needed, and that none is. */
export type Needs = { needed: number[]; nothing: number };

export function needsOf(asked: AskedNeed, features: readonly Named[], weights: NeedWeights): Needs {
  const alone = features.map((each) => scoreNamed(weights.needed, each));
  const needed = besideFeatures(asked, features, alone).map((each) => probability(scoreNamed(weights.beside, each)));
  return { needed, nothing: probability(scoreNamed(weights.nothing, nothingFeatures(asked, features, needed))) };
}

function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** The features of each candidate once it is known how likely all of them are: whether a further one is needed depends on how it is asked. */
export function besideFeatures(asked: AskedNeed, features: readonly Named[], alone: readonly number[]): Named[] {
  const sorted = alone.toSorted((a, b) => b - a);
  const best = sorted[0] ?? 0;
  const next = sorted.slice(NEXT.from, NEXT.to);
  const nextMean = next.length === 0 ? best : next.reduce((sum, each) => sum + each, 0) / next.length;
  const total = Math.log(alone.reduce((sum, each) => sum + probability(each), 1e-9));
  const words = Object.keys(asked.form).filter((name) => name.startsWith("word "));
  return features.map((each, i) => {
    const score = alone[i] ?? 0;
    const rank = sorted.indexOf(score);
    const isFirst = rank === 0 ? 1 : 0;
    const beside: Named = {
      bias: 1,
      score,
      best,
      total,
      "below the best": best - score,
      "above the next": score - nextMean,
      "below the one before": isFirst === 1 ? 0 : (sorted[rank - 1] ?? score) - score,
      lead: isFirst * (best - (sorted[1] ?? best)),
      first: isFirst,
      rank: Math.log2(1 + rank),
      "near the best": sorted.filter((other) => other > best - NEAR).length >= SEVERAL ? 1 : 0,
      "best for words": each["best for words"] ?? 0,
      "further, best for words": (1 - isFirst) * (each["best for words"] ?? 0),
      ...only(each, QUESTION),
    };
    if (isFirst === 0) for (const word of words) beside[`further, ${word}`] = 1;
    return beside;
  });
}

/** The features of the question that no memory may answer. */
export function nothingFeatures({ form }: AskedNeed, features: readonly Named[], needed: readonly number[]): Named {
  const [best = 1e-9, second = 1e-9] = needed.toSorted((a, b) => b - a);
  const logOdds = (share: number) => Math.log(share / (1 - share));
  return {
    bias: 1,
    best: logOdds(best),
    second: logOdds(second),
    total: Math.log(needed.reduce((sum, each) => sum + each, 1e-9)),
    none: needed.reduce((sum, each) => sum + Math.log(1 - each), 0),
    ...only(features[0] ?? {}, OF_NOTHING),
    ...form,
  };
}

function only(features: Named, names: readonly string[]): Named {
  return Object.fromEntries(names.map((name) => [name, features[name] ?? 0]));
}

/**
 * The places of the candidates to keep, the likeliest first: so many that the expected precision, and `worth` times the expected recall,
 * are highest together; none if it is likelier that nothing is needed.
 */
export function chooseNeeded({ needed, nothing }: Needs, worth: number = WORTH_OF_RECALL): number[] {
  const order = needed.map((_, i) => i).sort((a, b) => (needed[b] ?? 0) - (needed[a] ?? 0));
  const expected = Math.max(1, needed.reduce((sum, each) => sum + each, 0) / Math.max(1e-9, 1 - nothing));
  let [kept, highest, sum] = [0, nothing, 0];
  for (const [i, place] of order.entries()) {
    const each = needed[place] ?? 0;
    if (each < (i < MANY ? LEAST : LEAST_OF_MANY)) break;
    sum += each;
    const value = sum / (i + 1) + (worth * sum) / expected;
    if (value > highest) [kept, highest] = [i + 1, value];
  }
  return order.slice(0, kept);
}
