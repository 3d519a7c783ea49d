import { upstreamFailed } from "#core/errors";
import { isRecord } from "#core/is-record";
import { separateReasoning } from "#core/text/reasoning";
import type { ChatReply, ChatUsage } from "#ports/chat-model";

/** A chat completion in OpenAI's form. Its text never enters an error message. */
export function readCompletion(body: unknown, who: string): ChatReply {
  const choice = isRecord(body) && Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isRecord(body) || !isRecord(choice) || !isRecord(choice.message)) throw upstreamFailed(`${who} answered no completion.`);
  const { message, finish_reason } = choice;
  const usage = readUsage(body.usage);
  const reasoned = [message.reasoning_content, message.reasoning].some(isText);
  if (isText(message.refusal) || finish_reason === "content_filter") return { kind: "refused", usage };
  return toReply(textOf(message.content), { usage, reasoned, cut: finish_reason === "length" });
}

/**
 * The older form of Workers AI: `{response, usage}`, where `response` is text or, with a schema, the parsed object. It has no finish
 * reason: a reply with as many tokens as allowed was cut.
 */
export function readResponse(body: Record<string, unknown>, maxTokens: number): ChatReply {
  const { response } = body;
  const usage = readUsage(body.usage);
  const reasoned = [body.reasoning_content, body.reasoning].some(isText);
  const text = isRecord(response) ? JSON.stringify(response) : textOf(response);
  return toReply(text, { usage, reasoned, cut: usage !== null && usage.outputTokens >= maxTokens });
}

function toReply(whole: string, { usage, reasoned, cut }: { usage: ChatUsage; reasoned: boolean; cut: boolean }): ChatReply {
  const { reasoning, text } = separateReasoning(whole);
  if (cut) return { kind: "cut", text, usage };
  if (text.trim() === "") return { kind: "silent", reasoned: reasoned || isText(reasoning), usage };
  return { kind: "text", text, usage };
}

/** Content is a string, nothing, or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}

function readUsage(usage: unknown): ChatUsage {
  if (!isRecord(usage) || !isCount(usage.prompt_tokens) || !isCount(usage.completion_tokens)) return null;
  return { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
