import { describe, expect, it } from "vitest";
import { COMPLETION_REPLY } from "./chat/read-reply.ts";
import { createReplyReader } from "./reply-reader.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** The reply read in pieces of so many bytes. */
function read(type: string, text: string, size = 7): string {
  const reader = createReplyReader(type, COMPLETION_REPLY);
  const all = bytes(text);
  for (let at = 0; at < all.length; at += size) reader.add(all.subarray(at, at + size));
  return reader.text();
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const words = (content: unknown, index = 0) => event({ choices: [{ index, delta: { content } }] });
const EVENTS = "text/event-stream; charset=utf-8";

describe("a stream", () => {
  it("is read to its words, however its bytes are cut", () => {
    const stream = `: hello\n\n${words("")}${words("Grüße 🦊")}${words(", 东京")}${event({ choices: [], usage: {} })}data: [DONE]\n\n`;
    for (const size of [1, 2, 3, 5, 64, 10_000]) expect(read(EVENTS, stream, size)).toBe("Grüße 🦊, 东京");
  });

  it("is read with carriage returns, without blanks, and without its last line end", () => {
    expect(read(EVENTS, `data:{"choices":[{"delta":{"content":"one"}}]}\r\n\r\n${words(" two").trimEnd()}`)).toBe("one two");
  });

  it("is the first choice's words only, and no refusal, tool or sound", () => {
    const others = [
      words("other", 1),
      event({ choices: [{ index: 0, delta: { refusal: "no" } }] }),
      event({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: "{}" } }] } }] }),
      event({ choices: [{ index: 0, delta: { content: null } }] }),
      event({ error: { message: "broken" } }),
      event(null),
      "data: {not json\n\n",
      "event: ping\n\n",
    ];
    expect(read(EVENTS, `${words("mine")}${others.join("")}`)).toBe("mine");
  });

  it("returns what had arrived when it broke off", () => {
    expect(read(EVENTS, `${words("half")}data: {"choices":[{"index":0,"del`)).toBe("half");
  });

  it("may be read more than once", () => {
    const reader = createReplyReader(EVENTS, COMPLETION_REPLY);
    reader.add(bytes(words("one").trimEnd()));
    expect([reader.text(), reader.text()]).toEqual(["one", "one"]);
  });

  it("of any length is read to a few messages', and a line that is too long is left out", () => {
    expect(read(EVENTS, words("x".repeat(1_000)).repeat(260), 4_096)).toHaveLength(256_000);
    expect(
      read("application/json", JSON.stringify({ choices: [{ message: { content: "x".repeat(300_000) } }] }), 100_000),
    ).toHaveLength(256_000);
    expect(read(EVENTS, `${words("y".repeat(1_200_000))}${words("after")}`, 100_000)).toBe("after");
  });
});

describe("a reply in one piece", () => {
  const whole = (message: unknown, more: unknown[] = []) => JSON.stringify({ choices: [{ index: 0, message }, ...more] });

  it("is its first choice's text", () => {
    const second = { index: 1, message: { content: "other" } };
    expect(read("application/json", whole({ content: "东京 🦊" }, [second]), 1)).toBe("东京 🦊");
    expect(read("application/json", JSON.stringify({ choices: [second, { index: 0, message: { content: "mine" } }] }))).toBe(
      "mine",
    );
    expect(read("application/json", whole({ content: [{ type: "text", text: "a" }, { type: "image" }, { text: "b" }] }))).toBe(
      "ab",
    );
  });

  it("is nothing where there is none", () => {
    for (const text of ["", "{", "null", "[]", "{}", '{"choices":{}}', whole(null), whole({ content: null }), "<html>"])
      expect(read("application/json", text)).toBe("");
  });

  it("of more than four million characters is not read", () => {
    expect(read("application/json", whole({ content: "x".repeat(4_000_000) }), 1_000_000)).toBe("");
  });
});
