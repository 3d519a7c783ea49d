import type { Features } from "./features.ts";

/** A linear model over hashed features: one signed byte a weight, in units of `scale`. */
export type LinearModel = { weights: Int8Array; scale: number; bias: number };

/** The model as it is stored: the weights in base64. The number of weights is a power of two. */
export type PackedModel = { weights: string; scale: number; bias: number };

export function unpack({ weights, scale, bias }: PackedModel): LinearModel {
  return { weights: Int8Array.from(atob(weights), (unit) => unit.charCodeAt(0)), scale, bias };
}

/** The log odds that the model gives to the features. */
export function scoreOf({ weights, scale, bias }: LinearModel, { hashes, values }: Features): number {
  const mask = weights.length - 1;
  let sum = 0;
  for (let i = 0; i < hashes.length; i++) sum += (weights[(hashes[i] ?? 0) & mask] ?? 0) * (values[i] ?? 0);
  return sum * scale + bias;
}

/** The name of the model with the highest score. */
export function bestOf<Name extends string>(models: Readonly<Record<Name, LinearModel>>, features: Features): Name {
  let best: { name: Name; score: number } | null = null;
  for (const name of Object.keys(models) as Name[]) {
    const score = scoreOf(models[name], features);
    if (best === null || score > best.score) best = { name, score };
  }
  if (best === null) throw new RangeError("There is no model to choose from.");
  return best.name;
}
