import { expect, it } from "vitest";
import { headersFromUpstream, memoryHeader, toCompletion, toEvents } from "./answers.ts";

it("brings back what a client looks at, and neither lengths, encodings nor cookies", () => {
  const given = new Headers({
    "content-type": "application/json",
    "content-encoding": "gzip",
    "content-length": "5",
    "transfer-encoding": "chunked",
    "set-cookie": "a=b",
    "access-control-allow-origin": "*",
    "x-edgewise-memory": "injected; items=99; tokens=1",
    "retry-after": "3",
    "retry-after-ms": "3000",
    "x-should-retry": "false",
    "x-ratelimit-remaining-tokens": "9",
    "openai-processing-ms": "12",
    "x-request-id": "req_1",
  });
  expect(Object.fromEntries(headersFromUpstream(given))).toEqual({
    "content-type": "application/json",
    "retry-after": "3",
    "retry-after-ms": "3000",
    "x-should-retry": "false",
    "x-ratelimit-remaining-tokens": "9",
    "openai-processing-ms": "12",
    "x-upstream-request-id": "req_1",
  });
});

it("says what became of memory, in ASCII", () => {
  expect([
    memoryHeader({ kind: "off" }),
    memoryHeader({ kind: "none" }),
    memoryHeader({ kind: "injected", items: 3, tokens: 120 }),
    memoryHeader({ kind: "answered", topic: null }),
    memoryHeader({ kind: "answered", topic: "颜色; x=1" }),
    memoryHeader({ kind: "skipped", reason: "timeout" }),
  ]).toEqual([
    "off",
    "none",
    "injected; items=3; tokens=120",
    "answered",
    "answered; topic=%E9%A2%9C%E8%89%B2%3B%20x%3D1",
    "skipped; reason=timeout",
  ]);
});

const answer = { id: "chatcmpl-1", created: 1_700_000_000, model: "m", text: "Grün: 1\n2", n: 2 };
const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

const eventsOf = (text: string) =>
  text
    .split("\n\n")
    .filter(Boolean)
    .map((line) => line.replace(/^data: /, ""));

it("is a completion in as many choices as were asked for", () => {
  const { choices, ...rest } = toCompletion(answer);
  expect(rest).toEqual({ id: "chatcmpl-1", object: "chat.completion", created: 1_700_000_000, model: "m", usage: NO_USAGE });
  const message = { role: "assistant", content: answer.text, refusal: null };
  expect(choices).toEqual([0, 1].map((index) => ({ index, message, logprobs: null, finish_reason: "stop" })));
});

it("is events that come to the same, with usage only where it is asked for", () => {
  for (const includeUsage of [true, false]) {
    const events = eventsOf(toEvents(answer, includeUsage));
    expect(events.pop()).toBe("[DONE]");
    const chunks = events.map((json) => JSON.parse(json));
    expect(
      chunks.every(({ id, object, model }) => id === "chatcmpl-1" && object === "chat.completion.chunk" && model === "m"),
    ).toBe(true);
    for (const index of [0, 1]) {
      const mine = chunks.flatMap(({ choices }) => choices.filter((choice: { index: number }) => choice.index === index));
      expect(mine.map(({ delta }) => delta.content ?? "").join("")).toBe(answer.text);
      expect([mine[0].delta.role, mine.at(-1).finish_reason]).toEqual(["assistant", "stop"]);
    }
    const usages = chunks.map(({ usage }) => usage);
    if (includeUsage) expect([usages.at(-1), usages.slice(0, -1).every((usage) => usage === null)]).toEqual([NO_USAGE, true]);
    else expect(usages.every((usage) => usage === undefined)).toBe(true);
  }
});
