const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A server that asks for a longer wait than this is not waited for: the error says `retryAfterMs`, and the caller decides. */
const MAX_ASKED_DELAY_MS = 60_000;

/** How long the service asks to wait, by `retry-after-ms` or `retry-after` (seconds or a date); null if it does not say. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const after = headers.get("retry-after") ?? "";
  const seconds = Number.parseFloat(after);
  const wait = /^[\d.]+$/.test(after) ? seconds * 1000 : Date.parse(after) - now;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

type Refusal = { status: number; code: string; retryAfterMs: number | null };

/**
 * Whether the same request may succeed later. A 409 without `retry-after` contradicts what is stored, and does so again. `misconfigured` stays until
 * the operator has changed the configuration.
 */
export function isWorthRetrying({ status, code, retryAfterMs: asked }: Refusal, headers: Headers): boolean {
  const said = headers.get("x-should-retry");
  if (asked !== null && asked > MAX_ASKED_DELAY_MS) return false;
  if (said === "true" || said === "false") return said === "true";
  if (status === 409) return asked !== null;
  return status === 408 || status === 429 || (status >= 500 && code !== "misconfigured");
}

/** The wait before attempt `attempt` (1 is the first repetition), unless the service asked for one; `random` is from 0 to 1. */
export function backoffMs(attempt: number, random: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS) * (1 - random / 4);
}
