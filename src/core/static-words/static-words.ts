/** The table as it is stored; its tokens are those of `analyse`, in the order of their code units. */
export type PackedWords = {
  /** The model that it was made of, and its licence. */
  from: string;
  dimensions: number;
  tokens: string;
  /** A signed half byte a value, in base64: two values a byte, the first in the low half. */
  codes: string;
  /** A byte a token, in base64: the length of a step of its values is `step` × 2^(byte / STEPS_AN_OCTAVE). */
  scales: string;
  step: number;
};

/** Vectors of single words, added up to those of texts. */
export type StaticWords = {
  readonly dimensions: number;
  has(token: string): boolean;
  /** Adds the vectors of those tokens that have one. */
  sum(tokens: readonly string[], into: Float32Array): void;
};

/** Scales in steps of 4.4 %. */
export const STEPS_AN_OCTAVE = 16;

/** Keeps the table as it is packed, without an object for each word: a token is found by bisection. */
export function openStaticWords({ dimensions, tokens, codes, scales, step }: PackedWords): StaticWords {
  const packed = bytesOf(codes);
  const steps = Float32Array.from(bytesOf(scales), (byte) => step * 2 ** (byte / STEPS_AN_OCTAVE));
  const starts = startsIn(tokens, steps.length);
  const stride = dimensions / 2;
  return {
    dimensions,
    has: (token) => rowOf(token, tokens, starts) !== -1,
    sum: (given, into) => {
      for (const token of given) {
        const row = rowOf(token, tokens, starts);
        if (row !== -1) addRow(into, { codes: packed, from: row * stride, stride }, steps[row] ?? 0);
      }
    },
  };
}

type Codes = { codes: Uint8Array; from: number; stride: number };

function addRow(into: Float32Array, { codes, from, stride }: Codes, step: number): void {
  for (let i = 0; i < stride; i++) {
    const byte = codes[from + i] ?? 0;
    into[2 * i] = (into[2 * i] ?? 0) + ((byte << 28) >> 28) * step;
    into[2 * i + 1] = (into[2 * i + 1] ?? 0) + ((byte << 24) >> 28) * step;
  }
}

function bytesOf(base64: string): Uint8Array {
  const units = atob(base64);
  const bytes = new Uint8Array(units.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = units.charCodeAt(i);
  return bytes;
}

/** Where each token begins in the text of all, which one blank divides, and where another would begin after the last. */
function startsIn(tokens: string, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (let row = 1, at = tokens.indexOf(" "); row < count; row++, at = tokens.indexOf(" ", at + 1)) starts[row] = at + 1;
  starts[count] = tokens.length + 1;
  return starts;
}

/** -1 for a token that has no row. */
function rowOf(token: string, tokens: string, starts: Uint32Array): number {
  let low = 0;
  let high = starts.length - 2;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = compare(token, tokens, starts[middle] ?? 0, (starts[middle + 1] ?? 0) - 1);
    if (order === 0) return middle;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return -1;
}

/** The order of a token and of the part of a text, by their code units. */
function compare(token: string, text: string, from: number, to: number): number {
  const length = Math.min(token.length, to - from);
  for (let i = 0; i < length; i++) {
    const order = token.charCodeAt(i) - text.charCodeAt(from + i);
    if (order !== 0) return order;
  }
  return token.length - (to - from);
}
