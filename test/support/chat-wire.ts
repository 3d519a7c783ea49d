import type { ServerResponse } from "node:http";
import type { ChatBody, measured } from "#test/chat-answers";
import { type StreamFault, seconds, totalled } from "#test/chat-stream";

/** Responses that the server broke off itself. */
export const gone = new WeakSet<ServerResponse>();

export function breakOff(response: ServerResponse): void {
  gone.add(response);
  response.destroy();
}

export async function sendWhole(
  response: ServerResponse,
  body: ChatBody,
  received: ReturnType<typeof measured>,
  fault: StreamFault,
) {
  const { content, reasoning, refusal = null, toolCalls, finishReason, usage } = received;
  const message = {
    role: "assistant",
    content,
    refusal,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
  };
  const whole = {
    id: "chatcmpl-test",
    object: "chat.completion",
    created: seconds(),
    model: body.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: totalled(usage),
  };
  const text = JSON.stringify(whole);
  if (typeof fault === "object") await new Promise((resolve) => setTimeout(resolve, fault.slow));
  if (fault === undefined || typeof fault === "object") return send(response, 200, whole);
  response.writeHead(200, { "content-type": "application/json" }).write(text.slice(0, text.length / 2));
  if (fault !== "hang in body") setTimeout(() => breakOff(response), 10);
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

export const MODELS = {
  object: "list",
  data: ["echo", "echo-mini"].map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "edgewise" })),
};

export function complaint(message: string) {
  return { error: { message, type: "invalid_request_error", param: null, code: null } };
}

/** In OpenAI's words for its reasoning models. */
export function unsupported(param: string) {
  const instead = param === "max_tokens" ? " Use 'max_completion_tokens' instead." : "";
  const message = `Unsupported parameter: '${param}' is not supported with this model.${instead}`;
  return { error: { message, type: "invalid_request_error", param, code: "unsupported_parameter" } };
}
