import type { ServerResponse } from "node:http";
import { type StreamFault, sendFrames, words } from "#test/chat-stream";
import type { Item } from "#test/response-items";

type Event = { type: string; [name: string]: unknown };
type Whole = { status: string; output: Item[]; [name: string]: unknown };

/** Sends a response as the typed events that OpenAI documents, its texts word by word. */
export async function streamResponse(response: ServerResponse, whole: Whole, fault: StreamFault): Promise<void> {
  const begun = { ...whole, status: "in_progress", output: [], usage: null, incomplete_details: null };
  const events: Event[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...whole.output.flatMap(eventsOf),
    { type: `response.${whole.status}`, response: whole },
  ];
  const failure = frameOf(
    { type: "error", code: "server_error", message: "The server had an error.", param: null },
    events.length,
  );
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  if (await sendFrames(response, events.map(frameOf), { fault, failure })) response.end();
}

function frameOf({ type, ...event }: Event, sequence_number: number): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...event })}\n\n`;
}

function eventsOf(item: Item, output_index: number): Event[] {
  const { content, summary, arguments: text } = item;
  const begun = {
    ...item,
    ...("status" in item ? { status: "in_progress" } : {}),
    ...(content === undefined ? {} : { content: [] }),
    ...(summary === undefined ? {} : { summary: [] }),
    ...(text === undefined ? {} : { arguments: "" }),
  };
  const within = { item_id: item.id, output_index };
  return [
    { type: "response.output_item.added", output_index, item: begun },
    ...partsIn(content).flatMap((part, content_index) => eventsOfPart(part, { ...within, content_index })),
    ...partsIn(summary).flatMap((part, summary_index) => eventsOfSummary(part, { ...within, summary_index })),
    ...(typeof text === "string" ? eventsOfCall(text, { ...within, name: item.name }) : []),
    { type: "response.output_item.done", output_index, item },
  ];
}

type Part = { type: string; text?: string; refusal?: string };

function partsIn(parts: unknown): Part[] {
  return Array.isArray(parts) ? parts : [];
}

function eventsOfPart(part: Part, at: object): Event[] {
  const name = part.type === "refusal" ? "refusal" : "text";
  const type = part.type === "refusal" ? "response.refusal" : "response.output_text";
  const text = part[name] ?? "";
  const logprobs = name === "text" ? { logprobs: [] } : {};
  return [
    { type: "response.content_part.added", ...at, part: { ...part, [name]: "" } },
    ...words(text).map((delta) => ({ type: `${type}.delta`, ...at, delta, ...logprobs })),
    { type: `${type}.done`, ...at, [name]: text, ...logprobs },
    { type: "response.content_part.done", ...at, part },
  ];
}

function eventsOfSummary(part: Part, at: object): Event[] {
  const { text = "" } = part;
  return [
    { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
    ...words(text).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
    { type: "response.reasoning_summary_text.done", ...at, text },
    { type: "response.reasoning_summary_part.done", ...at, part },
  ];
}

function eventsOfCall(text: string, { name, ...at }: { name: unknown; [field: string]: unknown }): Event[] {
  return [
    ...words(text).map((delta) => ({ type: "response.function_call_arguments.delta", ...at, delta })),
    { type: "response.function_call_arguments.done", ...at, name, arguments: text },
  ];
}
