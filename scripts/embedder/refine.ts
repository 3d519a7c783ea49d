import { randomOf, shuffle } from "../random-of.ts";
import type { Rows } from "./teacher.ts";

/** A text as the rows of its tokens' vectors, and the row of its own vector in `targets`. */
export type Sample = { rows: readonly number[]; target: number };

const EPOCHS = 3;
const BATCH = 64;
const RATE = 0.06;
/** The weight of the cosines of a batch's texts with each other beside the cosines with their targets. */
const RELATIONS = 0.2;

/**
 * Moves the vectors of tokens, in place, until the sum of a text's vectors has the direction of the teacher's vector of the text, and two
 * texts the cosine that the teacher gives them: stochastic gradients by AdaGrad (Duchi, Hazan and Singer, 2011). More epochs fit the texts
 * better and other texts worse. The idea is "tokenlearn" (MinishLab).
 */
export function refine(vectors: Rows, samples: readonly Sample[], targets: Rows): void {
  const { dimensions } = vectors;
  const goals = unitRows(targets);
  const squares = new Float32Array(vectors.values.length).fill(1e-4);
  const order = samples.map((_, i) => i);
  const random = randomOf(1);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (let at = 0; at < order.length; at += BATCH) {
      const batch = order.slice(at, at + BATCH).map((i) => samples[i] as Sample);
      const wanted = batch.map(({ target }) => goals.subarray(target * dimensions, (target + 1) * dimensions));
      const sums = batch.map(({ rows }) => sumOf(vectors, rows));
      const units = sums.map((sum) => scaled(sum, 1 / Math.max(1e-6, Math.sqrt(dot(sum, sum)))));
      const slopes = slopesOf(units, wanted);
      const gradients = new Map<number, Float32Array>();
      for (const [i, { rows }] of batch.entries()) {
        const [unit, slope] = [units[i] as Float32Array, slopes[i] as Float32Array];
        const length = Math.max(1e-6, Math.sqrt(dot(sums[i] as Float32Array, sums[i] as Float32Array)));
        // The length of a sum does not matter, so no gradient goes along it.
        const along = dot(slope, unit);
        const gradient = slope.map((value, k) => (value - along * (unit[k] ?? 0)) / length);
        for (const row of rows) gradients.set(row, added(gradients.get(row), gradient));
      }
      for (const [row, gradient] of gradients) step(vectors, squares, row, gradient);
    }
  }
}

/** The derivatives of 1 − cos(text, target) and of the squared errors of the texts' cosines with each other. */
function slopesOf(units: readonly Float32Array[], wanted: readonly Float32Array[]): Float32Array[] {
  return units.map((unit, i) => {
    const slope = scaled(wanted[i] as Float32Array, -1);
    for (const [j, other] of units.entries()) {
      if (i === j) continue;
      const error = dot(unit, other) - dot(wanted[i] as Float32Array, wanted[j] as Float32Array);
      for (let k = 0; k < slope.length; k++) slope[k] = (slope[k] ?? 0) + RELATIONS * error * (other[k] ?? 0);
    }
    return slope;
  });
}

function step({ values, dimensions }: Rows, squares: Float32Array, row: number, gradient: Float32Array): void {
  for (let k = 0; k < dimensions; k++) {
    const [at, slope] = [row * dimensions + k, gradient[k] ?? 0];
    const square = (squares[at] ?? 0) + slope * slope;
    squares[at] = square;
    values[at] = (values[at] ?? 0) - (RATE * slope) / Math.sqrt(square);
  }
}

function unitRows({ values, dimensions }: Rows): Float32Array {
  const units = new Float32Array(values.length);
  for (let at = 0; at < values.length; at += dimensions) {
    const row = values.subarray(at, at + dimensions);
    units.set(scaled(row, 1 / Math.max(1e-6, Math.sqrt(dot(row, row)))), at);
  }
  return units;
}

function sumOf({ values, dimensions }: Rows, rows: readonly number[]): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const row of rows) for (let k = 0; k < dimensions; k++) sum[k] = (sum[k] ?? 0) + (values[row * dimensions + k] ?? 0);
  return sum;
}

function added(sum: Float32Array | undefined, gradient: Float32Array): Float32Array {
  if (sum === undefined) return gradient.slice();
  for (let k = 0; k < sum.length; k++) sum[k] = (sum[k] ?? 0) + (gradient[k] ?? 0);
  return sum;
}

function scaled(vector: Float32Array, factor: number): Float32Array {
  return vector.map((value) => value * factor);
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < one.length; k++) sum += (one[k] ?? 0) * (other[k] ?? 0);
  return sum;
}
