import { expect, it } from "vitest";
import { turnsIn } from "./read-input.ts";

const call = { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" };
const result = { type: "function_call_output", call_id: "call_1", output: "calm" };
const said = (text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});

it("reads a text, and instructions", () => {
  expect(turnsIn({ input: "Hello" })).toEqual([{ role: "user", content: "Hello" }]);
  expect(turnsIn({ instructions: "Be brief.", input: "Hello" })).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello" },
  ]);
  expect(turnsIn({ instructions: ["x"] })).toEqual([]);
});

it("reads messages of text and of parts", () => {
  const image = { type: "input_image", image_url: "data:image/png;base64,AAAA" };
  const input = [
    { role: "developer", content: "Be kind." },
    { type: "message", role: "user", content: [{ type: "input_text", text: "What is it?" }, image] },
    { ...said("A cat"), id: "msg_1" },
  ];
  expect(turnsIn({ input })).toEqual([
    { role: "developer", content: "Be kind." },
    { role: "user", content: [{ type: "text", text: "What is it?" }, image] },
    { role: "assistant", content: [{ type: "text", text: "A cat" }] },
  ]);
});

it("makes one message of what the assistant said and the tools that it called before a result", () => {
  const turns = turnsIn({ input: [said("Let me look."), { type: "reasoning", id: "rs_1", summary: [] }, call, call, result] });
  expect(turns).toEqual([
    { role: "assistant", content: [{ type: "text", text: "Let me look." }], tool_calls: [call, call] },
    { role: "tool", content: "calm" },
  ]);
  expect(turnsIn({ input: [call, result, said("It is calm.")] }).map(({ role }) => role)).toEqual([
    "assistant",
    "tool",
    "assistant",
  ]);
});

it("does not count a tool that the model server ran as a call to wait for", () => {
  const searched = { type: "web_search_call", id: "ws_1", status: "completed" };
  expect(turnsIn({ input: [searched, said("Found.")] })).toEqual([
    { role: "assistant", content: [{ type: "text", text: "Found." }] },
  ]);
});

it("takes a reference to a message for a reply, and leaves out other references", () => {
  const [user, reply] = [
    { role: "user", content: "One" },
    { role: "assistant", content: [] },
  ];
  expect(turnsIn({ input: [user, { type: "item_reference", id: "rs_1" }, { id: "msg_1" }] })).toEqual([user, reply]);
  expect(turnsIn({ input: [user, { type: "item_reference", id: "rs_1" }, { id: "fc_1" }] })).toEqual([user]);
});
