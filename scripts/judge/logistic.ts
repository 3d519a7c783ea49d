import type { Features } from "../../src/domain/extraction/judge/features.ts";

export type Example = { features: Features; label: number; weight?: number };

export type Training = { buckets: number; epochs: number; rate: number; decay: number; seed?: number };

/** Logistic regression over hashed features by AdaGrad (Duchi, Hazan and Singer, 2011) with L2 decay. */
export function trainLogistic(examples: readonly Example[], { buckets, epochs, rate, decay, seed = 1 }: Training): Float32Array {
  const weights = new Float32Array(buckets + 1);
  const squares = new Float32Array(buckets + 1).fill(1e-6);
  const order = examples.map((_, i) => i);
  const random = randomOf(seed);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const i of order) {
      const { features, label, weight = 1 } = examples[i] as Example;
      const { hashes, values } = features;
      let z = weights[buckets] as number;
      for (let j = 0; j < hashes.length; j++)
        z += (weights[(hashes[j] as number) & (buckets - 1)] as number) * (values[j] as number);
      const error = (1 / (1 + Math.exp(-z)) - label) * weight;
      for (let j = 0; j < hashes.length; j++) {
        const at = (hashes[j] as number) & (buckets - 1);
        const w = weights[at] as number;
        const slope = error * (values[j] as number) + decay * w;
        squares[at] = (squares[at] as number) + slope * slope;
        weights[at] = w - (rate * slope) / Math.sqrt(squares[at] as number);
      }
      squares[buckets] = (squares[buckets] as number) + error * error;
      weights[buckets] = (weights[buckets] as number) - (rate * error) / Math.sqrt(squares[buckets] as number);
    }
  }
  return weights;
}

export function scoreOf(weights: Float32Array, { hashes, values }: Features): number {
  const buckets = weights.length - 1;
  let z = weights[buckets] as number;
  for (let j = 0; j < hashes.length; j++) z += (weights[(hashes[j] as number) & (buckets - 1)] as number) * (values[j] as number);
  return z;
}

/** A linear congruential generator (Numerical Recipes), from 0 to 1: training gives the same weights each time. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffle(items: number[], random: () => number): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j] as number, items[i] as number];
  }
}
