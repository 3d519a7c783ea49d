/** An answer from facts, in the form of a model's answer. */
type Answer = {
  id: string;
  /** Unix seconds. */
  created: number;
  /** As the client named it. */
  model: string;
  text: string;
  /** How many choices the request asks for; all are equal. */
  n: number;
};

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

export function toCompletion({ id, created, model, text, n }: Answer) {
  const message = { role: "assistant", content: text, refusal: null };
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: choices(n).map((index) => ({ index, message, logprobs: null, finish_reason: "stop" })),
    usage: NO_USAGE,
  };
}

/** The same as server-sent events, with `[DONE]` at the end. */
export function toEvents({ id, created, model, text, n }: Answer, includeUsage: boolean): string {
  const frame = { id, object: "chat.completion.chunk", created, model, ...(includeUsage ? { usage: null } : {}) };
  const deltas = [
    { delta: { role: "assistant", content: "" }, finish_reason: null },
    { delta: { content: text }, finish_reason: null },
    { delta: {}, finish_reason: "stop" },
  ];
  const chunks: object[] = deltas.flatMap(({ delta, finish_reason }) =>
    choices(n).map((index) => ({ ...frame, choices: [{ index, delta, logprobs: null, finish_reason }] })),
  );
  if (includeUsage) chunks.push({ ...frame, choices: [], usage: NO_USAGE });
  return [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
}

function choices(n: number): number[] {
  return Array.from({ length: n }, (_, index) => index);
}
