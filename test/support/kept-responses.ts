import type { ServerResponse } from "node:http";
import type { ChatBody, measured } from "#test/chat-answers";
import { type StreamFault, seconds } from "#test/chat-stream";
import { complaint, type Send, send, sendJson } from "#test/chat-wire";
import { type Item, itemsOf, newId, outputOf, type ResponseBody, toChatBody } from "#test/response-items";
import { streamResponse } from "#test/response-stream";

type Response = { id: string; status: string; output: Item[]; [name: string]: unknown };

/** What the server keeps of the Responses API, under one account, as OpenAI does. */
export type Kept = {
  /** A response, the items that the model was given before it, and those that its own request brought. */
  responses: Map<string, { response: Response; context: Item[]; own: Item[] }>;
  conversations: Map<string, Item[]>;
};

export const nothingKept = (): Kept => ({ responses: new Map(), conversations: new Map() });

type Refusal = { status: number; error: { error: Record<string, unknown> } };

/** A request that can be answered: as a chat completion, with the function that sends what was answered as a response. */
export type Prepared = { chat: ChatBody; send: Send };

/** Reads a request to `POST /v1/responses`, with what is kept of the conversation. */
export function prepareResponse(kept: Kept, body: ResponseBody): Prepared | Refusal {
  if (typeof body.model !== "string") return refusal(400, "Missing required parameter: 'model'.", { param: "model" });
  const earlier = earlierItems(kept, body);
  if ("status" in earlier) return earlier;
  const own = itemsOf(body.input, (id) => itemIn(kept, id));
  if ("missing" in own) return refusal(404, `Item with id '${own.missing}' not found.`, { param: "input" });
  const context = [...earlier, ...own];
  const finish: Send = (answer, measuredAnswer, fault) =>
    sendResponse(kept, answer, { body, context, own, measuredAnswer, fault });
  return { chat: toChatBody(body, context), send: finish };
}

type Finished = {
  body: ResponseBody;
  context: Item[];
  own: Item[];
  measuredAnswer: ReturnType<typeof measured>;
  fault: StreamFault;
};

async function sendResponse(kept: Kept, answer: ServerResponse, { body, context, own, measuredAnswer, fault }: Finished) {
  const response = toResponse(body, measuredAnswer);
  if (body.store !== false) kept.responses.set(response.id, { response, context, own });
  kept.conversations.get(conversationOf(body) ?? "")?.push(...own, ...response.output);
  if (body.stream === true) return await streamResponse(answer, response, fault);
  if (body.background === true) return send(answer, 200, { ...response, status: "queued", output: [], usage: null });
  await sendJson(answer, response, fault);
}

function earlierItems(kept: Kept, body: ResponseBody): Item[] | Refusal {
  const previous = body.previous_response_id;
  if (typeof previous === "string") {
    const found = kept.responses.get(previous);
    const detail = { param: "previous_response_id", code: "previous_response_not_found" };
    if (found === undefined) return refusal(400, `Previous response with id '${previous}' not found.`, detail);
    return [...found.context, ...found.response.output];
  }
  const conversation = conversationOf(body);
  if (conversation === null) return [];
  return kept.conversations.get(conversation) ?? refusal(404, `Conversation with id '${conversation}' not found.`, {});
}

function conversationOf({ conversation }: ResponseBody): string | null {
  return typeof conversation === "object" && conversation !== null ? conversation.id : (conversation ?? null);
}

function itemIn({ responses }: Kept, id: string): Item | undefined {
  for (const { response, own } of responses.values()) {
    const found = [...own, ...response.output].find((item) => item.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toResponse(body: ResponseBody, answer: ReturnType<typeof measured>): Response {
  const { usage, finishReason } = answer;
  const isCut = finishReason === "length";
  return {
    id: newId("resp"),
    object: "response",
    created_at: seconds(),
    status: isCut ? "incomplete" : "completed",
    background: body.background ?? false,
    error: null,
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model: body.model,
    output: outputOf(answer),
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    store: body.store ?? true,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: body.tools ?? [],
    top_p: 1,
    truncation: "disabled",
    usage: {
      input_tokens: usage.prompt_tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.completion_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.prompt_tokens + usage.completion_tokens,
    },
    user: body.user ?? null,
  };
}

/** The status and the body of an answer about one kept response: GET and DELETE of it, its cancellation and its input. */
export function aboutKept({ responses }: Kept, { method, path }: { method: string; path: string }): [number, unknown] {
  const [, id = "", below = ""] = /^\/v1\/responses\/([^/]+)(\/\w+)?$/.exec(path) ?? [];
  const found = responses.get(id);
  if (found === undefined) return [404, complaint(`Response with id '${id}' not found.`)];
  const { response, context } = found;
  switch (`${method} ${below}`) {
    case "GET ":
      return [200, response];
    case "DELETE ":
      responses.delete(id);
      return [200, { id, object: "response", deleted: true }];
    case "POST /cancel":
      if (response.background !== true) return [400, complaint("Cannot cancel a synchronous response.")];
      response.status = "cancelled";
      return [200, response];
    case "GET /input_items": {
      const data = context.toReversed();
      const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
      return [200, { object: "list", data, ...ends, has_more: false }];
    }
    default:
      return [405, complaint("no such method")];
  }
}

function refusal(status: number, message: string, detail: { param?: string; code?: string }): Refusal {
  return { status, error: { error: { ...complaint(message).error, ...detail } } };
}
