import { describe, expect, it } from "vitest";
import { parseChatGpt } from "./chatgpt.ts";
import type { ParsedConversation } from "./parsed.ts";

const NOW = Date.UTC(2026, 10, 26);
const AT = 1_740_819_600.5;

type Extra = Record<string, unknown>;

const text = (role: string, said: string, extra: Extra = {}): Extra => ({
  author: { role },
  content: { content_type: "text", parts: [said] },
  create_time: AT,
  ...extra,
});
/** A conversation whose nodes follow each other unless their parents are named. */
function chat(messages: readonly (Extra | null)[], extra: Extra = {}): Extra {
  const nodes = messages.map((message, i) => [
    `n${i}`,
    { id: `n${i}`, parent: i === 0 ? null : `n${i - 1}`, children: [], message },
  ]);
  return {
    id: "c1",
    title: "A chat",
    create_time: AT,
    current_node: `n${messages.length - 1}`,
    mapping: Object.fromEntries(nodes),
    ...extra,
  };
}
function parse(raw: unknown, isPiece = false): ParsedConversation {
  const parsed = parseChatGpt(raw, { now: NOW, isPiece });
  if (parsed.kind === "broken") throw new Error(parsed.reason);
  return parsed;
}
const said = (raw: unknown) => parse(raw).messages.map(({ role, text: words }) => `${role}: ${words}`);

describe("the messages that ChatGPT shows", () => {
  it("are those from the first node to the current one, with their nodes' ids and times", () => {
    const raw = chat([null, text("user", "Hello"), text("assistant", "Hi", { create_time: AT + 2 })]);
    expect(parse(raw)).toMatchObject({
      ...{ id: "c1", title: "A chat", at: 1_740_819_600_500, notes: [] },
      messages: [
        { id: "n1", role: "user", text: "Hello", at: 1_740_819_600_500 },
        { id: "n2", role: "assistant", text: "Hi", at: 1_740_819_602_500 },
      ],
    });
  });

  it("are not those of abandoned branches", () => {
    const raw = chat([text("user", "Hello"), text("assistant", "Hi")]);
    const mapping = { ...(raw.mapping as object), other: { parent: "n0", message: text("assistant", "Hey") } };
    expect(parse({ ...raw, mapping })).toMatchObject({ messages: [{ text: "Hello" }, { text: "Hi" }], leftOut: { branches: 1 } });
    const empty = { ...mapping, root: { parent: null, message: null } };
    expect(parse({ ...raw, mapping: empty }).leftOut.branches).toBe(1);
  });

  it("are not hidden ones, nor those of tools and the system, nor what a model thought", () => {
    const thoughts = { author: { role: "assistant" }, content: { content_type: "thoughts", thoughts: [{ content: "hm" }] } };
    const context = {
      author: { role: "user" },
      content: { content_type: "user_editable_context", user_profile: "x", parts: ["x"] },
    };
    const raw = chat([
      text("system", "You are"),
      context,
      text("user", "secret", { metadata: { is_visually_hidden_from_conversation: true } }),
      text("user", "What is 2 + 2?"),
      thoughts,
      { ...text("assistant", "print(2 + 2)"), recipient: "python" },
      text("tool", "4"),
      text("assistant", "4.", { recipient: "all" }),
    ]);
    expect(said(raw)).toEqual(["user: What is 2 + 2?", "assistant: 4."]);
    expect(parse(raw).leftOut).toMatchObject({ hidden: 3, thinking: 1, tool: 2 });
  });

  it("have the texts of mixed parts, of audio and of code, and no marks of citations", () => {
    const parts = ["Look:", { content_type: "image_asset_pointer" }, { content_type: "audio_transcription", text: "spoken" }];
    const raw = chat([
      { author: { role: "user" }, content: { content_type: "multimodal_text", parts } },
      { author: { role: "assistant" }, content: { content_type: "code", text: "let a = 1" } },
      text("assistant", "So \ue200cite\ue202turn0search1\ue201it is【4†source】."),
    ]);
    expect(said(raw)).toEqual(["user: Look:\n\nspoken", "assistant: let a = 1", "assistant: So it is."]);
    expect(parse(raw).leftOut.parts).toBe(1);
  });

  it("are what the assistant wrote to a tool too, if no tool answers it", () => {
    const call = { ...text("assistant", "A poem:"), recipient: "canvas" };
    expect(said(chat([text("user", "Write"), call, text("user", "Thanks")]))).toContain("assistant: A poem:");
  });

  it("are what the assistant wrote on a canvas, whose tool says no more than that it was written", () => {
    const canvas = (tool: string, call: unknown) => ({
      ...{ author: { role: "assistant" }, recipient: `canmore.${tool}` },
      content: { content_type: "code", language: "json", text: JSON.stringify(call) },
    });
    const raw = chat([
      text("user", "Write my speech"),
      canvas("create_textdoc", { name: "speech", type: "document", content: "Dear guests" }),
      text("tool", "Successfully created text document"),
      canvas("update_textdoc", { updates: [{ pattern: ".*", replacement: "Dear all" }] }),
      text("tool", "Successfully updated text document"),
      canvas("comment_textdoc", { comments: [{ pattern: "Dear", comment: "Warmer?" }] }),
      text("tool", "Successfully commented"),
      text("assistant", "Shall I shorten it?"),
    ]);
    expect(said(raw)).toEqual([
      "user: Write my speech",
      "assistant: speech:\nDear guests",
      "assistant: Dear all",
      "assistant: Shall I shorten it?",
    ]);
    expect(parse(raw).leftOut.tool).toBe(4);
  });

  it("are not outputs of tools in the assistant's name, nor recaps of what it thought", () => {
    const of = (content_type: string) => ({ author: { role: "assistant" }, content: { content_type, text: "x", parts: ["x"] } });
    const raw = chat([text("user", "Go"), of("execution_output"), of("reasoning_recap"), text("assistant", "Done")]);
    expect(said(raw)).toEqual(["user: Go", "assistant: Done"]);
    expect(parse(raw).leftOut).toMatchObject({ tool: 1, thinking: 1 });
  });

  it("may have no title, and go by the id of the conversation before that of the record", () => {
    const raw = chat([text("user", "Hello")], { title: null, conversation_id: "c2" });
    expect(parse(raw)).toMatchObject({ id: "c2", title: null });
  });

  it("may be none", () => {
    expect(parse(chat([null])).messages).toEqual([]);
    expect(parse(chat([text("user", " "), text("user", "")])).leftOut.empty).toBe(2);
  });
});

