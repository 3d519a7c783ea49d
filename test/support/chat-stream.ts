import type { ServerResponse } from "node:http";
import type { ChatBody, measured } from "#test/chat-answers";

export type StreamFault = { slow: number } | "hang in body" | "hang up half-way" | "error event" | undefined;

type Measured = ReturnType<typeof measured>;
type Chunk = { delta: Record<string, unknown>; finish: string | null };

/** Sends the answer word by word as server-sent events, as OpenAI does. */
export async function stream(response: ServerResponse, body: ChatBody, answer: Measured, fault: StreamFault): Promise<void> {
  const chunks = chunksOf(answer);
  const frame = { id: "chatcmpl-test", object: "chat.completion.chunk", created: seconds(), model: body.model };
  const wantsUsage = body.stream_options?.include_usage === true;
  const event = (value: unknown) => response.write(`data: ${JSON.stringify(value)}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  for (const [position, { delta, finish }] of chunks.entries()) {
    if (response.destroyed) return;
    if (position > 0 && typeof fault === "object") await pause(fault.slow);
    if (position > 0 && fault === "hang in body") return;
    if (position >= chunks.length / 2 && fault === "hang up half-way") return void response.destroy();
    if (position >= chunks.length / 2 && fault === "error event") {
      event({ error: { message: "The server had an error.", type: "server_error" } });
      return void response.end();
    }
    event({ ...frame, choices: [{ index: 0, delta, finish_reason: finish }], ...(wantsUsage ? { usage: null } : {}) });
    // A write must have left before the next, or a fast stream would arrive as one piece.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (wantsUsage) event({ ...frame, choices: [], usage: totalled(answer.usage) });
  response.end("data: [DONE]\n\n");
}

function chunksOf({ content, reasoning, refusal, toolCalls, finishReason }: Measured): Chunk[] {
  const deltas: Record<string, unknown>[] = [{ role: "assistant", content: "" }];
  for (const reasoning_content of words(reasoning)) deltas.push({ reasoning_content });
  for (const part of words(content)) deltas.push({ content: part });
  for (const part of words(refusal)) deltas.push({ refusal: part });
  for (const [index, call] of (toolCalls ?? []).entries()) {
    const { name, arguments: text } = call.function;
    deltas.push({ tool_calls: [{ index, id: call.id, type: call.type, function: { name, arguments: "" } }] });
    for (const part of words(text)) deltas.push({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  return [...deltas.map((delta) => ({ delta, finish: null })), { delta: {}, finish: finishReason }];
}

function words(text: string | null | undefined): string[] {
  return text?.match(/\s*\S+\s*$|\s*\S+/gu) ?? [];
}

export function totalled(usage: { prompt_tokens: number; completion_tokens: number }) {
  return { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens };
}

export function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
