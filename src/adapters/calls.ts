import type { Unavailable } from "#core/errors";

const ATTEMPTS = 3;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;

/** Runs of at most `size`, in order. */
export function batches<T>(items: readonly T[], size: number): T[][] {
  const runs: T[][] = [];
  for (let start = 0; start < items.length; start += size) runs.push(items.slice(start, start + size));
  return runs;
}

/** Results in the order of `items`, `width` at a time; after the first failure nothing new is started. */
export async function inParallel<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let failed = false;
  const worker = async () => {
    for (const [position, item] of waiting) {
      if (failed) return;
      try {
        results[position] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}

/** A temporary failure, worth another attempt. After the last attempt, `failure` is thrown. */
export class Passing extends Error {
  readonly failure: Unavailable;
  /** The delay that the server asked for, such as `retry-after`. */
  readonly afterMs: number | undefined;

  constructor(failure: Unavailable, afterMs?: number) {
    super(failure.message);
    this.name = "Passing";
    this.failure = failure;
    this.afterMs = afterMs;
  }
}

export type Pause = (milliseconds: number) => Promise<void>;

/** Three attempts at most; a delay of more than ten seconds is left to the caller. */
export async function retryPassing<T>(work: () => Promise<T>, pause: Pause = sleep): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      const wait = error.afterMs ?? backOff(attempt);
      if (attempt === ATTEMPTS || wait > LONGEST_DELAY_MS) throw error.failure;
      await pause(wait);
    }
  }
}

/** Doubles with each attempt; the upper half is random, so that callers who failed together do not retry together. */
function backOff(attempt: number): number {
  const full = FIRST_DELAY_MS * 2 ** (attempt - 1);
  return full * (0.5 + Math.random() / 2);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
