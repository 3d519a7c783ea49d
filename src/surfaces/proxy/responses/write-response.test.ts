import { expect, it } from "vitest";
import { createReplyReader } from "#surfaces/proxy/reply-reader";
import { RESPONSE_REPLY } from "./read-reply.ts";
import { toEvents, toResponse } from "./write-response.ts";

const answer = { id: "1", created: 1_700_000_000, model: "m", text: "Grün: 1\n2" };

it("is a response with the message, and repeats what was requested", () => {
  const response = toResponse(answer, { instructions: "Be brief.", metadata: { a: "b" }, store: false, input: "Which?" });
  expect(response).toMatchObject({
    id: "resp_1",
    object: "response",
    status: "completed",
    model: "m",
    instructions: "Be brief.",
    metadata: { a: "b" },
    store: false,
    tool_choice: "auto",
    usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
  });
  expect(response.output).toMatchObject([
    { id: "msg_1", role: "assistant", content: [{ type: "output_text", text: answer.text }] },
  ]);
  expect(response).not.toHaveProperty("input");
});

it("is the sequence of events that OpenAI documents, which comes to the same", () => {
  const text = toEvents(answer, {});
  const events = text
    .split("\n\n")
    .filter(Boolean)
    .map((frame) => /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [])
    .map(([, name, json = "null"]) => ({ name, ...JSON.parse(json) }));
  expect(events.map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(events.map(({ name }) => name)).toEqual(events.map(({ type }) => type));
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
  expect(events.at(-1).response).toEqual(toResponse(answer, {}));
  const reader = createReplyReader(RESPONSE_REPLY);
  reader.add(new TextEncoder().encode(text));
  expect(reader.text()).toBe(answer.text);
});
