/** How long the service asks to wait, by `retry-after-ms` or `retry-after` (seconds or a date); null if it does not say. */
export declare function retryAfterMs(headers: Headers, now: number): number | null;
type Refusal = {
    status: number;
    code: string;
    retryAfterMs: number | null;
};
/**
 * Whether the same request may succeed later. A 409 without `retry-after` contradicts what is stored, and does so again. `misconfigured` stays until
 * the operator has changed the configuration.
 */
export declare function isWorthRetrying({ status, code, retryAfterMs: asked }: Refusal, headers: Headers): boolean;
/** The wait before attempt `attempt` (1 is the first repetition), unless the service asked for one; `random` is from 0 to 1. */
export declare function backoffMs(attempt: number, random: number): number;
export {};
