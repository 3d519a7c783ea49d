import { expect, it } from "vitest";
import { createReplyReader } from "#surfaces/proxy/reply-reader";
import { RESPONSE_REPLY } from "./read-reply.ts";

function read(type: string, text: string): string {
  const reader = createReplyReader(type, RESPONSE_REPLY);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 7) reader.add(bytes.subarray(at, at + 7));
  return reader.text();
}

const EVENTS = "text/event-stream";
const event = (value: { type: string; [name: string]: unknown }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const delta = (text: string, output_index = 0) => event({ type: "response.output_text.delta", output_index, delta: text });
const message = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const whole = (...output: unknown[]) => ({ object: "response", output });

it("reads the deltas of a stream, and nothing twice", () => {
  const stream = [
    event({ type: "response.created", response: whole() }),
    delta("Grüße "),
    delta("🦊"),
    event({ type: "response.output_text.done", text: "Grüße 🦊" }),
    event({ type: "response.function_call_arguments.delta", delta: "{}" }),
    event({ type: "response.refusal.delta", delta: "no" }),
    event({ type: "response.completed", response: whole(message("Grüße 🦊")) }),
  ];
  expect(read(EVENTS, stream.join(""))).toBe("Grüße 🦊");
  expect(read(EVENTS, stream.slice(0, 2).join(""))).toBe("Grüße ");
});

it("puts the texts of several messages on lines of their own", () => {
  expect(read(EVENTS, delta("One", 1) + delta(" more", 1) + delta("Two", 3))).toBe("One more\nTwo");
  const json = JSON.stringify(whole(message("One more"), { type: "function_call", arguments: "{}" }, message("Two")));
  expect(read("application/json", json)).toBe("One more\nTwo");
});

it("reads the end of a stream without deltas", () => {
  for (const type of ["response.completed", "response.incomplete"])
    expect(read(EVENTS, event({ type, response: whole(message("All at once")) }))).toBe("All at once");
});

it("reads nothing where there is nothing", () => {
  for (const json of [
    "",
    "null",
    "[]",
    "{}",
    '{"output":{}}',
    JSON.stringify(whole(null, { type: "message" }, message(""))),
    "<html>",
  ])
    expect(read("application/json", json)).toBe("");
});
