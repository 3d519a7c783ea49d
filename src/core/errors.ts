/** The closed vocabulary of expected failure. Each surface translates it with one total table. */
export type ErrorCode =
  | "invalid_input"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "precondition_failed"
  | "payload_too_large"
  | "unprocessable"
  | "rate_limited"
  | "upstream_failed"
  | "misconfigured"
  | "internal";

/** One failing field: `path` as in `messages[0].text`, `message` for the developer. Never holds the value. */
export type FieldIssue = { path: string; message: string };

export type AppErrorOptions = {
  fields?: readonly FieldIssue[];
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** A failure that the caller may be told about: its message is written by us and holds no user text. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldIssue[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.fields = options.fields ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The same sentence for what does not exist and for what the viewer may not see. */
export function notFound(what: string): AppError {
  return new AppError("not_found", `There is no such ${what}, or you may not see it.`);
}

export function conflict(message: string): AppError {
  return new AppError("conflict", message);
}

export function invalid(path: string, message: string): AppError {
  return new AppError("invalid_input", "The request is not valid.", { fields: [{ path, message }] });
}

/** A well-formed request that breaks a rule; the field says where, the message which. */
export function breaksRule(path: string, message: string): AppError {
  return new AppError("unprocessable", message, { fields: [{ path, message }] });
}

export function misconfigured(message: string): AppError {
  return new AppError("misconfigured", message);
}

export function upstreamFailed(message: string, cause?: unknown): AppError {
  return new AppError("upstream_failed", message, cause === undefined ? {} : { cause });
}
