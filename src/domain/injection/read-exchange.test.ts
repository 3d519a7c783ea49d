import { describe, expect, it, vi } from "vitest";
import { FENCE_CLOSE, FENCE_OPEN } from "#core/text/memory-fence";
import { type ChatTurn, MAX_NEW_TURNS, MAX_SAID_CHARACTERS, readExchange } from "./read-turns.ts";

const user = (content: unknown, more: Record<string, unknown> = {}): ChatTurn => ({ role: "user", content, ...more });
const assistant = (content: unknown, more: Record<string, unknown> = {}): ChatTurn => ({ role: "assistant", content, ...more });
const calling = assistant(null, { tool_calls: [{ id: "1" }] });

const read = async (messages: ChatTurn[], reply = "Reply") =>
  (await readExchange(messages, reply)).map(({ role, content }) => `${role}: ${content}`);
const ids = async (messages: ChatTurn[], reply = "Reply") =>
  (await readExchange(messages, reply)).map(({ messageId }) => messageId);

describe("what an exchange adds", () => {
  it("is what the user said since the last reply, and the reply", async () => {
    expect(await read([user("one"), assistant("two"), user("three"), user("four")], "five")).toEqual([
      "user: three",
      "user: four",
      "assistant: five",
    ]);
  });

  it("is not instructions, tools' results or what was injected", async () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "developer", content: "Be kind." },
      user(`${FENCE_OPEN}\nknown\n${FENCE_CLOSE}`),
      user(`Hello ${FENCE_OPEN}known${FENCE_CLOSE}there`),
      { role: "tool", content: "42", tool_call_id: "1" },
    ];
    expect(await read(messages, `Well ${FENCE_OPEN}known${FENCE_CLOSE}`)).toEqual(["user: Hello there", "assistant: Well"]);
  });

  it("is the question too when the replies since only called tools", async () => {
    const tool = { role: "tool", content: "42", tool_call_id: "1" };
    expect(await read([user("before"), assistant("yes"), user("now"), calling, tool, calling, tool])).toEqual([
      "user: now",
      "assistant: Reply",
    ]);
    expect(await read([user("now"), assistant(null, { function_call: { name: "x" } }), tool])).toEqual([
      "user: now",
      "assistant: Reply",
    ]);
  });

  it("is the question too when the reply is begun by the client", async () => {
    expect(await read([user("one"), assistant("two"), user("three"), assistant("Well,")])).toEqual([
      "user: three",
      "assistant: Reply",
    ]);
    expect(await read([user("one"), assistant("two"), { role: "system", content: "Go on." }])).toEqual(["assistant: Reply"]);
  });

  it("is not what a model thought", async () => {
    expect(await read([user("one")], "<think>The user says one.</think>\n\nTwo")).toEqual(["user: one", "assistant: Two"]);
    expect(await read([user("one")], "<think>\nThe user sa")).toEqual(["user: one"]);
    expect(await read([user("one")], "<think> is a tag")).toEqual(["user: one", "assistant: <think> is a tag"]);
  });

  it("is the text of parts, and no images", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    expect(await read([user([{ type: "text", text: "Look" }, image, { type: "text", text: "here" }])], "")).toEqual([
      "user: Look\nhere",
    ]);
    expect(await read([user([image])], "")).toEqual([]);
  });

  it("is nothing where nobody said a word", async () => {
    expect(await read([user("  ")], " ")).toEqual([]);
    expect(await read([], "")).toEqual([]);
  });

  it("is cut where a message ends at most, and holds as many as an append", async () => {
    const [said, reply] = await readExchange([user("a".repeat(70_000))], "b".repeat(70_000));
    expect([said?.content.length, reply?.content.length]).toEqual([MAX_SAID_CHARACTERS, MAX_SAID_CHARACTERS]);
    const many = await read(Array.from({ length: MAX_NEW_TURNS + 2 }, (_, i) => user(`m${i}`)));
    expect([many.length, many[0], many.at(-2)]).toEqual([MAX_NEW_TURNS + 1, "user: m2", `user: m${MAX_NEW_TURNS + 1}`]);
  });

  it("has as its speaker the name that it gives", async () => {
    const messages = [user("Hello", { name: "Bob" }), user("Hi", { name: 7 }), user("Hey")];
    expect((await readExchange(messages, "")).map(({ speaker }) => speaker)).toEqual(["Bob", undefined, undefined]);
  });
});

describe("the names of messages", () => {
  it("are the same when a conversation is sent or generated again", async () => {
    const conversation = [user("one"), assistant("two"), user("three")];
    const [question, reply] = await ids(conversation);
    expect(await ids([{ role: "system", content: "It is 9:01" }, ...conversation])).toEqual([question, reply]);
    expect((await ids(conversation, "Another"))[0]).toBe(question);
    expect((await ids(conversation, "Another"))[1]).not.toBe(reply);
  });

  it("differ where anything before differs", async () => {
    const all = await Promise.all([
      ids([user("three")]),
      ids([user("one"), user("three")]),
      ids([user("one"), assistant("two"), user("three")]),
      ids([user("one"), assistant("too"), user("three")]),
      ids([user("onetwo"), assistant(""), user("three")]),
    ]);
    const questions = all.map((names) => names.at(-2));
    expect(new Set(questions).size).toBe(questions.length);
  });

  it("differ by speaker", async () => {
    const named = async (name: string) => (await readExchange([user("one", { name })], ""))[0]?.messageId;
    expect(await named("Kai")).not.toBe(await named("Kim"));
    expect(await named("Kai")).toBe(await named("Kai"));
  });

  it("of a long conversation are made in one reading of it", async () => {
    const history = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? user : assistant)("x".repeat(20_000)));
    const fresh = Array.from({ length: 49 }, (_, i) => user(`m${i}`));
    const digest = vi.spyOn(crypto.subtle, "digest");
    expect(await ids([...history, ...fresh])).toHaveLength(50);
    const hashed = digest.mock.calls.reduce((sum, [, data]) => sum + data.byteLength, 0);
    digest.mockRestore();
    // The history is eight million characters; hashed again for each of the fifty ids, it would be 400 million.
    expect(hashed).toBeLessThan(10_000_000);
  });

  it("of a question stay while tools are called", async () => {
    const [question] = await ids([user("one")], "");
    expect((await ids([user("one"), calling, { role: "tool", content: "x" }]))[0]).toBe(question);
  });
});
