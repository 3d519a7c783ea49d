import { randomUUID } from "node:crypto";
import { type ChatBody, type measured, textOf } from "#test/chat-answers";

/** An item of a conversation in the Responses API. */
export type Item = { id: string; type: string; [name: string]: unknown };

export type ResponseBody = {
  model: string;
  input?: string | Record<string, unknown>[];
  instructions?: string | null;
  stream?: boolean;
  store?: boolean;
  background?: boolean;
  previous_response_id?: string | null;
  conversation?: string | { id: string } | null;
  max_output_tokens?: number;
  text?: { format?: { type: string } };
  tools?: { type: string; name: string }[];
} & Record<string, unknown>;

type Message = ChatBody["messages"][number];

export const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll("-", "")}`;

/** The items of an input, each with an id. `known` finds the item of a reference; what it does not find is returned as `missing`. */
export function itemsOf(input: ResponseBody["input"], known: (id: string) => Item | undefined): Item[] | { missing: string } {
  const given = typeof input === "string" ? [{ role: "user", content: input }] : (input ?? []);
  const items: Item[] = [];
  for (const item of given) {
    const isReference = item.type === "item_reference" || (item.type === undefined && item.role === undefined);
    const found = isReference ? known(String(item.id)) : undefined;
    if (isReference && found === undefined) return { missing: String(item.id) };
    items.push(found ?? withId(item));
  }
  return items;
}

function withId(item: Record<string, unknown>): Item {
  const { id, type = "message" } = item;
  const made = { ...item, type: String(type), id: typeof id === "string" ? id : newId(type === "message" ? "msg" : "item") };
  const { content, role } = item;
  if (typeof content !== "string") return made;
  return { ...made, content: [{ type: role === "assistant" ? "output_text" : "input_text", text: content }] };
}

/** The same request as a chat completion, so that both are answered alike. */
export function toChatBody(
  { model, instructions, tools, max_output_tokens, text, ...body }: ResponseBody,
  items: readonly Item[],
): ChatBody {
  const messages = items.flatMap(messageOf);
  return {
    model,
    messages: typeof instructions === "string" ? [{ role: "system", content: instructions }, ...messages] : messages,
    ...(body.stream === undefined ? {} : { stream: body.stream }),
    ...(max_output_tokens === undefined ? {} : { max_completion_tokens: max_output_tokens }),
    ...(tools === undefined ? {} : { tools: tools.map(({ type, name }) => ({ type, function: { name } })) }),
    ...(text?.format === undefined ? {} : { response_format: text.format }),
  };
}

function messageOf({ type, role, content, output, call_id }: Item): Message[] {
  if (type === "message") return [{ role: String(role), content: textOf(content) }];
  if (type === "function_call_output") return [{ role: "tool", content: textOf(output), tool_call_id: String(call_id) }];
  return type === "function_call" ? [{ role: "assistant", content: null }] : [];
}

/** What a model answered, as items of the output. */
export function outputOf({ content, reasoning, refusal, toolCalls, finishReason }: ReturnType<typeof measured>): Item[] {
  const status = finishReason === "length" ? "incomplete" : "completed";
  const parts = [
    ...(content === null ? [] : [{ type: "output_text", annotations: [], logprobs: [], text: content }]),
    ...(refusal === undefined ? [] : [{ type: "refusal", refusal }]),
  ];
  return [
    ...(reasoning === undefined
      ? []
      : [{ id: newId("rs"), type: "reasoning", summary: [{ type: "summary_text", text: reasoning }] }]),
    ...(parts.length === 0 ? [] : [{ id: newId("msg"), type: "message", status, role: "assistant", content: parts }]),
    ...(toolCalls ?? []).map(({ id, function: { name, arguments: text } }) => {
      return { id: newId("fc"), type: "function_call", status: "completed", call_id: id, name, arguments: text };
    }),
  ];
}
