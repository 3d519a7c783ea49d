import { expect, it } from "vitest";
import { toCompletion, toEvents } from "./write-completion.ts";

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
