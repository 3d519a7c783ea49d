/** A vector in a quarter of the space: `codes` times `scale` has unit length, or is all zero. */
export type QuantisedVector = { codes: Int8Array; scale: number };

const LARGEST_CODE = 127;

/** Symmetric, one scale a vector; the scale makes a dot product with a unit vector a cosine. */
export function quantise(values: Float32Array): QuantisedVector {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(at(values, i)));
  if (largest === 0) return { codes: new Int8Array(values.length), scale: 0 };
  const codes = new Int8Array(values.length);
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const code = Math.round((at(values, i) / largest) * LARGEST_CODE);
    codes[i] = code;
    squares += code * code;
  }
  return { codes, scale: 1 / Math.sqrt(squares) };
}

/** Of `query` with as many codes, from `offset` on; four sums, because one makes each addition wait for the last. */
export function dot(query: Float32Array, codes: Int8Array, offset: number): number {
  const { length } = query;
  const even = length - (length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < even; i += 4) {
    const from = offset + i;
    a += at(query, i) * at(codes, from);
    b += at(query, i + 1) * at(codes, from + 1);
    c += at(query, i + 2) * at(codes, from + 2);
    d += at(query, i + 3) * at(codes, from + 3);
  }
  for (let i = even; i < length; i++) a += at(query, i) * at(codes, offset + i);
  return a + b + c + d;
}

/** The caller keeps `position` inside. */
function at(values: Float32Array | Int8Array, position: number): number {
  return values[position] as number;
}
