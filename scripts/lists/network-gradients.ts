import type { Convolution, Encoder, WordInput } from "#core/network/network";

/** The slopes of a convolution's weights are added to `weights` and `bias`; returned are those of the values below. */
export function convolveBack(
  { from, to, step, weights }: Convolution,
  {
    below,
    values,
    slopes,
    into,
  }: { below: Float32Array; values: Float32Array; slopes: Float32Array; into: { weights: Float32Array; bias: Float32Array } },
): Float32Array {
  const count = values.length / to;
  const out = new Float32Array(below.length);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < to; k++) {
      const slope = (values[i * to + k] as number) > 0 ? (slopes[i * to + k] as number) : 0;
      if (slope === 0) continue;
      into.bias[k] = (into.bias[k] as number) + slope;
      for (let block = 0; block < 3; block++) {
        const word = i + (block - 1) * step;
        if (word < 0 || word >= count) continue;
        for (let a = 0; a < from; a++) {
          const value = below[word * from + a] as number;
          if (value === 0) continue;
          const at = (block * from + a) * to + k;
          into.weights[at] = (into.weights[at] as number) + slope * value;
          out[word * from + a] = (out[word * from + a] as number) + slope * (weights[at] as number);
        }
      }
    }
  return out;
}

/** The slopes of an encoder's weights are added to those of `into`; `touched` gets the buckets that have some. */
export function encodeBack(
  { width }: Encoder,
  {
    words,
    values,
    slopes,
    into,
    touched,
  }: { words: readonly WordInput[]; values: Float32Array; slopes: Float32Array; into: Encoder; touched: Set<number> },
): void {
  for (const [i, { vector, bucket, flags }] of words.entries()) {
    if (bucket >= 0) touched.add(bucket);
    for (let k = 0; k < width; k++) {
      const slope = (values[i * width + k] as number) > 0 ? (slopes[i * width + k] as number) : 0;
      if (slope === 0) continue;
      into.bias[k] = (into.bias[k] as number) + slope;
      for (const flag of flags) into.flags[flag * width + k] = (into.flags[flag * width + k] as number) + slope;
      if (bucket >= 0) into.buckets[bucket * width + k] = (into.buckets[bucket * width + k] as number) + slope;
      if (vector === null) continue;
      const { length } = vector;
      for (let j = 0; j < length; j++)
        into.vectors[k * length + j] = (into.vectors[k * length + j] as number) + slope * (vector[j] as number);
    }
  }
}
