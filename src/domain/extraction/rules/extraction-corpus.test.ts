import { expect, it } from "vitest";
import { FITTED } from "#corpora/extraction";
import { takeMemories } from "./take-memories.ts";

it.each(FITTED.map(({ messages, expected }) => [messages.map(({ text }) => text).join(" // "), messages, expected] as const))(
  "rules take from “%s” what they should",
  (_, messages, expected) => {
    const taken = takeMemories(messages).map(
      ({ confidence: _confidence, messageIndex: _index, start: _start, end: _end, ...rest }) => rest,
    );
    expect(taken).toEqual(expected);
  },
);

it("the corpus has each message once", () => {
  const texts = FITTED.map(({ messages }) => JSON.stringify(messages));
  expect(new Set(texts).size).toBe(texts.length);
});
