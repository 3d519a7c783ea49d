import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError, detailOf, type ErrorCode, type FieldIssue, sentenceOf } from "#core/errors";
import { describeIssue, isRepeatable, unknownFieldMessages } from "#core/field-messages";
import type { RestEnv } from "./rest-env.ts";

/** A new ErrorCode does not compile until it has a status here. */
export const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unprocessable: 422,
  rate_limited: 429,
  upstream_failed: 502,
  misconfigured: 500,
  internal: 500,
};

export const TITLE: Record<ErrorCode, string> = {
  invalid_input: "The request is not valid",
  unauthenticated: "The request has no valid key or token",
  forbidden: "The key or token does not permit this",
  not_found: "Not found",
  method_not_allowed: "The path has no such method",
  conflict: "The request conflicts with what is stored",
  precondition_failed: "It has changed since you read it",
  payload_too_large: "The request is too large",
  unprocessable: "The request breaks a rule",
  rate_limited: "Too many requests",
  upstream_failed: "A service that Edgewise depends on failed",
  misconfigured: "The service is not configured",
  internal: "Something went wrong",
};

/** Default messages, for errors without one of their schema. */
z.config({ customError: describeIssue });

export const OpenAiError = z
  .object({ message: z.string(), type: z.string(), code: z.string(), param: z.string().nullable() })
  .meta({
    id: "OpenAiError",
    description: "The same in OpenAI's words, on the paths of OpenAI's API and on those that there are not",
  });

/** RFC 9457. */
export const ProblemView = z
  .object({
    type: z.string().describe("The page about the error: `/docs/errors#` and the code"),
    title: z.string(),
    status: z.number().int(),
    code: z.string().describe("Stable; programs should use this field"),
    detail: z.string(),
    reason: z
      .enum(["token_expired", "token_revoked"])
      .optional()
      .describe("Of `unauthenticated`: the user token was valid and is not any more, so another one will do"),
    requestId: z.string(),
    retryAfter: z.number().int().optional().describe("Seconds after which the same request may succeed, as the header says"),
    fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    error: OpenAiError.optional(),
  })
  .meta({ id: "Problem" });

/**
 * The body of an error. A foreign error becomes one fixed sentence; the details of a configuration error are in the log, for the operator.
 */
export function problemBody(error: unknown, { requestId, openAi }: { requestId: string; openAi: boolean }) {
  const known = error instanceof AppError ? error : null;
  const code: ErrorCode = known?.code ?? "internal";
  const hidden = known === null || code === "internal" || code === "misconfigured";
  const fields: readonly FieldIssue[] = known?.fields ?? [];
  const detail = hidden ? "Something went wrong here. The request id finds it in the log." : known.message;
  return {
    type: `/docs/errors#${code}`,
    title: TITLE[code],
    status: STATUS[code],
    code,
    detail,
    ...(known?.reason === undefined ? {} : { reason: known.reason }),
    requestId,
    ...(known?.retryAfterSeconds === undefined ? {} : { retryAfter: known.retryAfterSeconds }),
    ...(fields.length > 0 ? { fields } : {}),
    ...(openAi ? { error: toOpenAiError({ status: STATUS[code], code, detail, fields }) } : {}),
  };
}

export function toProblem(c: Context<RestEnv>, error: unknown, requestId: string): Response {
  const body = problemBody(error, { requestId, openAi: c.var.route?.openAiErrors === true });
  const headers: Record<string, string> = { "content-type": "application/problem+json", "x-request-id": requestId };
  if (body.retryAfter !== undefined) headers["retry-after"] = String(body.retryAfter);
  if (body.code === "unauthenticated") headers["www-authenticate"] = challenge(body.reason);
  return c.body(JSON.stringify(body), body.status, headers);
}

/** RFC 6750, section 3. */
function challenge(reason: string | undefined): string {
  const invalid = reason === undefined ? "" : `, error="invalid_token", error_description="${reason}"`;
  return `Bearer realm="edgewise"${invalid}`;
}

/** The failing fields of a zod error, as paths such as `messages[0].content`; values are never repeated, and names only where they have the shape of one. */
export function toFieldIssues(error: z.ZodError, source?: string): FieldIssue[] {
  const whole = source === undefined || source === "json" ? "body" : source;
  return error.issues
    .flatMap(closest)
    .flatMap((issue) => unknownFields(issue, whole) ?? [{ path: pathOf(issue.path) || whole, message: issue.message }])
    .slice(0, 50);
}

/** Whether the request is valid by /openapi.json and only breaks rules that no schema can express (`asRule`). */
export function breaksOnlyRules(error: z.ZodError): boolean {
  return error.issues.flatMap(closest).every((issue) => issue.code === "custom" && issue.params?.isRule === true);
}

/** The error for input that a schema refuses; `source` is the part of the request. */
export function inputError(error: z.ZodError, source?: string): AppError {
  const fields = toFieldIssues(error, source);
  return breaksOnlyRules(error)
    ? new AppError("unprocessable", fields[0]?.message ?? "A rule is broken.", { fields })
    : new AppError("invalid_input", detailOf(fields), { fields });
}

/** For a union, reports the issues of the variant that fits best at the top level, because the union's own issue names no field. */
function closest(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const misfits = (issues: readonly z.core.$ZodIssue[]) => issues.filter(({ path }) => path.length <= 1).length;
  const [best] = issue.errors.toSorted((a, b) => misfits(a) - misfits(b));
  return best === undefined
    ? [issue]
    : best.flatMap(closest).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** An unknown field is named itself, if its name may be repeated; otherwise its parent is. */
function unknownFields(issue: z.core.$ZodIssue, whole: string): FieldIssue[] | null {
  if (issue.code !== "unrecognized_keys") return null;
  return unknownFieldMessages(issue).map(({ key, message }) => ({
    path: pathOf(isRepeatable(key) ? [...issue.path, key] : issue.path) || whole,
    message,
  }));
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : `${text}${text === "" ? "" : "."}${nameOf(part)}`),
    "",
  );
}

/** A part of a path may be a name from the client, such as a key of metadata. */
function nameOf(part: PropertyKey): string {
  return isRepeatable(String(part)) ? String(part) : "*";
}

const TYPES: Record<number, string> = { 401: "authentication_error", 403: "permission_error", 429: "rate_limit_error" };

type OpenAiFailure = { status: number; code: string; detail: string; fields: readonly FieldIssue[] };

/** OpenAI's SDKs show `message` only, so it includes the failing fields. */
export function toOpenAiError({ status, code, detail, fields }: OpenAiFailure): z.infer<typeof OpenAiError> {
  const sentences = fields.map(sentenceOf);
  const more = sentences.filter((sentence, i) => !detail.startsWith(sentence) && fields[i]?.message !== detail);
  return {
    message: [detail, ...more].join(" "),
    type: TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error"),
    code,
    param: fields[0]?.path ?? null,
  };
}
