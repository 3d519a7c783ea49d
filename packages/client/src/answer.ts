import { EdgewiseError, type FieldError } from "./errors.ts";
import { retryAfterMs } from "./retry.ts";
import { readEvents, readLines } from "./stream.ts";

const WRONG_ADDRESS = "Check that `baseUrl` is the address of an Edgewise service.";

/** The data of a successful answer: JSON, nothing, or what is read piece by piece. */
export async function readAnswer(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (response.status === 204) return undefined;
  if (/[/+]json\b/.test(type)) return await response.json();
  if (type.startsWith("text/event-stream")) return readEvents(response, signal);
  if (/^(application\/x-ndjson|text\/plain)/.test(type)) return readLines(response, signal);
  throw new EdgewiseError({
    ...unknownProblem(response),
    code: "unexpected_answer",
    detail: `The answer is ${type || "of no type"} instead of JSON. ${WRONG_ADDRESS}`,
  });
}

type ProblemBody = {
  code?: string;
  detail?: string;
  requestId?: string;
  fields?: FieldError[];
  error?: { message?: string; code?: string };
};

/** The error of an answer that is no success, whoever gave it: the service, a model server behind it, or a server on the way. */
export async function readProblem(response: Response, now: number): Promise<EdgewiseError> {
  const { code, detail, requestId, fields = [], error }: ProblemBody = await response.json().catch(() => ({}));
  const unknown = unknownProblem(response);
  return new EdgewiseError({
    ...unknown,
    code: code ?? error?.code ?? unknown.code,
    detail: detail ?? error?.message ?? unknown.detail,
    requestId: requestId ?? unknown.requestId,
    fields,
    retryAfterMs: retryAfterMs(response.headers, now),
  });
}

function unknownProblem({ status, type, headers }: Response) {
  const isRedirect = type === "opaqueredirect" || (status >= 300 && status < 400);
  return {
    status,
    code: isRedirect ? "redirected" : "unexpected_answer",
    detail: isRedirect
      ? `The answer is a redirect, which is not followed because it would carry the key to another address. ${WRONG_ADDRESS}`
      : `The answer has the status ${status} and no explanation. ${WRONG_ADDRESS}`,
    requestId: headers.get("x-request-id"),
    fields: [],
    retryAfterMs: null,
  };
}
