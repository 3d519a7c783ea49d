/** A field of a request that the service refused, and why. */
export type FieldError = { path: string; message: string };

export type Problem = {
  status: number;
  code: string;
  detail: string;
  requestId: string | null;
  fields: FieldError[];
  retryAfterMs: number | null;
};

/** The service refused or failed to carry out a request. `code` is stable; docs/errors.md of Edgewise explains each. */
export class EdgewiseError extends Error {
  override readonly name: string = "EdgewiseError";
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string | null;
  readonly fields: FieldError[];
  /** After how many milliseconds the same request may succeed; null if the service did not say. */
  readonly retryAfterMs: number | null;

  constructor(problem: Problem) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.requestId = problem.requestId;
    this.fields = problem.fields;
    this.retryAfterMs = problem.retryAfterMs;
  }
}

/** No answer arrived: the service is not reachable, or the connection broke. `cause` is what fetch reported. */
export class EdgewiseConnectionError extends Error {
  override readonly name: string = "EdgewiseConnectionError";
}

/** No answer arrived within `timeoutMs`. */
export class EdgewiseTimeoutError extends EdgewiseConnectionError {
  override readonly name: string = "EdgewiseTimeoutError";
}
