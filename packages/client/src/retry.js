const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A service that asks for a longer wait is not waited for: the error says `retryAfterMs`, and the caller decides. */
const MAX_ASKED_DELAY_MS = 60_000;
/** How long the service asks to wait, by `retry-after-ms` or `retry-after` (seconds or a date); null if it does not say. */
export function retryAfterMs(headers, now) {
    const after = headers.get("retry-after") ?? "";
    const seconds = Number(after || Number.NaN);
    const asked = [
        Number.parseFloat(headers.get("retry-after-ms") ?? ""),
        Number.isNaN(seconds) ? Date.parse(after) - now : seconds * 1000,
    ].find((ms) => !Number.isNaN(ms));
    return asked === undefined ? null : Math.max(0, asked);
}
/**
 * Whether the same request may succeed later. A 409 without `retry-after` contradicts what is stored, and does so again. `misconfigured`
 * stays until the operator has changed the configuration.
 */
export function isWorthRetrying({ status, code, retryAfterMs: asked }, headers) {
    if ((asked ?? 0) > MAX_ASKED_DELAY_MS)
        return false;
    const said = headers.get("x-should-retry");
    if (said === "true" || said === "false")
        return said === "true";
    if (status === 409)
        return asked !== null;
    return status === 408 || status === 429 || (status >= 500 && code !== "misconfigured");
}
/** The wait before the repetition `retry` (from 1), unless the service asked for another; `random` is from 0 to 1. */
export function backoffMs(retry, random) {
    return Math.min(FIRST_DELAY_MS * 2 ** (retry - 1), MAX_DELAY_MS) * (1 - random / 4);
}
