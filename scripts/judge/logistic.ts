import type { Features } from "#core/learned/features";

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
      update(weights, squares, features, { error: (1 / (1 + Math.exp(-z)) - label) * weight, rate, decay });
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

export type Labelled = { features: Features; label: number };

/** Multinomial logistic regression, one table a class. A class counts as much as any other, as far as `balance` (0 to 1) says. */
export function trainSoftmax(
  examples: readonly Labelled[],
  classes: number,
  { buckets, epochs, rate, decay, seed = 1, balance }: Training & { balance: number },
): Float32Array[] {
  const weights = Array.from({ length: classes }, () => new Float32Array(buckets + 1));
  const squares = weights.map(() => new Float32Array(buckets + 1).fill(1e-6));
  const counts = weights.map((_, label) => examples.filter((example) => example.label === label).length);
  const order = examples.map((_, i) => i);
  const random = randomOf(seed);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const i of order) {
      const { features, label } = examples[i] as Labelled;
      const scores = weights.map((table) => scoreOf(table, features));
      const most = Math.max(...scores);
      const odds = scores.map((score) => Math.exp(score - most));
      const sum = odds.reduce((total, each) => total + each, 0);
      const weight = (examples.length / classes / Math.max(1, counts[label] ?? 1)) ** balance;
      for (let k = 0; k < classes; k++) {
        const error = ((odds[k] as number) / sum - (k === label ? 1 : 0)) * weight;
        update(weights[k] as Float32Array, squares[k] as Float32Array, features, { error, rate, decay });
      }
    }
  }
  return weights;
}

type Step = { error: number; rate: number; decay: number };

function update(weights: Float32Array, squares: Float32Array, { hashes, values }: Features, { error, rate, decay }: Step): void {
  const buckets = weights.length - 1;
  const move = (at: number, slope: number) => {
    squares[at] = (squares[at] as number) + slope * slope;
    weights[at] = (weights[at] as number) - (rate * slope) / Math.sqrt(squares[at] as number);
  };
  for (let j = 0; j < hashes.length; j++) {
    const at = (hashes[j] as number) & (buckets - 1);
    move(at, error * (values[j] as number) + decay * (weights[at] as number));
  }
  move(buckets, error);
}
