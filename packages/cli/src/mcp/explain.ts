import { EdgewiseConnectionError, EdgewiseError } from "@edgewise/client";
import { SdkHttpError } from "@modelcontextprotocol/client";
import { describeFailure } from "#cli/failure";
import { textOf } from "./carry.ts";

/** What is wrong and what to do, in the words of the other commands. */
export function explainTransportError(error: unknown, url: string): string {
  if (error instanceof SdkHttpError) return describeFailure(toProblem(error), url).message;
  // fetch reports every failure to connect as this.
  if (error instanceof TypeError) return describeFailure(new EdgewiseConnectionError("", { cause: error }), url).message;
  return describeFailure(error, url).message;
}

function toProblem(error: SdkHttpError): EdgewiseError {
  const { code, detail, requestId } = parseProblem(textOf(error));
  const status = error.status ?? 0;
  return new EdgewiseError({
    status,
    code: code ?? "unexpected_answer",
    detail:
      detail ??
      `The service answered ${status} without an explanation. Check that the address is that of an Edgewise service with MCP.`,
    requestId: requestId ?? null,
    fields: [],
    retryAfterMs: null,
  });
}

function parseProblem(text: string | null): { code?: string; detail?: string; requestId?: string } {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter(
        ([name, field]) => ["code", "detail", "requestId"].includes(name) && typeof field === "string",
      ),
    );
  } catch {
    return {};
  }
}
