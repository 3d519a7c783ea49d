import { dot, type QuantisedVector } from "./quantise";

const FIRST_ROWS = 16;
const GROWTH = 1.5;
/** A row's scale, its slot and its two places in the maps, roughly. */
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

  /** The last row takes the place of the one that goes. */
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
