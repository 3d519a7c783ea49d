/** A field of a request that the service refused, and why. */
export type FieldError = {
    path: string;
    message: string;
};
export type Problem = {
    status: number;
    code: string;
    detail: string;
    requestId: string | null;
    fields: FieldError[];
    retryAfterMs: number | null;
};
/** The service refused or failed to carry out a request. `code` is stable; docs/errors.md of Edgewise explains each. */
export declare class EdgewiseError extends Error {
    readonly name: string;
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    readonly requestId: string | null;
    readonly fields: FieldError[];
    /** After how many milliseconds the same request may succeed; null if the service did not say. */
    readonly retryAfterMs: number | null;
    constructor(problem: Problem);
}
/** No answer arrived: the service is not reachable, or the connection broke. `cause` is what fetch reported. */
export declare class EdgewiseConnectionError extends Error {
    readonly name: string;
}
/** No answer arrived within `timeoutMs`. */
export declare class EdgewiseTimeoutError extends EdgewiseConnectionError {
    readonly name: string;
}
