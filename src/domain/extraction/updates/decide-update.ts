import { type Named, scoreNamed } from "#core/linear/named";
import { LEAVES_SOME } from "./update-features.ts";
import models from "./update-models.json" with { type: "json" };

/** What a later statement does to an earlier one: replaces all of it, changes a part of it, or neither. */
export type Effect = "replaces" | "part" | "none";

/** Weights by feature for each effect but `none`, whose score is 0; written by `npm run train:updates`. */
export type UpdateModels = Readonly<Record<Exclude<Effect, "none">, Readonly<Named>>>;

/** The probability of each effect (multinomial logistic regression). */
export function decideUpdate(features: Named, { replaces, part }: UpdateModels = models): Record<Effect, number> {
  const odds = { replaces: Math.exp(scoreNamed(replaces, features)), part: Math.exp(scoreNamed(part, features)) };
  const sum = 1 + odds.replaces + odds.part;
  return { replaces: odds.replaces / sum, part: odds.part / sum, none: 1 / sum };
}

/** The probability that all of the earlier statement is replaced; 0 where a part of it holds for sure. */
export function oddsReplaced(features: Named, weights: UpdateModels = models): number {
  return LEAVES_SOME in features ? 0 : decideUpdate(features, weights).replaces;
}
