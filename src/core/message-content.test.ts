import type { ChatCompletionMessage, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { messageFields, OPENAI_FIELDS, readMessage, saysAnything } from "./message-content.ts";

type FieldsOf<T> = T extends unknown ? keyof T : never;
/** A field that a new version of the `openai` package adds is a type error here. */
const DOCUMENTED = {
  annotations: true,
  audio: true,
  function_call: true,
  name: true,
  refusal: true,
  tool_call_id: true,
  tool_calls: true,
} satisfies Record<Exclude<FieldsOf<ChatCompletionMessageParam | ChatCompletionMessage>, "role" | "content">, true>;

const Message = z.strictObject(messageFields(100)).transform(readMessage(100));
const read = (message: unknown) => Message.safeParse(message);
const call = { id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } };

it("the fields of OpenAI's messages are those of the openai package's types", () => {
  expect(Object.keys(OPENAI_FIELDS).toSorted()).toEqual(Object.keys(DOCUMENTED));
});

describe("OpenAI's messages", () => {
  it.each<[string, ChatCompletionMessageParam | ChatCompletionMessage, object]>([
    ["a reply", { role: "assistant", content: "Hi.", refusal: null, annotations: [] }, { role: "assistant", content: "Hi." }],
    ["a refusal", { role: "assistant", content: null, refusal: "I cannot." }, { role: "assistant", content: "I cannot." }],
    [
      "a refusal among the parts",
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
      { role: "assistant", content: "No." },
    ],
    ["a call of tools", { role: "assistant", content: null, tool_calls: [call as never] }, { role: "assistant", content: "" }],
    [
      "a call with an empty text",
      { role: "assistant", content: "", tool_calls: [call as never] },
      { role: "assistant", content: "" },
    ],
    ["a call without content", { role: "assistant", tool_calls: [call as never] }, { role: "assistant", content: "" }],
    ["an old call", { role: "assistant", function_call: { name: "f", arguments: "" } }, { role: "assistant", content: "" }],
    ["a tool's result", { role: "tool", content: "22 °C", tool_call_id: "call_1" }, { role: "tool", content: "22 °C" }],
    ["an empty result", { role: "tool", content: "", tool_call_id: "call_1" }, { role: "tool", content: "" }],
    ["a function's result", { role: "function", content: null, name: "weather" }, { role: "tool", content: "" }],
    ["a developer", { role: "developer", content: "Be brief.", name: "app" }, { role: "system", content: "Be brief." }],
    ["a name", { role: "user", content: "Hi", name: "Anna" }, { role: "user", content: "Hi", speaker: "Anna" }],
    ["an empty name", { role: "user", content: "Hi", name: " " }, { role: "user", content: "Hi" }],
    [
      "a spoken reply",
      { role: "assistant", content: null, refusal: null, audio: { id: "a", data: "", expires_at: 1, transcript: "Hello." } },
      { role: "assistant", content: "Hello." },
    ],
    ["an earlier spoken reply", { role: "assistant", audio: { id: "a" } }, { role: "assistant", content: "" }],
    [
      "parts",
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
          { type: "input_audio", input_audio: { data: "", format: "wav" } },
          { type: "file", file: { file_id: "f" } },
        ],
      },
      { role: "user", content: "What is this?" },
    ],
    [
      "a picture alone",
      { role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }] },
      { role: "user", content: "" },
    ],
  ])("%s", (_, message, expected) => {
    expect(read(message).data).toEqual(expected);
    expect(saysAnything(message)).toBe(true);
  });

  it("keep the label that the app gives beside a name", () => {
    expect(read({ role: "user", content: "Hi", name: "anna_1", speaker: "Anna 🌻" }).data).toEqual({
      ...{ role: "user", content: "Hi", speaker: "Anna 🌻" },
    });
  });

  it("of a longer name have what a label may have", () => {
    expect(read({ role: "user", content: "Hi", name: "a".repeat(300) }).data?.speaker).toHaveLength(200);
  });
});

it("what says nothing is refused, and so are fields that are nobody's", () => {
  for (const nothing of [
    { role: "user", content: " \n" },
    { role: "user", content: null },
    { role: "user", content: [] },
    { role: "user", content: [{ type: "text", text: " " }] },
    { role: "user" },
    { role: "assistant" },
    { role: "tool", tool_call_id: "call_1" },
  ]) {
    expect(read(nothing).error?.issues[0]?.path, JSON.stringify(nothing)).toEqual(["content"]);
    expect(saysAnything(nothing), JSON.stringify(nothing)).toBe(false);
  }
  for (const field of ["user_id", "toolCalls", "metadata"])
    expect(read({ role: "user", content: "Hi", [field]: "x" }).error?.issues[0]).toMatchObject({ code: "unrecognized_keys" });
});
