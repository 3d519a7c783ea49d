/** The `size` best scores seen, in a heap with the worst on top: a row that does not get in costs one comparison. */
export class BestMatches {
  readonly #size: number;
  readonly #heap: { slot: number; score: number }[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  offer(slot: number, score: number): void {
    const heap = this.#heap;
    const worst = heap[0];
    if (worst === undefined || heap.length < this.#size) {
      if (this.#size > 0) this.#rise(heap.push({ slot, score }) - 1);
    } else if (score > worst.score) {
      heap[0] = { slot, score };
      this.#sink(0);
    }
  }

  scores(): Map<number, number> {
    return new Map(this.#heap.map(({ slot, score }) => [slot, score]));
  }

  #rise(from: number): void {
    let child = from;
    while (child > 0 && this.#swapIfWorse(child, (child - 1) >> 1)) child = (child - 1) >> 1;
  }

  #sink(from: number): void {
    let parent = from;
    for (;;) {
      const left = 2 * parent + 1;
      const child = this.#score(left + 1) < this.#score(left) ? left + 1 : left;
      if (!this.#swapIfWorse(child, parent)) return;
      parent = child;
    }
  }

  #score(position: number): number {
    return this.#heap[position]?.score ?? Number.POSITIVE_INFINITY;
  }

  #swapIfWorse(child: number, parent: number): boolean {
    const below = this.#heap[child];
    const above = this.#heap[parent];
    if (below === undefined || above === undefined || below.score >= above.score) return false;
    this.#heap[parent] = below;
    this.#heap[child] = above;
    return true;
  }
}
