import { describe, expect, it } from "vitest";
import { activityParts, conversationParts, type Part, type Refused } from "./parts.ts";
import { PART_LIMITS } from "./pieces.ts";
import type { Platform } from "./platform.ts";
import { slim } from "./slim.ts";

type Filled = { parts: Part[]; refused: Refused[] };

async function* each(items: readonly unknown[]): AsyncGenerator<unknown> {
  yield* items;
}
async function collect(source: AsyncIterable<{ part: Part } | { refused: Refused }>): Promise<Filled> {
  const filled: Filled = { parts: [], refused: [] };
  for await (const one of source) {
    if ("part" in one) filled.parts.push(one.part);
    else filled.refused.push(one.refused);
  }
  return filled;
}
const fill = (platform: Platform, items: readonly unknown[]) => collect(conversationParts(platform, each(items)));
const conversationsIn = ({ parts }: Filled) => parts.flatMap((part) => (part.kind === "conversations" ? [part] : []));

type Node = { parent: string | null; message: { author: { role: string }; content: { content_type: string; parts: string[] } } };
/** `user`: 0 or 1, the place of the first message of the user. */
function chat(id: string, messages: number, text = "x", user = 0) {
  const mapping = Object.fromEntries(
    Array.from({ length: messages }, (_, i): [string, Node] => [
      `${id}-${i}`,
      {
        parent: i === 0 ? null : `${id}-${i - 1}`,
        message: {
          author: { role: i % 2 === user ? "user" : "assistant" },
          content: { content_type: "text", parts: [`${text} ${i}`] },
        },
      },
    ]),
  );
  return { id, title: id, current_node: `${id}-${messages - 1}`, mapping };
}

