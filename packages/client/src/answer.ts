import { EdgewiseError, type FieldError } from "./errors.ts";
import { retryAfterMs } from "./retry.ts";

/** An error as Edgewise describes it, or as an OpenAI-compatible server does. */
export type ProblemBody = {
  code?: string;
  detail?: string;
  fields?: FieldError[];
  error?: { message?: string; code?: string | null } | null;
} | null;

/** The error of an answer, whoever gave it: the service, a model server behind it, or a server on the way. */
export function toError({ status, headers }: Response, json: unknown, now: number): EdgewiseError {
  const body = asProblem(json);
  return new EdgewiseError({
    status,
    code: body?.code ?? body?.error?.code ?? "unexpected_answer",
    detail:
      body?.detail ??
      body?.error?.message ??
      `The answer is not one of Edgewise: status ${status}, ${headers.get("content-type")}. Redirects are not followed. Check \`baseUrl\`.`,
    requestId: headers.get("x-request-id"),
    fields: body?.fields ?? [],
    retryAfterMs: retryAfterMs(headers, now),
  });
}

/** Not checked: a foreign server's error may have anything in these fields, and they are only shown. */
function asProblem(json: unknown): ProblemBody {
  return json as ProblemBody;
}
