import { EdgewiseConnectionError, EdgewiseError, EdgewiseTimeoutError, type FieldError } from "@edgewise/client";
import { CliError, ExitCode } from "./exit-code.ts";
import { printable } from "./terminal/printable.ts";

export type Failure = { exitCode: ExitCode; message: string; details: string[] };

const EXIT_CODES: Record<number, ExitCode> = {
  400: ExitCode.usage,
  401: ExitCode.forbidden,
  403: ExitCode.forbidden,
  404: ExitCode.notFound,
  413: ExitCode.usage,
  422: ExitCode.usage,
};

/** What somebody is told about an error: what is wrong and what to do. `details` are for `--verbose`. */
export function describeFailure(error: unknown, url: string): Failure {
  if (error instanceof CliError) return { exitCode: error.exitCode, message: error.message, details: [] };
  if (error instanceof EdgewiseTimeoutError) {
    return { exitCode: ExitCode.failure, message: `${url} did not answer in time. Try again.`, details: [] };
  }
  if (error instanceof EdgewiseConnectionError) {
    return { exitCode: ExitCode.failure, message: unreachable(url), details: causesOf(error) };
  }
  if (error instanceof EdgewiseError) return describeProblem(error, url);
  return { exitCode: ExitCode.failure, message: unexpected(error), details: causesOf(error) };
}

function describeProblem(problem: EdgewiseError, url: string): Failure {
  const error = checkTypes(problem);
  const exitCode = EXIT_CODES[error.status] ?? ExitCode.failure;
  const request = error.requestId === null ? "" : `, request ${error.requestId}`;
  const details = [`${error.status} ${error.code}${request}`, error.detail].map(printable);
  return { exitCode, message: printable(messageOf(error, url)), details };
}

type Shown = Pick<EdgewiseError, "status" | "code" | "detail" | "requestId" | "fields">;

/** A server that is not Edgewise may answer with an error whose parts have any type. */
function checkTypes({ status, requestId, ...foreign }: EdgewiseError): Shown {
  const { code, detail, fields }: Record<"code" | "detail" | "fields", unknown> = foreign;
  return {
    status,
    requestId,
    code: typeof code === "string" ? code : "unexpected_answer",
    detail: typeof detail === "string" ? detail : `The answer is not one of Edgewise: status ${status}. Check the address.`,
    fields: Array.isArray(fields) ? fields.filter(isFieldError) : [],
  };
}

function isFieldError(value: unknown): value is FieldError {
  return (
    typeof value === "object" &&
    value !== null &&
    "path" in value &&
    "message" in value &&
    typeof value.path === "string" &&
    typeof value.message === "string"
  );
}

/** The service's own sentence, with what it means on the command line where that has other words. */
function messageOf({ status, code, detail, fields }: Shown, url: string): string {
  if (status === 401) return `${url} does not accept the key. Run \`edgewise login\`, or correct EDGEWISE_KEY.`;
  if (code === "invalid_input" && fields.some(({ path }) => path === "userId" || path === "x-edgewise-user")) {
    return "Name the user: --user alice, or EDGEWISE_USER, or store one with `edgewise login --user alice`. This key acts for every user of its tenant.";
  }
  const more = fields.filter(({ message }) => !detail.includes(message)).map((field) => `\n  ${field.path}: ${field.message}`);
  return `${detail}${more.join("")}`;
}

function unreachable(url: string): string {
  const { hostname, port } = new URL(url);
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  const start = `Start it with \`npm run dev${port === "8787" || port === "" ? "" : ` -- --port ${port}`}\` in the folder of Edgewise`;
  return `There is no answer from ${url}. ${isLocal ? start : "Check the address and the connection"}, or name another service with --url or EDGEWISE_URL.`;
}

/** Messages of strangers may hold anything; of a system error only the code is known to be harmless. */
function unexpected(error: unknown): string {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  return `Something unexpected went wrong${code}. Run it again with --verbose to see where.`;
}

function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  const frames = (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 5);
  return [`${error.name}${code}`, ...frames, ...causesOf(error.cause)].map(printable);
}
