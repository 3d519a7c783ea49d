import { isRecord } from "#core/is-record";
import type { ChatTurn } from "#domain/injection";

/** An item of a conversation, in any form that a client sends. */
export type InputItem = Record<string, unknown>;

type Conversation = { instructions?: unknown; input?: string | readonly InputItem[] | undefined };

/**
 * The conversation of a request to the Responses API as messages of chat completions. What an assistant says and the tools that it calls
 * are items of their own here and one message there. Reasoning and tools that the model server runs itself are left out.
 */
export function turnsIn({ instructions, input = [] }: Conversation): ChatTurn[] {
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const turns: ChatTurn[] = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  for (const item of items) {
    const turn = turnOf(item);
    const before = turns.at(-1);
    if (turn?.role === "assistant" && before?.role === "assistant") turns[turns.length - 1] = joined(before, turn);
    else if (turn !== null) turns.push(turn);
  }
  return turns;
}

function turnOf(item: InputItem): ChatTurn | null {
  const { type, role, content, name, id } = item;
  if (typeof role === "string") return { role, content: contentOf(content), ...(typeof name === "string" ? { name } : {}) };
  // A message that the model server has. It is a reply: the AI SDK refers to replies so.
  if (isReference(item)) return typeof id === "string" && id.startsWith("msg_") ? { role: "assistant", content: [] } : null;
  if (typeof type !== "string") return null;
  // The client reports the result of a tool that it ran.
  if (type.endsWith("_output")) return { role: "tool", content: contentOf(item.output) };
  // A tool that the client runs has an id by which the result refers to it; one that the model server runs has none.
  if (typeof item.call_id === "string") return { role: "assistant", content: [], tool_calls: [item] };
  return null;
}

/** An item that the model server has; `type` may be left out. */
function isReference({ type, role }: InputItem): boolean {
  return type === "item_reference" || (type == null && role === undefined);
}

function joined(one: ChatTurn, other: ChatTurn): ChatTurn {
  const calls = [one, other].flatMap(({ tool_calls }) => (Array.isArray(tool_calls) ? tool_calls : []));
  const content = [one, other].flatMap(partsOf);
  return { role: "assistant", content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}

function partsOf({ content }: ChatTurn): unknown[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

const TEXT_TYPES: readonly unknown[] = ["input_text", "output_text"];

function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part) => (isRecord(part) && TEXT_TYPES.includes(part.type) ? { type: "text", text: part.text } : part));
}
