import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { chat, setUpstream, talkOf } from "./proxy-requests.ts";
import { nth, rows, say } from "./requests.ts";

const upstream = chatChannel();
const lines: string[] = [];
let replaced: Partial<Services> = {};
let h: Harness;
beforeAll(async () => {
  h = await createHarness({
    replace: () => ({ log: (event, facts) => void lines.push(JSON.stringify({ event, ...facts })), ...replaced }),
  });
  await setUpstream(h, { url: upstream.url });
});
beforeEach(async () => {
  await upstream.reset();
  replaced = {};
  lines.length = 0;
});

const inSession = (session: string) => ({ headers: { "x-edgewise-session": session } });
const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

describe("a client that leaves", () => {
  const leaving = (session: string, signal: AbortSignal) =>
    h.fetch("POST", "/v1/chat/completions", {
      body: { model: "echo", messages: [user("Are you still looking?")] },
      headers: { "x-edgewise-user": "alice", "x-edgewise-session": session },
      signal,
    });

  it("while memory is looked for has what it asked stored, and no model is asked", async () => {
    const leave = new AbortController();
    const interruption = createInterruption();
    interruption.beforeBatch(1, async () => leave.abort());
    replaced = { db: interruption.in(h.services().db) };
    expect((await leaving("early", leave.signal)).status).toBe(499);
    replaced = {};
    expect(await talkOf(h, "early")).toEqual([["user: Are you still looking?"]]);
    expect(await upstream.requests()).toEqual([]);
    expect(lines.join()).not.toContain("request.failed");
  });

  it("before the request is handled has what it asked stored", async () => {
    expect((await leaving("earlier", AbortSignal.abort())).status).toBe(499);
    expect(await talkOf(h, "earlier")).toEqual([["user: Are you still looking?"]]);
  });
});

describe("what is stored", () => {
  it("is the question before a reply that the client began", async () => {
    await chat(h, [user("Tell me of the sea"), assistant("Once upon")], inSession("begun"));
    expect(await talkOf(h, "begun")).toEqual([["user: Tell me of the sea", "assistant: You said: Once upon"]]);
  });

  it("is not what the model thought", async () => {
    await upstream.answer("<think>They say hello. I say hello.</think>\n\nHello!");
    await chat(h, "Hello", inSession("thinks"));
    expect(await talkOf(h, "thinks")).toEqual([["user: Hello", "assistant: Hello!"]]);
  });

  it("is every message, in as many episodes as they take", async () => {
    const messages = Array.from({ length: 120 }, (_, i) => user(`This is message ${i}`));
    await chat(h, messages, inSession("many"));
    const talk = await talkOf(h, "many");
    expect(talk.map(({ length }) => length)).toEqual([50, 50, 21]);
    expect(talk.flat().slice(0, 120)).toEqual(messages.map(({ content }) => `user: ${content}`));
    await chat(h, messages, inSession("many"));
    expect(await talkOf(h, "many")).toEqual(talk);
  });

  it("fits a row of the database, whatever the script", async () => {
    // A tenant of its own, whose jobs nobody runs: to extract from so much takes a minute, and episodes.test.ts does it with less.
    const own = await createHarness();
    await setUpstream(own, { url: upstream.url });
    await chat(
      own,
      Array.from({ length: 12 }, (_, i) => user(`${i}${"東".repeat(60_000)}`)),
      inSession("long"),
    );
    const sizes = () =>
      rows<{ messages: number; bytes: number }>(
        `select json_array_length(e.messages) as messages, length(cast(e.messages as blob)) as bytes
         from episodes e join sessions s on s.id = e.session_id where s.tenant_id = ? and s.external_id = 'long'`,
        own.tenantId,
      );
    await expect.poll(async () => (await sizes()).reduce((sum, { messages }) => sum + messages, 0)).toBe(13);
    for (const { bytes } of await sizes()) expect(bytes).toBeLessThan(2_000_000);
  });
});

describe("what cannot be stored", () => {
  it("because it comes again, a full session, is not tried again", async () => {
    await say(h, "full", "the beginning", { userId: "alice" });
    await rows("update sessions set next_seq = ? where external_id = 'full' and tenant_id = ?", CHUNKS_PER_SESSION, h.tenantId);
    const waits: number[] = [];
    replaced = { wait: async (milliseconds) => void waits.push(milliseconds) };
    expect((await chat(h, "One more", inSession("full"))).status).toBe(200);
    await h.settle();
    expect(waits).toEqual([]);
    expect(lines.filter((line) => line.includes("proxy.unstored"))).toHaveLength(1);
  });

  it("because of something that passes is stored when it has passed", async () => {
    let failures = 1;
    const { newId } = h.services();
    replaced = {
      newId: (kind) => {
        if (kind === "episode" && failures-- > 0) throw new Error("The database is busy.");
        return newId(kind);
      },
    };
    await chat(h, "Hold on", inSession("busy"));
    expect(await talkOf(h, "busy")).toEqual([["user: Hold on", "assistant: You said: Hold on"]]);
    expect([failures < 1, lines.join()]).toEqual([true, expect.not.stringContaining("proxy.unstored")]);
  });
});

it("what is said again after something else is stored again, and what is only sent again is not", async () => {
  const sequence = ["One", "Two", "One", "One", "Two"];
  for (const text of sequence) await chat(h, text, inSession("again"));
  expect((await talkOf(h, "again")).map((messages) => nth(messages, 0))).toEqual([
    "user: One",
    "user: Two",
    "user: One",
    "user: Two",
  ]);
});
