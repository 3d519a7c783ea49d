/** A request to the Responses API, as OpenAI's clients send it. */
export const RESPONSE_REQUEST = { model: "gpt-5-mini", input: "What should I cook tonight?", user: "alice" };

export const RESPONSE = {
  id: "resp_01a1f92c",
  object: "response",
  created_at: 1772357400,
  status: "completed",
  model: "gpt-5-mini",
  output: [
    {
      id: "msg_01a1f92c",
      type: "message",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: "A vegetable curry, without peanuts.", annotations: [] }],
    },
  ],
  usage: { input_tokens: 52, output_tokens: 9, total_tokens: 61 },
};

export const DELETED_RESPONSE = { id: "resp_01a1f92c", object: "response", deleted: true };

export const INPUT_ITEMS = {
  object: "list",
  data: [
    {
      id: "msg_01a1f92d",
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "What should I cook tonight?" }],
    },
  ],
  first_id: "msg_01a1f92d",
  last_id: "msg_01a1f92d",
  has_more: false,
};
