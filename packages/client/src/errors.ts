/** A field of a request that the service refused, and why. */
export type FieldError = { path: string; message: string };

export type Problem = {
  /** The HTTP status; 0 for a redirect in a browser, which hides it. */
  readonly status: number;
  /** Stable: let your program look at it. docs/errors.md of Edgewise explains each. */
  readonly code: string;
  /** What is wrong and what to do, in one sentence for the developer. */
  readonly detail: string;
  /** Finds the request in the log of the service. */
  readonly requestId: string | null;
  readonly fields: readonly FieldError[];
  /** After how many milliseconds the same request may succeed; null if the service did not say. */
  readonly retryAfterMs: number | null;
};

export interface EdgewiseError extends Problem {}

/** The service refused a request, or failed to carry it out. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every field of the interface.
export class EdgewiseError extends Error {
  override name = "EdgewiseError";

  constructor(problem: Problem) {
    super(problem.detail);
    Object.assign(this, problem);
  }
}

/** No answer arrived: the service is not reachable, or the connection broke. `cause` is what fetch reported. */
export class EdgewiseConnectionError extends Error {
  override name = "EdgewiseConnectionError";
}

/** No answer arrived within `timeoutMs`. */
export class EdgewiseTimeoutError extends EdgewiseConnectionError {
  override name = "EdgewiseTimeoutError";
}
