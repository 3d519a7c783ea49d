import type { ServerResponse } from "node:http";
import type { ChatBody, measured } from "#test/chat-answers";
import { gone, type StreamFault, seconds, stream, totalled } from "#test/chat-stream";

export function breakOff(response: ServerResponse): void {
  gone.add(response);
  response.destroy();
}

/** Sends what was answered, in the form of one API. */
export type Send = (response: ServerResponse, received: ReturnType<typeof measured>, fault: StreamFault) => Promise<void>;

export function sendCompletion(body: ChatBody): Send {
  return async (response, received, fault) =>
    body.stream === true ? await stream(response, body, received, fault) : await sendWhole(response, { body, received, fault });
}

type Sent = { body: ChatBody; received: ReturnType<typeof measured>; fault: StreamFault };

async function sendWhole(response: ServerResponse, { body, received, fault }: Sent): Promise<void> {
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
  await sendJson(response, whole, fault);
}

/** Sends an answer in one piece, with the fault. */
export async function sendJson(response: ServerResponse, whole: unknown, fault: StreamFault): Promise<void> {
  const text = JSON.stringify(whole);
  if (typeof fault === "object") await new Promise((resolve) => setTimeout(resolve, fault.slow));
  if (fault === undefined || typeof fault === "object") return send(response, 200, whole);
  response.writeHead(200, { "content-type": "application/json" }).write(text.slice(0, text.length / 2));
  if (fault !== "hang in body") setTimeout(() => breakOff(response), 10);
}

type Raw = { raw: string; type?: string; times?: number | "endless"; breakOff?: boolean };

export async function sendRaw(response: ServerResponse, { raw, type, times = 1, breakOff: breaks = false }: Raw): Promise<void> {
  response.writeHead(200, type === undefined ? {} : { "content-type": type });
  const last = times === "endless" ? Number.POSITIVE_INFINITY : times;
  for (let sent = 0; sent < last && !response.destroyed; sent += 1) {
    if (!response.write(raw)) await drained(response);
  }
  if (!breaks) return void response.end();
  // What was written must have left before.
  setTimeout(() => breakOff(response), 10);
}

async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once("drain", resolve).once("close", resolve);
  await promise;
  response.off("drain", resolve).off("close", resolve);
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

/** In OpenAI's words for its first reasoning models. */
export function unsupportedRole(position: number, role: string) {
  const message = `messages[${position}].role does not support '${role}' with this model.`;
  return { error: { message, type: "invalid_request_error", param: `messages[${position}].role`, code: "unsupported_value" } };
}
