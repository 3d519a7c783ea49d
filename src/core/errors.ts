/** The closed vocabulary of expected failures. Each surface translates it with one total table. */
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

/** One failing field: `path` as in `messages[0].content`, `message` for the developer. Never holds the value. */
export type FieldIssue = { path: string; message: string };

/**
 * What is wrong with a field and what to do about it, as a sentence with its name: "It is missing." gets the name; a sentence that has it
 * already is unchanged.
 */
export function sentenceOf({ path, message }: FieldIssue): string {
  if (message.startsWith("There is ") || message.includes(`\`${path}\``)) return message;
  return message.startsWith("It ") ? `\`${path}\` ${message.slice(3)}` : `\`${path}\`: ${message}`;
}

/** The sentence about an error's failing fields: the first one with a suggestion, else the first; and how many more there are. */
export function detailOf(fields: readonly FieldIssue[]): string {
  const field = fields.find(({ message }) => message.includes("Did you mean")) ?? fields[0];
  if (field === undefined) return "The request is not valid.";
  return fields.length === 1 ? sentenceOf(field) : `${sentenceOf(field)} \`fields\` names ${fields.length} problems.`;
}

/** Why a token is not valid any more, for a client that gets another one by itself. */
export type ErrorReason = "token_expired" | "token_revoked";

export type AppErrorOptions = {
  reason?: ErrorReason;
  fields?: readonly FieldIssue[];
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** A failure that the caller may see: its message is written by us and holds no user text. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldIssue[];
  readonly retryAfterSeconds: number | undefined;
  readonly reason: ErrorReason | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.fields = options.fields ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reason = options.reason;
  }
}

/** Servers that the service depends on. `upstream` is a tenant's own model server. */
export const DEPENDENCIES = ["embedder", "vectors", "chatModel", "upstream"] as const;

export type Dependency = (typeof DEPENDENCIES)[number];

type Outage = {
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
  kind?: "unreachable" | "timeout" | "busy";
  dependency?: Dependency;
  isOpen?: boolean;
};

/**
 * A server that the service depends on failed: no connection, no answer in time, or a status 408, 429 or 5xx. It may recover, however long
 * that takes, so it is no reason to give up. Adapters throw it; the circuit breaker adds which server it was.
 */
export class Unavailable extends AppError {
  /** `busy`: the server asked for fewer requests, regardless of their content. */
  readonly kind: "unreachable" | "timeout" | "busy";
  /** Undefined without a circuit breaker. */
  readonly dependency: Dependency | undefined;
  /** Whether the circuit is open now: the next calls will not reach the server. */
  readonly isOpen: boolean;

  constructor(message: string, { kind, dependency, isOpen, ...options }: Outage = {}) {
    const { retryAfterSeconds, cause } = options;
    super("upstream_failed", message, {
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(cause === undefined ? {} : { cause }),
    });
    this.kind = kind ?? "unreachable";
    this.dependency = dependency;
    this.isOpen = isOpen ?? false;
  }
}

/**
 * A server that the service depends on answered, but not as requested: a wrong key, path or model, another server in front of it, or input
 * that it does not accept. One answer does not show which. The circuit breaker creates it from what adapters throw.
 */
export class Refused extends AppError {
  readonly dependency: Dependency;

  constructor(error: AppError, dependency: Dependency) {
    const { code, message, fields, retryAfterSeconds } = error;
    super(code, message, { fields, cause: error, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
    this.dependency = dependency;
  }
}

/** The same message for what does not exist and for what the viewer may not see. */
export function notFound(what: string): AppError {
  return new AppError("not_found", `There is no such ${what}, or you may not see it.`);
}

export function conflict(message: string): AppError {
  return new AppError("conflict", message);
}

/** A conflict with concurrent changes of the same thing: the same request may succeed a moment later. */
export function contended(message: string): AppError {
  return new AppError("conflict", message, { retryAfterSeconds: 1 });
}

export function invalid(path: string, message: string): AppError {
  return new AppError("invalid_input", sentenceOf({ path, message }), { fields: [{ path, message }] });
}

/** A well-formed request that breaks a rule; the field says where, the message which rule. */
export function breaksRule(path: string, message: string): AppError {
  const detail = message.startsWith("It ") ? sentenceOf({ path, message }) : message;
  return new AppError("unprocessable", detail, { fields: [{ path, message }] });
}

export function misconfigured(message: string): AppError {
  return new AppError("misconfigured", message);
}

export function upstreamFailed(message: string, cause?: unknown): AppError {
  return new AppError("upstream_failed", message, cause === undefined ? {} : { cause });
}
