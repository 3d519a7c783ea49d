/** An answer from facts, in the form of a model's. */
type Answer = {
  /** The part of its ids after the prefix. */
  id: string;
  /** Unix seconds. */
  created: number;
  /** As the client named it. */
  model: string;
  text: string;
};

/** What a response repeats of its request, with OpenAI's defaults. */
const REPEATED = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: "default",
  store: true,
  temperature: 1,
  text: { format: { type: "text" }, verbosity: "medium" },
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  user: null,
} as const;

const NO_USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

type Body = Record<string, unknown>;

export function toResponse(answer: Answer, body: Body) {
  const { created } = answer;
  return { ...frame(answer, body), status: "completed", completed_at: created, output: [message(answer)], usage: NO_USAGE };
}

/** The same as server-sent events, in the order in which OpenAI sends them. */
export function toEvents(answer: Answer, body: Body): string {
  const begun = { ...frame(answer, body), status: "in_progress", completed_at: null, output: [], usage: null };
  const ofItem = { output_index: 0 };
  const ofPart = { ...ofItem, item_id: message(answer).id, content_index: 0 };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    { type: "response.output_item.added", ...ofItem, item: { ...message(answer), status: "in_progress", content: [] } },
    { type: "response.content_part.added", ...ofPart, part: part("") },
    { type: "response.output_text.delta", ...ofPart, delta: answer.text, logprobs: [] },
    { type: "response.output_text.done", ...ofPart, text: answer.text, logprobs: [] },
    { type: "response.content_part.done", ...ofPart, part: part(answer.text) },
    { type: "response.output_item.done", ...ofItem, item: message(answer) },
    { type: "response.completed", response: toResponse(answer, body) },
  ];
  return events
    .map(({ type, ...event }, i) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: i, ...event })}\n\n`)
    .join("");
}

function frame({ id, created, model }: Answer, body: Body) {
  const repeated = Object.entries(REPEATED).map(([name, value]) => [name, body[name] ?? value]);
  const outcome = { error: null, incomplete_details: null };
  return { id: `resp_${id}`, object: "response", created_at: created, model, ...outcome, ...Object.fromEntries(repeated) };
}

function message({ id, text }: Answer) {
  return { id: `msg_${id}`, type: "message", status: "completed", role: "assistant", content: [part(text)] };
}

function part(text: string) {
  return { type: "output_text", annotations: [], logprobs: [], text };
}
