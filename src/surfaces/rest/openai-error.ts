import { z } from "@hono/zod-openapi";
import { type FieldIssue, sentenceOf } from "#core/errors";

export const OpenAiError = z
  .object({ message: z.string(), type: z.string(), code: z.string(), param: z.string().nullable() })
  .meta({ id: "OpenAiError", description: "The same in OpenAI's words, on /v1/chat/completions and /v1/models" });

const TYPES: Record<number, string> = { 401: "authentication_error", 403: "permission_error", 429: "rate_limit_error" };

type OpenAiFailure = { status: number; code: string; detail: string; fields: readonly FieldIssue[] };

/** What OpenAI's SDKs show of an error: `message`, with the fields that are wrong. */
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
