/** A word as a network reads it. `bucket`: of its hashed name; `flags`: which of the known properties it has. */
export type WordInput = { vector: Float32Array | null; bucket: number; flags: readonly number[] };

/** A layer that reads each word alone: `width` sums of its vector, its bucket's weights and its flags' weights. */
export type Encoder = {
  width: number;
  /** `width` rows of the length of a vector. */
  vectors: Float32Array;
  /** A row of `width` for each bucket, and for each flag. */
  buckets: Float32Array;
  flags: Float32Array;
  bias: Float32Array;
};

/** A layer that reads each word with one before and one after it, `step` words away: three blocks of `from` rows of `to` weights. */
export type Convolution = { from: number; to: number; step: number; weights: Float32Array; bias: Float32Array };

/** `width` values a word, none below 0. */
export function encode({ width, vectors, buckets, flags, bias }: Encoder, words: readonly WordInput[]): Float32Array {
  const out = new Float32Array(words.length * width);
  for (const [i, { vector, bucket, flags: own }] of words.entries()) {
    const at = i * width;
    for (let k = 0; k < width; k++) out[at + k] = (bias[k] ?? 0) + (bucket < 0 ? 0 : (buckets[bucket * width + k] ?? 0));
    for (const flag of own) for (let k = 0; k < width; k++) out[at + k] = (out[at + k] ?? 0) + (flags[flag * width + k] ?? 0);
    if (vector !== null) addProducts(out, { at, width, vectors, vector });
  }
  return rectify(out);
}

type Products = { at: number; width: number; vectors: Float32Array; vector: Float32Array };

function addProducts(out: Float32Array, { at, width, vectors, vector }: Products): void {
  const { length } = vector;
  for (let k = 0; k < width; k++) {
    let sum = 0;
    for (let j = 0; j < length; j++) sum += (vectors[k * length + j] as number) * (vector[j] as number);
    out[at + k] = (out[at + k] as number) + sum;
  }
}

/** `to` values a word, none below 0, of `from` values a word. */
export function convolve({ from, to, step, weights, bias }: Convolution, values: Float32Array): Float32Array {
  const count = values.length / from;
  const out = new Float32Array(count * to);
  for (let i = 0; i < count; i++) {
    const at = i * to;
    for (let k = 0; k < to; k++) out[at + k] = bias[k] as number;
    for (let block = 0; block < 3; block++) {
      const word = i + (block - 1) * step;
      if (word < 0 || word >= count) continue;
      for (let a = 0; a < from; a++) {
        const value = values[word * from + a] as number;
        if (value === 0) continue;
        const row = (block * from + a) * to;
        for (let k = 0; k < to; k++) out[at + k] = (out[at + k] as number) + value * (weights[row + k] as number);
      }
    }
  }
  return rectify(out);
}

function rectify(values: Float32Array): Float32Array {
  for (let i = 0; i < values.length; i++) if ((values[i] as number) < 0) values[i] = 0;
  return values;
}

/** The greatest value of each column over some words, and the word that has it; 0 and -1 where none is above 0. */
export function greatest(
  values: Float32Array,
  width: number,
  words: readonly number[],
): { values: Float32Array; words: Int32Array } {
  const most = new Float32Array(width);
  const of = new Int32Array(width).fill(-1);
  for (const word of words)
    for (let k = 0; k < width; k++) {
      const value = values[word * width + k] as number;
      if (value <= (most[k] as number)) continue;
      most[k] = value;
      of[k] = word;
    }
  return { values: most, words: of };
}

/** The mean of each column over some words; 0 for none. */
export function means(values: Float32Array, width: number, words: readonly number[]): Float32Array {
  const sums = new Float32Array(width);
  for (const word of words)
    for (let k = 0; k < width; k++) sums[k] = (sums[k] as number) + (values[word * width + k] as number) / words.length;
  return sums;
}
