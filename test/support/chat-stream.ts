import type { ServerResponse } from "node:http";
import type { ChatBody, measured } from "#test/chat-answers";

/** Responses that the server broke off itself. */
export const gone = new WeakSet<ServerResponse>();

export type StreamFault = { slow: number } | "hang in body" | "hang up half-way" | "error event" | undefined;

type Measured = ReturnType<typeof measured>;
type Chunk = { delta: Record<string, unknown>; finish: string | null };

/** Sends the answer word by word as server-sent events, as OpenAI does. */
export async function stream(response: ServerResponse, body: ChatBody, answer: Measured, fault: StreamFault): Promise<void> {
  const chunks = chunksOf(answer);
  const frame = { id: "chatcmpl-test", object: "chat.completion.chunk", created: seconds(), model: body.model };
  const wantsUsage = body.stream_options?.include_usage === true;
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const frames = chunks.map(({ delta, finish }) =>
    event({ ...frame, choices: [{ index: 0, delta, finish_reason: finish }], ...(wantsUsage ? { usage: null } : {}) }),
  );
  const failure = event({ error: { message: "The server had an error.", type: "server_error" } });
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  if (!(await sendFrames(response, frames, { fault, failure }))) return;
  if (wantsUsage) response.write(event({ ...frame, choices: [], usage: totalled(answer.usage) }));
  response.end("data: [DONE]\n\n");
}

/** Sends the frames one by one, with the fault; whether all were sent. */
export async function sendFrames(
  response: ServerResponse,
  frames: readonly string[],
  { fault, failure }: { fault: StreamFault; failure: string },
): Promise<boolean> {
  for (const [position, frame] of frames.entries()) {
    if (response.destroyed) return false;
    if (position > 0 && typeof fault === "object") await pause(fault.slow);
    if (position > 0 && fault === "hang in body") return false;
    if (position >= frames.length / 2 && fault === "hang up half-way") {
      gone.add(response);
      response.destroy();
      return false;
    }
    if (position >= frames.length / 2 && fault === "error event") {
      response.end(failure);
      return false;
    }
    response.write(frame);
    // A write must have left before the next, or a fast stream would arrive as one piece.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return true;
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

export function words(text: string | null | undefined): string[] {
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
