import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Caller, Services } from "#context";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { problemBody, STATUS } from "#surfaces/rest/problem";

type Reporting = Pick<Caller & Services, "requestId" | "log">;

/** The sentence for the model: what is wrong and what to do. A stranger's error is logged, and becomes one fixed sentence. */
export function messageOf(error: unknown, { requestId, log }: Reporting): string {
  const isOurs = error instanceof AppError && STATUS[error.code] < 500;
  if (!isOurs) log("request.failed", { requestId, method: "POST", route: "/mcp", ...describeError(error) });
  const { detail, error: withFields } = problemBody(error, { requestId, openAi: true });
  const message = withFields?.message ?? detail;
  return isOurs ? message : `${message} Request id: ${requestId}.`;
}

/** The same for resources and prompts, which have no results with `isError`. */
export function toProtocolError(error: unknown, reporting: Reporting): ProtocolError {
  const isOurs = error instanceof AppError && STATUS[error.code] < 500;
  return new ProtocolError(
    isOurs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    messageOf(error, reporting),
  );
}