describe("a broken tree gives what can be ordered", () => {
  const three = [
    text("user", "one"),
    text("assistant", "two", { create_time: AT + 1 }),
    text("user", "three", { create_time: AT + 2 }),
  ];
  const changed = (nodes: Extra, extra: Extra = {}) => {
    const raw = chat(three, extra);
    return { ...raw, mapping: { ...(raw.mapping as object), ...nodes } };
  };

  it("without a current node, from its latest leaf", () => {
    for (const current_node of [null, undefined, "gone", 7]) {
      const parsed = parse(chat(three, { current_node }));
      expect([parsed.messages.map(({ text: words }) => words), parsed.notes.length]).toEqual([["one", "two", "three"], 1]);
    }
  });

  it("without a current node, from the leaf that was written last, wherever it is in the file", () => {
    const late = { parent: "n1", message: text("user", "late", { create_time: AT + 9 }) };
    const raw = chat(three, { current_node: null });
    const parsed = parse({ ...raw, mapping: { late, ...(raw.mapping as object) } });
    expect(parsed.messages.map(({ text: words }) => words)).toEqual(["one", "two", "late"]);
  });

  it("with lists of children that say another thing than the parents, by the parents", () => {
    const raw = changed({ n0: { parent: null, children: ["n2"], message: three[0] } });
    expect(parse(raw).messages.map(({ text: words }) => words)).toEqual(["one", "two", "three"]);
  });

  it("with a circle, until it closes", () => {
    const parsed = parse(changed({ n0: { parent: "n2", message: three[0] } }));
    expect(parsed.messages.map(({ text: words }) => words)).toEqual(["one", "two", "three"]);
    expect(parsed.notes).toEqual([expect.stringContaining("circle")]);
    expect(parse(changed({ n2: { parent: "n2", message: three[2] } })).messages).toHaveLength(1);
  });

  it("with a missing parent, what follows it, unless it is a later piece", () => {
    const raw = changed({ n1: { parent: "gone", message: three[1] } });
    expect(parse(raw)).toMatchObject({
      messages: [{ text: "two" }, { text: "three" }],
      notes: [expect.stringContaining("missing")],
    });
    expect(parse(raw, true).notes).toEqual([]);
  });

  it("without parents, by the lists of children, else by time", () => {
    const bare = (children: (i: number) => string[]) =>
      changed(Object.fromEntries(three.map((message, i) => [`n${i}`, { children: children(i), message }])));
    expect(said(bare((i) => (i < 2 ? [`n${i + 1}`] : [])))).toEqual(["user: one", "assistant: two", "user: three"]);
    const unordered = bare(() => []);
    const parsed = parse({ ...unordered, mapping: Object.fromEntries(Object.entries(unordered.mapping).toReversed()) });
    expect(parsed.messages.map(({ text: words }) => words)).toEqual(["one", "two", "three"]);
    expect([parsed.messages.length, parsed.notes]).toEqual([3, [expect.stringContaining("ordered by time")]]);
  });

  it("of any values in place of those that should be there", () => {
    for (const value of [null, 7, "x", [], {}, true]) {
      expect(parse({ id: "c", mapping: value }).messages).toEqual([]);
      expect(parse({ id: "c", mapping: { a: value } }).messages).toEqual([]);
      expect(parse({ id: "c", mapping: { a: { message: value, parent: value, children: value } } }).messages).toEqual([]);
      const message = { author: { role: "user" }, content: value, metadata: value, create_time: value };
      expect(parse({ id: "c", title: value, mapping: { a: { message } } }).messages).toEqual([]);
    }
    expect(parseChatGpt({ title: "Lost", mapping: {} }, { now: NOW, isPiece: false })).toEqual({
      ...{ kind: "broken", title: "Lost", reason: "It has neither an id nor messages." },
    });
  });

  it("of a hundred thousand messages", () => {
    const many = Array.from({ length: 100_000 }, (_, i) => text(i % 2 === 0 ? "user" : "assistant", `message ${i}`));
    expect(parse(chat(many)).messages).toHaveLength(100_000);
  });
});
