export type CacheCounts = { hits: number; misses: number; size: number };

/** A least-recently-used map with a limit of entries and a maximum age. */
export class BoundedCache<V> {
  readonly #entries = new Map<string, { value: V; until: number }>();
  readonly #limit: number;
  readonly #ttlMs: number;
  #hits = 0;
  #misses = 0;

  constructor(options: { limit: number; ttlMs: number }) {
    this.#limit = options.limit;
    this.#ttlMs = options.ttlMs;
  }

  get(key: string, now: number): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until <= now) {
      this.#misses += 1;
      return undefined;
    }
    this.#hits += 1;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** What `get` returned at some time in the last so many milliseconds, for callers that cannot read the value again. */
  getStale(key: string, now: number, withinMs: number): V | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.until + withinMs <= now ? undefined : entry.value;
  }

  set(key: string, value: V, now: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: now + this.#ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break;
      this.#entries.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  counts(): CacheCounts {
    return { hits: this.#hits, misses: this.#misses, size: this.#entries.size };
  }
}
