/** The longest delay of a timer; one that is longer ends at once. */
const MAX_DELAY_MS = 2_147_483_647;

type Deadline = { timeoutMs: number; abortSignal: AbortSignal | undefined };
type Bounds = { signal: AbortSignal; timeoutMs: number };

/**
 * Ends with the caller's signal or when the time is over, also while something that takes no signal runs, such as an app's own function that
 * gets a token. An endless time is the longest that there is, and a negative one is none.
 */
export async function within<T>({ timeoutMs, abortSignal }: Deadline, act: (call: Bounds) => Promise<T>): Promise<T> {
  const delayMs = Math.trunc(Math.min(Math.max(timeoutMs, 0), MAX_DELAY_MS));
  const late = AbortSignal.timeout(delayMs);
  const signal = abortSignal === undefined ? late : AbortSignal.any([late, abortSignal]);
  signal.throwIfAborted();
  return await Promise.race([act({ signal, timeoutMs: delayMs }), rejectedBy(signal)]);
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
