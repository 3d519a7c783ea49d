import type { Named } from "#core/linear/named";

export type Example = { features: Named; label: number };

export type Options = {
  /** L2 decay of the weights of standardized features, except the bias. */
  decay: number;
  /** A feature that fewer examples have is left out. */
  least: number;
};

const STEPS = 12;
const SETTLED = 1e-4;
const TINY = 1e-6;
const BIAS = "bias";

/**
 * Logistic regression by Newton's method (iteratively reweighted least squares) over standardized features. The weights are those of the
 * features as they are. The same examples give the same weights.
 */
export function trainNamed(examples: readonly Example[], { decay, least }: Options): Named {
  const names = namesOf(examples, least);
  const { rows, mean, deviation } = standardized(examples, names);
  const weights = new Float64Array(names.length);
  for (let step = 0; step < STEPS; step++) {
    const change = newtonStep(rows, examples, { weights, decay, bias: names.indexOf(BIAS) });
    for (const [d, by] of change.entries()) weights[d] = (weights[d] ?? 0) + by;
    if (change.every((by) => Math.abs(by) < SETTLED)) break;
  }
  const trained: Named = {};
  let bias = 0;
  for (const [d, name] of names.entries()) {
    const weight = (weights[d] ?? 0) / (deviation[d] ?? 1);
    bias -= weight * (mean[d] ?? 0);
    trained[name] = weight;
  }
  trained[BIAS] = (trained[BIAS] ?? 0) + bias;
  return Object.fromEntries(Object.entries(trained).map(([name, weight]) => [name, Number(weight.toPrecision(4))]));
}

function namesOf(examples: readonly Example[], least: number): string[] {
  const counts = new Map<string, number>([[BIAS, least]]);
  for (const { features } of examples)
    for (const name of Object.keys(features)) if (features[name] !== 0) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].flatMap(([name, count]) => (count >= least ? [name] : [])).sort();
}

function standardized(examples: readonly Example[], names: readonly string[]) {
  const rows = examples.map(({ features }) => Float64Array.from(names, (name) => features[name] ?? 0));
  const mean = new Float64Array(names.length);
  const deviation = new Float64Array(names.length).fill(1);
  for (const [d, name] of names.entries()) {
    if (name === BIAS) continue;
    const sum = rows.reduce((total, row) => total + (row[d] ?? 0), 0);
    const squares = rows.reduce((total, row) => total + (row[d] ?? 0) ** 2, 0);
    mean[d] = sum / rows.length;
    deviation[d] = Math.sqrt(Math.max(0, squares / rows.length - (mean[d] ?? 0) ** 2)) || 1;
    for (const row of rows) row[d] = ((row[d] ?? 0) - (mean[d] ?? 0)) / (deviation[d] ?? 1);
  }
  return { rows, mean, deviation };
}

type At = { weights: Float64Array; decay: number; bias: number };

function newtonStep(rows: readonly Float64Array[], examples: readonly Example[], { weights, decay, bias }: At): Float64Array {
  const size = weights.length;
  const curvature = Array.from({ length: size }, () => new Float64Array(size));
  const slope = new Float64Array(size);
  for (const [i, row] of rows.entries()) {
    let score = 0;
    for (let d = 0; d < size; d++) score += (weights[d] as number) * (row[d] as number);
    const p = 1 / (1 + Math.exp(-score));
    const error = (examples[i]?.label ?? 0) - p;
    const bend = Math.max(TINY, p * (1 - p));
    for (let d = 0; d < size; d++) {
      const value = row[d] as number;
      if (value === 0) continue;
      slope[d] = (slope[d] as number) + error * value;
      const line = curvature[d] as Float64Array;
      for (let other = d; other < size; other++) line[other] = (line[other] as number) + bend * value * (row[other] as number);
    }
  }
  for (let d = 0; d < size; d++) {
    const line = curvature[d] as Float64Array;
    const pull = d === bias ? 0 : decay;
    slope[d] = (slope[d] as number) - pull * (weights[d] as number);
    line[d] = (line[d] as number) + pull + TINY;
    for (let other = 0; other < d; other++) line[other] = (curvature[other] as Float64Array)[d] as number;
  }
  return solve(curvature, slope);
}

/** Gaussian elimination with pivots. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const rows: Float64Array[] = matrix.map((line, i) => Float64Array.from([...line, right[i] as number]));
  for (let i = 0; i < size; i++) {
    const pivot = rows
      .slice(i)
      .reduce(
        (best, row, k) => (Math.abs(row[i] as number) > Math.abs((rows[best] as Float64Array)[i] as number) ? i + k : best),
        i,
      );
    [rows[i], rows[pivot]] = [rows[pivot] as Float64Array, rows[i] as Float64Array];
    const from = rows[i] as Float64Array;
    for (let r = i + 1; r < size; r++) {
      const row = rows[r] as Float64Array;
      const factor = (row[i] as number) / (from[i] as number);
      if (factor !== 0) for (let c = i; c <= size; c++) row[c] = (row[c] as number) - factor * (from[c] as number);
    }
  }
  const solution = new Float64Array(size);
  for (let i = size - 1; i >= 0; i--) {
    const row = rows[i] as Float64Array;
    let rest = row[size] as number;
    for (let c = i + 1; c < size; c++) rest -= (row[c] as number) * (solution[c] as number);
    solution[i] = rest / (row[i] as number);
  }
  return solution;
}
