import { describe, expect, it } from "vitest";
import type { Caller } from "#context";
import type { Permission } from "#core/permission";
import { refuseReferences } from "./refuse-references.ts";

type Body = Record<string, unknown>;

const callerOf = (boundUser: string | null, permissions: Permission[] = ["read", "write"]): Caller => ({
  tenantId: 1,
  actor: { kind: "key", id: "key_1", keyId: 1, boundUser, permissions },
  requestId: "r",
  idempotent: null,
});

const user = { role: "user", content: "x" };
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "look", arguments: "{}" };
const withItem = (item: object) => ({ input: [user, item] });
const withPart = (part: object) => ({ input: [{ role: "user", content: [part] }] });
const chat = { messages: [user] };
const withMessage = (message: object) => ({ messages: [user, message] });
const withChatPart = (part: object) => ({ messages: [{ role: "user", content: [part] }] });
const chatCall = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }],
};
const withTool = (tool: object) => ({ input: "x", tools: [tool] });

function deep(levels: number): Body {
  return levels === 0 ? {} : { more: deep(levels - 1) };
}

describe("who is bound to one user, or may not read", () => {
  const references: [string, Body][] = [
    ["previous_response_id", { previous_response_id: "resp_1" }],
    ["conversation", { conversation: "conv_1" }],
    ["conversation", { conversation: { id: "conv_1" } }],
    ["prompt", { prompt: { id: "pmpt_1" } }],
    ["thread_id", { thread_id: "1" }],
    ["extra_body.conversation", { extra_body: { conversation: { id: "conv_1" } } }],
    ["input[1]", withItem({ type: "item_reference", id: "msg_1" })],
    ["input[1]", withItem({ type: "Item_Reference", id: "msg_1" })],
    ["input[1]", withItem({ type: "", id: "msg_1" })],
    ["input[1]", withItem({ type: "item_reference", id: "msg_1", role: "user", content: "x" })],
    ["input[1]", withItem({ type: "unknown", id: "x_1" })],
    ["input[1]", withItem({ id: "msg_1" })],
    ["input[1]", withItem({ type: null, id: "msg_1" })],
    ["input[1]", withItem({ type: "message", role: "assistant", id: "msg_1" })],
    ["input[1]", withItem({ type: "message", role: "assistant", id: "msg_1", content: [] })],
    ["input[1]", withItem({ type: "reasoning", id: "rs_1", summary: [] })],
    ["input[1]", withItem({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "" })],
    ["input[1]", withItem({ type: "image_generation_call", id: "ig_1" })],
    ["input[1]", withItem({ type: "file_search_call", id: "fs_1", queries: ["x"], status: "completed" })],
    ["input[0].content[0].file_id", withPart({ type: "input_file", file_id: "file_1" })],
    ["input[0].output.file_id", { input: [{ type: "computer_call_output", call_id: "c", output: { file_id: "file_1" } }] }],
    ["tools[0].vector_store_ids", withTool({ type: "file_search", vector_store_ids: ["vs_1"] })],
    ["tools[0].container", withTool({ type: "code_interpreter", container: "cntr_1" })],
    ["tools[0].container.file_ids", withTool({ type: "code_interpreter", container: { type: "auto", file_ids: ["file_1"] } })],
    ["tools[0].skills[0].skill_id", withTool({ type: "shell", skills: [{ type: "skill_reference", skill_id: "skill_1" }] })],
    ["tools[0].input_image_mask.file_id", withTool({ type: "image_generation", input_image_mask: { file_id: "file_1" } })],
  ];
  const ofChats: [string, Body][] = [
    ["messages[0].content[0].file.file_id", withChatPart({ type: "file", file: { file_id: "file_1" } })],
    ["messages[0].content[0].file.id", withChatPart({ type: "file", file: { id: "file_1" } })],
    ["messages[0].content[0].input_audio.id", withChatPart({ type: "input_audio", input_audio: { id: "audio_1" } })],
    ["messages[0].content[0].id", withChatPart({ type: "input_audio", id: "audio_1" })],
    ["messages[0].content[0].image_url.file_id", withChatPart({ type: "image_url", image_url: { file_id: "file_1" } })],
    ["messages[1].audio.id", withMessage({ role: "assistant", content: null, audio: { id: "audio_1" } })],
    ["messages[1]", withMessage({ role: "assistant", id: "msg_1" })],
    ["messages[1]", withMessage({ role: "assistant", id: "msg_1", tool_calls: [] })],
    ["messages[1]", withMessage({ ...user, type: "item_reference", id: "msg_1" })],
    ["messages[1]", withMessage({ ...chatCall, type: "item_reference", id: "msg_1" })],
    ["audio.voice.id", { ...chat, audio: { format: "mp3", voice: { id: "voice_1" } } }],
    ["tools[0].vector_store_ids", { ...chat, tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] }],
    ["extra_body.google.cached_content", { ...chat, extra_body: { google: { cached_content: "cachedContents/1" } } }],
    ["previous_response_id", { ...chat, previous_response_id: "resp_1" }],
    ["messages[0].content[0].file", withChatPart({ type: "file", file: { fileId: "file_1" } })],
    ["", { ...chat, Messages: [] }],
  ];
  const spellings: [string, Body][] = [
    ["", { input: "x", Input: [{ type: "item_reference", id: "msg_1" }] }],
    ["", { Previous_Response_ID: "resp_1" }],
    ["", { [`${"x".repeat(99)}_id`]: "resp_1" }],
    ["", { previousResponseId: "resp_1" }],
    ["", { "previou\u017f_re\u017fpon\u017fe_id": "resp_1" }],
    ["", { "\uff50rompt": { id: "pmpt_1" } }],
    ["input[1]", withItem({ type: "message", role: "user", content: "x", Type: "item_reference", id: "msg_1" })],
    ["input[0].content[0]", withPart({ type: "input_file", FILE_ID: "file_1" })],
    ["tools[0]", withTool({ type: "file_search", "vector_\u017ftore_ids": ["vs_1"] })],
    ["tools[0]", withTool({ type: "function", Parameters: { vector_store_ids: ["vs_1"] } })],
  ];

  it.each([...references, ...ofChats, ...spellings])("may not refer to what the model server keeps: %s of %j", (path, body) => {
    for (const caller of [callerOf("alice"), callerOf(null, ["write"])])
      expect(() => refuseReferences(caller, body)).toThrow(
        expect.objectContaining({ code: "forbidden", fields: [expect.objectContaining({ path })] }),
      );
    expect(() => refuseReferences(callerOf(null), body)).not.toThrow();
  });

  it("is told what it was, and what to do", () => {
    const told = (body: Body) => expect(() => refuseReferences(callerOf("alice"), body));
    told({ previous_response_id: "resp_1" }).toThrow(/^`previous_response_id` refers to .* bound to one user\. Send the whole/);
    told({ Input: "x" }).toThrow(/^The request has a field that is not in lower case .* bound to one user\. Leave it out/);
    told(withPart({ FILE_ID: "x" })).toThrow(/^`input\[0\]\.content\[0\]` has a field/);
    told(deep(100)).toThrow(/nested too deeply/);
  });

  const whole: Body[] = [
    {
      input: "x",
      previous_response_id: null,
      conversation: null,
      prompt: null,
      metadata: { file_id: "mine", Conversation: "1" },
    },
    { input: [user, { role: "user" }, { ...user, type: "message", id: "msg_1" }], logit_bias: { "50256": -100 } },
    { input: [call, { type: "function_call_output", call_id: "call_1", output: "" }] },
    withItem({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" }),
    withItem({ type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Hm." }] }),
    withItem({ type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } }),
    withItem({ type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: false, id: "mcpa_1" }),
    withItem({ type: "local_shell_call", call_id: "c", action: { type: "exec", command: ["ls"], env: { USER: "me" } } }),
    withPart({ type: "input_image", image_url: "data:image/png;base64,AAAA", file_id: null }),
    withTool({ type: "function", name: "look", parameters: { properties: { file_id: {}, Conversation: {} }, minLength: 1 } }),
    withTool({ type: "code_interpreter", container: { type: "auto" } }),
    withTool({ type: "mcp", server_label: "x", connector_id: "connector_gmail", headers: { "X-Team_Id": "1" } }),
    withMessage(chatCall),
    withMessage({ ...chatCall, id: "msg_1" }),
    withMessage({ role: "tool", tool_call_id: "call_1", content: "calm" }),
    withMessage({ ...user, id: "msg_1" }),
    withChatPart({ type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA", file_id: null } }),
    withChatPart({ type: "text", text: "x", id: "part_1", cache_control: { type: "ephemeral" } }),
    { ...chat, guided_json: { properties: { fileId: {}, prompt: {} } }, plugins: [{ id: "web" }], userId: "alice" },
    { ...chat, response_format: { type: "json_schema", json_schema: { name: "x", schema: { properties: { file_id: {} } } } } },
    { input: "x", text: { format: { type: "json_schema", schema: { $defs: { prompt: { type: "string" } } } } } },
  ];

  it.each(whole)("may send what is whole: %j", (body) => {
    expect(() => refuseReferences(callerOf("alice"), body)).not.toThrow();
  });
});