describe("parts", () => {
  it("are filled to their limits, and say where their first conversation was", async () => {
    const filled = conversationsIn(
      await fill(
        "chatgpt",
        Array.from({ length: 100 }, (_, i) => chat(`c${i}`, 2)),
      ),
    );
    expect(filled.map(({ position, conversations }) => [position, conversations.length])).toEqual([
      [0, 40],
      [40, 40],
      [80, 20],
    ]);
    const large = conversationsIn(
      await fill(
        "chatgpt",
        Array.from({ length: 5 }, (_, i) => chat(`c${i}`, 2, "y".repeat(300_000))),
      ),
    );
    const long = conversationsIn(await fill("chatgpt", [chat("a", 800), chat("b", 800), chat("c", 600)]));
    expect(long.map(({ position, conversations }) => [position, conversations.length])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    for (const { conversations } of large) expect(JSON.stringify(conversations).length).toBeLessThan(PART_LIMITS.bytes + 1_000);
    expect(large.flatMap(({ conversations }) => conversations)).toHaveLength(5);
  });

  it("hold a conversation of 100,000 messages in pieces, each message once and in order", async () => {
    const filled = conversationsIn(await fill("chatgpt", [chat("huge", 100_000, "x", 1), chat("small", 2)]));
    const nodes = filled.slice(0, -1).map(({ conversations }) => Object.keys((conversations[0] as { mapping: object }).mapping));
    expect(nodes.flat()).toEqual(Array.from({ length: 100_000 }, (_, i) => `huge-${i}`));
    for (const ids of nodes) expect(ids.length).toBeLessThanOrEqual(PART_LIMITS.messages);
    for (const [first = ""] of nodes.slice(1)) expect(Number(first.slice(5)) % 2).toBe(1);
    expect(filled.map(({ isPiece }) => isPiece)).toEqual([false, ...Array.from({ length: nodes.length - 1 }, () => true), false]);
    expect(filled.at(-1)?.position).toBe(1);
  });

  it("keep the order around a conversation in pieces", async () => {
    const filled = conversationsIn(await fill("chatgpt", [chat("a", 2), chat("huge", 2_000), chat("b", 2), chat("c", 2)]));
    expect(filled.map(({ position, conversations }) => [position, conversations.length])).toEqual([
      [0, 1],
      [1, 1],
      [1, 1],
      [1, 1],
      [2, 2],
    ]);
  });

  it("hold of a conversation in pieces the messages that the app shows, in their order", async () => {
    const whole = chat("huge", 2_000);
    const other = { parent: "huge-0", message: { author: { role: "user" }, content: { content_type: "text", parts: ["gone"] } } };
    const mapping = Object.fromEntries([...Object.entries(whole.mapping).toReversed(), ["other", other]]);
    const filled = conversationsIn(await fill("chatgpt", [{ ...whole, mapping }]));
    const nodes = filled.flatMap(({ conversations }) => Object.keys((conversations[0] as { mapping: object }).mapping));
    expect(nodes).toEqual(Object.keys(whole.mapping));
  });

  it("of an edited conversation of Claude hold the branch that its app shows", async () => {
    const root = "00000000-0000-4000-8000-000000000000";
    const messages = Array.from({ length: 4_000 }, (_, i) => ({
      ...{ uuid: `m${i}`, sender: i % 2 === 0 ? "human" : "assistant", text: `text ${i}` },
      parent_message_uuid: i === 0 ? root : `m${i - 1}`,
      created_at: new Date(Date.UTC(2025, 0, 1) + i * 1_000).toISOString(),
    }));
    const edited = { uuid: "old", sender: "human", text: "old", parent_message_uuid: "m9", created_at: "2025-01-01T00:00:05Z" };
    const shown = async (list: object[], extra: object = {}) => {
      const filled = conversationsIn(await fill("claude", [{ uuid: "c", name: "c", chat_messages: list, ...extra }]));
      const pieces = filled.flatMap(({ conversations }) => conversations as { chat_messages: { uuid: string }[] }[]);
      expect(pieces.length).toBeGreaterThan(1);
      return pieces.flatMap((piece) => piece.chat_messages.map(({ uuid }) => uuid));
    };
    const ids = messages.map(({ uuid }) => uuid);
    expect(await shown([...messages, edited])).toEqual(ids);
    expect(
      await shown([...messages.slice(0, 10), edited, ...messages.slice(10)], { current_leaf_message_uuid: "m3999" }),
    ).toEqual(ids);
    // Where a message is missing, nothing is left out.
    expect(await shown([...messages.filter(({ uuid }) => uuid !== "m5"), edited])).toHaveLength(4_000);
  });

  it("name the messages of a piece by their place in the whole", async () => {
    const messages = Array.from({ length: 4_000 }, (_, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content: `m ${i}` }));
    const filled = conversationsIn(await fill("openai", [messages]));
    const pieces = filled.flatMap(({ conversations }) => conversations as { id: string; messages: { id: string }[] }[]);
    expect(pieces.flatMap((piece) => piece.messages.map(({ id }) => id))).toEqual(messages.map((_, i) => `message ${i}`));
    expect(new Set(pieces.map(({ id }) => id))).toEqual(new Set([JSON.stringify([0, "m 0"])]));
  });

  it("leave out what cannot be sent, by its title, and keep the rest", async () => {
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`) as unknown;
    const message = { role: "user", content: deep };
    const filled = await fill("openai", [
      { title: "Deep", messages: [{ ...message, content: { deep } }] },
      { title: "Fine", messages: [{ role: "user", content: "x" }] },
    ]);
    expect(filled.refused).toEqual([{ title: "Deep", reason: "It is nested too deeply to be sent." }]);
    expect(conversationsIn(filled)).toMatchObject([{ position: 1, conversations: [{ title: "Fine" }] }]);
    const huge = await fill("chatgpt", [chat("one", 1, "z".repeat(9_000_000)), chat("fine", 2)]);
    expect([huge.refused.map(({ title }) => title), conversationsIn(huge).length]).toEqual([["one"], 1]);
  });

  it("of activities end at a silence", async () => {
    const start = Date.UTC(2025, 0, 1);
    const at = (minutes: number) => ({
      title: "Prompted x",
      header: "Gemini Apps",
      time: new Date(start - minutes * 60_000).toISOString(),
    });
    // Conversations of seven activities, newest first, with 30 minutes between them.
    const activities = Array.from({ length: 2_000 }, (_, i) => at(i + 29 * Math.floor(i / 7)));
    const { parts } = await collect(activityParts(each(activities)));
    const sizes = parts.map((part) => (part.kind === "activities" ? part.activities.length : 0));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2_000);
    for (const size of sizes.slice(0, -1)) expect([size <= PART_LIMITS.activities, size % 7]).toEqual([true, 0]);
  });
});

describe("what is sent of a conversation", () => {
  it("is what the service reads, and nothing of what it does not show", () => {
    const node = (role: string, content: object, extra: object = {}) => ({
      id: "n",
      parent: "p",
      children: ["c"],
      message: {
        id: "m",
        author: { role, name: "x" },
        content,
        metadata: { model_slug: "x" },
        create_time: 1,
        recipient: "all",
        ...extra,
      },
    });
    const hidden = { metadata: { is_visually_hidden_from_conversation: true, other: 1 } };
    const mapping = {
      a: node("user", { content_type: "multimodal_text", parts: ["Hello", { asset_pointer: "file", width: 1 }] }),
      b: node("tool", { content_type: "text", parts: ["a long result"] }),
      c: node("user", { content_type: "text", parts: ["secret"] }, hidden),
    };
    expect(slim("chatgpt", { id: "1", title: null, mapping, safe_urls: ["x"] })).toEqual({
      id: "1",
      mapping: {
        a: {
          parent: "p",
          message: {
            author: { role: "user" },
            recipient: "all",
            create_time: 1,
            content: { content_type: "multimodal_text", parts: ["Hello", {}] },
          },
        },
        b: {
          parent: "p",
          message: { author: { role: "tool" }, recipient: "all", create_time: 1, content: { content_type: "text" } },
        },
        c: {
          parent: "p",
          message: {
            ...{ author: { role: "user" }, recipient: "all", create_time: 1, content: { content_type: "text" } },
            metadata: { is_visually_hidden_from_conversation: true },
          },
        },
      },
    });
  });

  it("is of Claude's blocks the texts that are shown", () => {
    const blocks = [
      { type: "text", text: "Hi", citations: [] },
      { type: "thinking", text: "hm", thinking: "hm" },
      { type: "tool_result", text: "4" },
    ];
    const sent = {
      content: [{ type: "text", text: "Hi" }, { type: "thinking" }, { type: "tool_result" }],
      attachments: [],
      files: [],
    };
    expect(slim("claude", { chat_messages: [{ content: blocks }] })).toEqual({ chat_messages: [sent] });
    const written = { type: "tool_use", name: "artifacts", input: { command: "create", title: "Ode", content: "Oh oats" } };
    const kept = { type: "tool_use", name: "artifacts", input: { title: "Ode", content: "Oh oats" } };
    const tree = { parent_message_uuid: "a", content: [written] };
    expect(slim("claude", { current_leaf_message_uuid: "b", chat_messages: [tree] })).toEqual({
      ...{ current_leaf_message_uuid: "b" },
      chat_messages: [{ parent_message_uuid: "a", content: [kept], attachments: [], files: [] }],
    });
  });

  it("is who follows a node that names no parent", () => {
    expect(slim("chatgpt", { mapping: { root: { parent: null, children: ["a"] } } })).toEqual({
      mapping: { root: { children: ["a"] } },
    });
  });

  it.each(["chatgpt", "claude", "gemini", "openai"] as const)("may be anything: %s", (platform) => {
    for (const value of [
      null,
      7,
      "x",
      [],
      {},
      [null],
      { mapping: { a: null, b: 7 } },
      { chat_messages: [null, 7] },
      { messages: [null, 7] },
    ])
      expect(() => JSON.stringify(slim(platform, value))).not.toThrow();
  });
});
