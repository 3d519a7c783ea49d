import { expect, it } from "vitest";
import { createReplyReader } from "#surfaces/proxy/reply-reader";
import { RESPONSE_REPLY } from "./read-reply.ts";

function read(text: string): string {
  const reader = createReplyReader(RESPONSE_REPLY);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 7) reader.add(bytes.subarray(at, at + 7));
  return reader.text();
}

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
  expect(read(stream.join(""))).toBe("Grüße 🦊");
  expect(read(stream.slice(0, 2).join(""))).toBe("Grüße ");
});

it("puts the texts of several messages on lines of their own", () => {
  expect(read(delta("One", 1) + delta(" more", 1) + delta("Two", 3))).toBe("One more\nTwo");
  const json = JSON.stringify(whole(message("One more"), { type: "function_call", arguments: "{}" }, message("Two")));
  expect(read(json)).toBe("One more\nTwo");
});

it("reads the end of a stream without deltas", () => {
  for (const type of ["response.completed", "response.incomplete"])
    expect(read(event({ type, response: whole(message("All at once")) }))).toBe("All at once");
});

it("reads what a voice says", () => {
  const spoken = (delta: string) => event({ type: "response.audio.transcript.delta", delta });
  expect(read(spoken("The ferry") + spoken(" leaves."))).toBe("The ferry leaves.");
  const audio = { type: "output_audio", data: "UklG", transcript: "The ferry leaves." };
  expect(read(JSON.stringify(whole({ type: "message", role: "assistant", content: [audio] })))).toBe("The ferry leaves.");
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
    expect(read(json)).toBe("");
});
