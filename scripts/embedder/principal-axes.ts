import { randomOf } from "../random-of.ts";
import type { Rows } from "./teacher.ts";

const ITERATIONS = 60;

/**
 * The directions in which the rows lie furthest from the origin, `count` of them, side by side: the first eigenvectors of their second
 * moments, by orthogonal iteration (Golub and Van Loan, Matrix Computations, 8.2.4). `weight` is that of each set of rows as a whole.
 */
export function principalAxes(sets: readonly { rows: Rows; weight: number }[], count: number): Float64Array {
  const size = sets[0]?.rows.dimensions ?? 0;
  const moments = new Float64Array(size * size);
  for (const { rows, weight } of sets) addMoments(moments, rows, weight);
  const random = randomOf(1);
  let axes = orthonormal(
    Float64Array.from({ length: size * count }, () => random() - 0.5),
    size,
  );
  for (let i = 0; i < ITERATIONS; i++) axes = orthonormal(product(moments, axes, size), size);
  return axes;
}

function addMoments(moments: Float64Array, { dimensions, values }: Rows, weight: number): void {
  const share = (weight * dimensions) / values.length;
  for (let at = 0; at < values.length; at += dimensions) {
    for (let i = 0; i < dimensions; i++) {
      const value = (values[at + i] ?? 0) * share;
      for (let j = 0; j < dimensions; j++)
        moments[i * dimensions + j] = (moments[i * dimensions + j] ?? 0) + value * (values[at + j] ?? 0);
    }
  }
}

function product(matrix: Float64Array, vectors: Float64Array, size: number): Float64Array {
  const result = new Float64Array(vectors.length);
  for (let from = 0; from < vectors.length; from += size)
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += (matrix[i * size + j] ?? 0) * (vectors[from + j] ?? 0);
      result[from + i] = sum;
    }
  return result;
}

/** Gram and Schmidt, in their order. */
function orthonormal(vectors: Float64Array, size: number): Float64Array {
  for (let from = 0; from < vectors.length; from += size) {
    for (let other = 0; other < from; other += size) {
      const shared = dot(vectors, from, other, size);
      for (let i = 0; i < size; i++) vectors[from + i] = (vectors[from + i] ?? 0) - shared * (vectors[other + i] ?? 0);
    }
    const length = Math.sqrt(dot(vectors, from, from, size));
    for (let i = 0; i < size; i++) vectors[from + i] = (vectors[from + i] ?? 0) / length;
  }
  return vectors;
}

function dot(vectors: Float64Array, one: number, other: number, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += (vectors[one + i] ?? 0) * (vectors[other + i] ?? 0);
  return sum;
}

/** The rows in the coordinates of the axes. */
export function projected({ values, dimensions }: Rows, axes: Float64Array): Rows {
  const count = axes.length / dimensions;
  const result = new Float32Array((values.length / dimensions) * count);
  for (let row = 0; row < values.length / dimensions; row++)
    for (let axis = 0; axis < count; axis++) {
      let sum = 0;
      for (let i = 0; i < dimensions; i++) sum += (values[row * dimensions + i] ?? 0) * (axes[axis * dimensions + i] ?? 0);
      result[row * count + axis] = sum;
    }
  return { dimensions: count, values: result };
}
