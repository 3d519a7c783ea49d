import type { Cosines } from "#core/rank/cut";
import type { WordMeanings } from "#ports/embedder";
import { readNeed } from "./asked.ts";
import { chooseNeeded, needsOf } from "./choose.ts";
import { type NeedCandidate, needFeatures } from "./features.ts";
import weights from "./weights.json" with { type: "json" };

type Asking = { query: string; cosines: Cosines; meanings: WordMeanings };

/**
 * The candidates, given best first, that the question needs, in the same order; none where it is likelier that it needs none. How likely
 * each is comes from logistic regressions over named features, which `npm run train:cut` fits on questions by outside authors.
 */
export function neededOf<T extends NeedCandidate>(candidates: readonly T[], { query, cosines, meanings }: Asking): T[] {
  if (candidates.length === 0) return [];
  const asked = readNeed(query, meanings);
  const features = needFeatures(asked, candidates, { cosines, meanings });
  const kept = new Set(chooseNeeded(needsOf(asked, features, weights)));
  return candidates.filter((_, i) => kept.has(i));
}
