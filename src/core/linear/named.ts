/** Features by name, each with its value; weights by the same names. */
export type Named = Record<string, number>;

/** The sum of the features' values, each times its weight; a feature without a weight counts for nothing. */
export function scoreNamed(weights: Readonly<Named>, features: Readonly<Named>): number {
  let sum = 0;
  for (const name in features) sum += (weights[name] ?? 0) * (features[name] ?? 0);
  return sum;
}
