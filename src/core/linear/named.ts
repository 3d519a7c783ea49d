/** Features, or weights, by name. */
export type Named = Record<string, number>;

/** The sum of the weighted features; a feature without a weight counts nothing. */
export function scoreNamed(weights: Readonly<Named>, features: Readonly<Named>): number {
  return Object.entries(features).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0);
}
