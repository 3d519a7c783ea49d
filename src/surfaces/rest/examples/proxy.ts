/** A chat completion, as OpenAI's clients send it. */
export const COMPLETION_REQUEST = {
  model: "gpt-5-mini",
  messages: [{ role: "user", content: "What should I cook tonight?" }],
  user: "alice",
};

export const COMPLETION = {
  id: "chatcmpl-01a1f92c",
  object: "chat.completion",
  created: 1772357400,
  model: "gpt-5-mini",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "A vegetable curry, without peanuts.", refusal: null },
      finish_reason: "stop",
      logprobs: null,
    },
  ],
  usage: { prompt_tokens: 52, completion_tokens: 9, total_tokens: 61 },
};

export const MODELS = { object: "list" as const, data: [{ id: "gpt-5-mini" }] };

export const MODEL = { id: "gpt-5-mini", object: "model", created: 1754586600, owned_by: "openai" };

/** A request for embeddings, as OpenAI's clients send it. */
export const EMBEDDINGS_REQUEST = { model: "text-embedding-3-small", input: "What should I cook tonight?" };

export const EMBEDDINGS = {
  object: "list",
  model: "text-embedding-3-small",
  data: [{ object: "embedding", index: 0, embedding: [0.012, -0.034, 0.056] }],
  usage: { prompt_tokens: 6, total_tokens: 6 },
};
