import type { Unavailable } from "#core/errors";

const ATTEMPTS = 3;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;

/** A failure that may pass: worth another attempt, and told as `failure` when no attempt is left. */
export class Passing extends Error {
  readonly failure: Unavailable;
  /** What the other side asked for, such as `retry-after`. */
  readonly afterMs: number | undefined;

  constructor(failure: Unavailable, afterMs?: number) {
    super(failure.message);
    this.name = "Passing";
    this.failure = failure;
    this.afterMs = afterMs;
  }
}

export type Pause = (milliseconds: number) => Promise<void>;

/** Three attempts at most; a wait longer than ten seconds is left to the caller's own schedule. */
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

/** Doubles with each attempt, and draws from the upper half so that callers who failed together do not return together. */
function backOff(attempt: number): number {
  const full = FIRST_DELAY_MS * 2 ** (attempt - 1);
  return full * (0.5 + Math.random() / 2);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
