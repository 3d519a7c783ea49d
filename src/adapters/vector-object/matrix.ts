const FIRST_ROWS = 16;
const GROWTH = 1.5;
/** About the size of a row's scale, its slot and its two map entries. */
const BYTES_BESIDE_CODES = 64;

/** All vectors of one length that an object holds, side by side in memory; a slot is a vector's key in storage. */
export class Matrix {
  readonly dimensions: number;
  #codes: Int8Array;
  #scales: Float32Array;
  readonly #rows = new Map<number, number>();
  readonly #slots: number[] = [];

  constructor(dimensions: number, expectedRows = 0) {
    const rows = Math.max(FIRST_ROWS, expectedRows);
    this.dimensions = dimensions;
    this.#codes = new Int8Array(rows * dimensions);
    this.#scales = new Float32Array(rows);
  }

  get bytes(): number {
    return this.#scales.length * (this.dimensions + BYTES_BESIDE_CODES);
  }

  set(slot: number, { codes, scale }: QuantisedVector): void {
    const row = this.#rows.get(slot) ?? this.#append(slot);
    this.#codes.set(codes, row * this.dimensions);
    this.#scales[row] = scale;
  }

  /** Moves the last row into the place of the deleted one. */
  delete(slot: number): void {
    const row = this.#rows.get(slot);
    if (row === undefined) return;
    this.#rows.delete(slot);
    const last = this.#slots.pop();
    if (last === undefined || last === slot) return;
    const from = this.#slots.length * this.dimensions;
    this.#codes.copyWithin(row * this.dimensions, from, from + this.dimensions);
    this.#scales[row] = this.#scales[this.#slots.length] ?? 0;
    this.#slots[row] = last;
    this.#rows.set(last, row);
  }

  /** Cosine with a unit vector of the same length; undefined for a slot that is not held. */
  score(slot: number, query: Float32Array): number | undefined {
    const row = this.#rows.get(slot);
    return row === undefined ? undefined : dot(query, this.#codes, row * this.dimensions) * (this.#scales[row] ?? 0);
  }

  #append(slot: number): number {
    const row = this.#slots.push(slot) - 1;
    this.#rows.set(slot, row);
    if (row === this.#scales.length) this.#grow(Math.ceil(row * GROWTH));
    return row;
  }

  #grow(rows: number): void {
    const codes = new Int8Array(rows * this.dimensions);
    codes.set(this.#codes);
    this.#codes = codes;
    const scales = new Float32Array(rows);
    scales.set(this.#scales);
    this.#scales = scales;
  }
}

/** Matrices of all objects that live in one isolate, within a number of bytes; the least recently used are dropped first. */
export class MatrixCache {
  readonly #maxBytes: number;
  readonly #held = new Map<string, { matrix: Matrix; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  take(key: string): Matrix | undefined {
    const entry = this.#held.get(key);
    if (entry === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, entry);
    return entry.matrix;
  }

  /** Call again after the matrix has grown. */
  keep(key: string, matrix: Matrix): void {
    this.drop(key);
    this.#held.set(key, { matrix, bytes: matrix.bytes });
    this.#bytes += matrix.bytes;
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.drop(oldest);
    }
  }

  drop(key: string): void {
    this.#bytes -= this.#held.get(key)?.bytes ?? 0;
    this.#held.delete(key);
  }
}

/** The `size` best scores of those offered. Rejecting a row takes one comparison. */
export class BestMatches {
  readonly #size: number;
  #kept: { slot: number; score: number }[] = [];
  /** The lowest kept score, once there are enough. */
  #bar = Number.NEGATIVE_INFINITY;

  constructor(size: number) {
    this.#size = size;
  }

  offer(slot: number, score: number): void {
    if (score <= this.#bar) return;
    this.#kept.push({ slot, score });
    if (this.#kept.length >= 2 * this.#size + 64) this.#cut();
  }

  scores(): Map<number, number> {
    this.#cut();
    return new Map(this.#kept.map(({ slot, score }) => [slot, score]));
  }

  #cut(): void {
    this.#kept = this.#kept.sort((a, b) => b.score - a.score).slice(0, this.#size);
    this.#bar = this.#kept[this.#size - 1]?.score ?? Number.NEGATIVE_INFINITY;
  }
}

/** A vector in a quarter of the bytes: `codes` times `scale` has unit length, or is all zero. */
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

/** Dot product with as many codes, from `offset` on. Four sums, because with one each addition waits for the one before. */
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

/** The caller keeps `position` in range. */
function at(values: Float32Array | Int8Array, position: number): number {
  return values[position] as number;
}
