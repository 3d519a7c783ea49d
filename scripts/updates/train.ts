import type { Named } from "#core/linear/named";
import { decideUpdate, type Effect, oddsReplaced, type UpdateModels } from "../../src/domain/extraction/updates/decide-update.ts";
import { readCompared, updateFeatures } from "../../src/domain/extraction/updates/update-features.ts";
import type { PairLine } from "./pairs.ts";

const OPTIONS = { epochs: 80, rate: 0.05, decay: 0.03, least: 3 };
const TRAINED = ["part", "replaces"] as const;

/** The features of a pair; null for one that is never replaced. */
export function featuresOf({ old, new: later }: PairLine): Named | null {
  return updateFeatures(readCompared(later), readCompared(old));
}

/**
 * Weights of the effects: multinomial logistic regression over named features by AdaGrad (Duchi, Hazan and Singer, 2011) with L2 decay, in
 * the order of the lines. Features of fewer than `least` lines have no weight.
 */
export function trainUpdates(lines: readonly PairLine[], { epochs, rate, decay, least } = OPTIONS): UpdateModels {
  const read = lines.flatMap((line) => {
    const features = featuresOf(line);
    return features === null ? [] : [{ features, effect: line.effect }];
  });
  const counts = new Map<string, number>();
  for (const { features } of read) for (const name of Object.keys(features)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const known = read.map(({ features, effect }) => ({
    effect,
    features: Object.fromEntries(Object.entries(features).filter(([name]) => (counts.get(name) ?? 0) >= least)),
  }));
  const weights: Record<(typeof TRAINED)[number], Named> = { part: {}, replaces: {} };
  const squares: typeof weights = { part: {}, replaces: {} };
  for (let epoch = 0; epoch < epochs; epoch++)
    for (const { features, effect } of known) {
      const found = decideUpdate(features, weights);
      for (const name of TRAINED) {
        const [own, seen] = [weights[name], squares[name]];
        const error = found[name] - (effect === name ? 1 : 0);
        for (const [feature, value] of Object.entries(features)) {
          const slope = error * value + decay * (own[feature] ?? 0);
          seen[feature] = (seen[feature] ?? 0.01) + slope * slope;
          own[feature] = (own[feature] ?? 0) - (rate * slope) / Math.sqrt(seen[feature]);
        }
      }
    }
  return { part: rounded(weights.part), replaces: rounded(weights.replaces) };
}

function rounded(weights: Named): Named {
  const kept = Object.entries(weights).map(([name, weight]) => [name, Number(weight.toFixed(2))] as const);
  return Object.fromEntries(kept.filter(([, weight]) => weight !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A line, its author, and what models say of it that were trained on the others. */
export type UnseenPair = { author: string; line: PairLine; replaces: number; found: Effect };

/** Each outside author's lines by models that never saw them. The maintainers' own lines are trained on, and measured nowhere. */
export function readUnseenPairs(authors: ReadonlyMap<string, readonly PairLine[]>): UnseenPair[] {
  return [...authors.keys()]
    .filter((name) => name !== "own")
    .flatMap((author) => {
      const models = trainUpdates([...authors].flatMap(([name, lines]) => (name === author ? [] : lines)));
      return (authors.get(author) ?? []).map((line): UnseenPair => {
        const features = featuresOf(line);
        if (features === null) return { author, line, replaces: 0, found: "none" };
        const odds = decideUpdate(features, models);
        const found = (["replaces", "part", "none"] as const).reduce((best, name) => (odds[name] > odds[best] ? name : best));
        return { author, line, replaces: oddsReplaced(features, models), found };
      });
    });
}
