import { describe, expect, it } from "vitest";
import { COMPLETION_REPLY } from "./chat/read-reply.ts";
import { createReplyReader } from "./reply-reader.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** The reply read in pieces of so many bytes. */
function read(text: string, size = 7): string {
  const reader = createReplyReader(COMPLETION_REPLY);
  const all = bytes(text);
  for (let at = 0; at < all.length; at += size) reader.add(all.subarray(at, at + size));
  return reader.text();
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const words = (content: unknown, index = 0) => event({ choices: [{ index, delta: { content } }] });

describe("a stream", () => {
  it("is read to its words, however its bytes are cut", () => {
    const stream = `: hello\n\n${words("")}${words("Grüße 🦊")}${words(", 东京")}${event({ choices: [], usage: {} })}data: [DONE]\n\n`;
    for (const size of [1, 2, 3, 5, 64, 10_000]) expect(read(stream, size)).toBe("Grüße 🦊, 东京");
  });

  it("is read with carriage returns, without blanks, and without its last line end", () => {
    expect(read(`data:{"choices":[{"delta":{"content":"one"}}]}\r\n\r\n${words(" two").trimEnd()}`)).toBe("one two");
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
    expect(read(`${words("mine")}${others.join("")}`)).toBe("mine");
  });

  it("has events whose data is on several lines", () => {
    const pretty = (content: string) =>
      JSON.stringify({ choices: [{ index: 0, delta: { content } }] }, null, 2)
        .split("\n")
        .map((line) => `data: ${line}`)
        .join("\r\n");
    const stream = `event: chunk\r\n${pretty("one")}\r\n\r\nid: 2\r\n${pretty(" two")}\r\n\r\n${words(" three")}`;
    for (const size of [1, 2, 7, 10_000]) expect(read(stream, size)).toBe("one two three");
    expect(read(`${pretty("one")}\n\n${pretty(" half").slice(0, -4)}`)).toBe("one");
    expect(read(stream.replaceAll("\r\n", "\r"))).toBe("one two three");
  });

  it("is read where a single line break ends an event", () => {
    const lines = ["one", " two"].map((content) => words(content).trimEnd());
    expect(read(`${lines.join("\n")}\ndata: [DONE]\n`)).toBe("one two");
    expect(read(`${lines[0]}\ndata: {broken\n${lines[1]}\n\n`)).toBe("one two");
  });

  it("is what a voice says, where it is spoken", () => {
    const spoken = (audio: unknown) => event({ choices: [{ index: 0, delta: { content: null, audio } }] });
    expect(
      read(`${spoken({ id: "a", transcript: "The ferry" })}${spoken({ data: "UklG" })}${spoken({ transcript: " leaves." })}`),
    ).toBe("The ferry leaves.");
  });

  it("returns what had arrived when it broke off", () => {
    expect(read(`${words("half")}data: {"choices":[{"index":0,"del`)).toBe("half");
  });

  it("may be read more than once", () => {
    const reader = createReplyReader(COMPLETION_REPLY);
    reader.add(bytes(words("one").trimEnd()));
    expect([reader.text(), reader.text()]).toEqual(["one", "one"]);
  });

  it("of any length is read to a few messages', and a line that is too long is left out", () => {
    expect(read(words("x".repeat(1_000)).repeat(260), 4_096)).toHaveLength(256_000);
    expect(read(JSON.stringify({ choices: [{ message: { content: "x".repeat(300_000) } }] }), 100_000)).toHaveLength(256_000);
    expect(read(`${words("y".repeat(1_200_000))}${words("after")}`, 100_000)).toBe("after");
  });
});

describe("a reply in one piece", () => {
  const whole = (message: unknown, more: unknown[] = []) => JSON.stringify({ choices: [{ index: 0, message }, ...more] });

  it("is its first choice's text", () => {
    const second = { index: 1, message: { content: "other" } };
    expect(read(whole({ content: "东京 🦊" }, [second]), 1)).toBe("东京 🦊");
    expect(read(JSON.stringify({ choices: [second, { index: 0, message: { content: "mine" } }] }))).toBe("mine");
    expect(read(whole({ content: [{ type: "text", text: "a" }, { type: "image" }, { text: "b" }] }))).toBe("ab");
  });

  it("is what a voice says, where it is spoken", () => {
    const audio = { id: "a", data: "UklG", transcript: "The ferry leaves." };
    expect(read(whole({ content: null, audio }))).toBe("The ferry leaves.");
    expect(read(whole({ content: "Written.", audio }))).toBe("Written.");
  });

  it("is nothing where there is none", () => {
    for (const text of ["", "{", "null", "[]", "{}", '{"choices":{}}', whole(null), whole({ content: null }), "<html>"])
      expect(read(text)).toBe("");
  });

  it("of more than four million characters is not read", () => {
    expect(read(whole({ content: "x".repeat(4_000_000) }), 1_000_000)).toBe("");
  });
});
