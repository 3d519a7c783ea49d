/** Tries after which a job is `failed` and waits for a person. */
export const MAX_ATTEMPTS = 6;

const FIRST_DELAY_MS = 15_000;
const LONGEST_DELAY_MS = 3_600_000;

/** After so long a job that waits for a server is tried even if nobody noticed that the server is back. */
export const WAIT_AT_MOST_MS = 3_600_000;

/** Milliseconds until the next try after `attempts` failed ones: 15 s, then four times as long each, an hour at most. */
export function backOffMs(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 4 ** Math.max(0, attempts - 1), LONGEST_DELAY_MS);
}
