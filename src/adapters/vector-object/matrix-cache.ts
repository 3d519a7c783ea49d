import type { Matrix } from "./matrix";

/** Matrices of all objects that live in one isolate, the least recently used given up first, since they share its memory. */
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
