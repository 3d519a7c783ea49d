import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_UPSTREAM_BYTES } from "#adapters/fetch-upstream";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { claudeConversation, finish, idOf, part, start } from "./import-requests.ts";
import { chat, setUpstream, talkOf } from "./proxy-requests.ts";
import { append, nth } from "./requests.ts";

const upstream = chatChannel();
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await setUpstream(h, { url: upstream.url });
});
beforeEach(() => upstream.reset());

let sessions = 0;
/** A chat in a session of its own, and what that session has afterwards. */
async function ask(body: Record<string, unknown> = {}) {
  sessions += 1;
  const session = `replies-${sessions}`;
  const answer = await chat(h, "When does the ferry leave?", { headers: { "x-edgewise-session": session }, body });
  return { answer, talk: await talkOf(h, session) };
}

const ASKED = "user: When does the ferry leave?";
const SAID = "The ferry leaves at seven.";
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const words = (content: string) => event({ choices: [{ index: 0, delta: { content } }] });
const completion = (message: unknown) => JSON.stringify({ id: "x", object: "chat.completion", choices: [{ index: 0, message }] });

describe("a reply is kept", () => {
  it("when a stream comes as text/plain or without a type", async () => {
    const raw = `${words("The ferry leaves")}${words(" at seven.")}data: [DONE]\n\n`;
    for (const type of ["text/plain; charset=utf-8", undefined]) {
      await upstream.misbehave({ raw, ...(type === undefined ? {} : { type }) });
      const { answer, talk } = await ask({ stream: true });
      expect([answer.status, answer.text, talk]).toEqual([200, raw, [[ASKED, `assistant: ${SAID}`]]]);
    }
  });

  it("when its events have several lines of data", async () => {
    const json = JSON.stringify({ choices: [{ index: 0, delta: { content: SAID } }] }, null, 2);
    const lines = json.split("\n").map((line) => `data: ${line}\n`);
    await upstream.misbehave({ raw: `${lines.join("")}\ndata: [DONE]\n\n`, type: "text/event-stream" });
    expect((await ask({ stream: true })).talk).toEqual([[ASKED, `assistant: ${SAID}`]]);
  });

  it("when it is spoken", async () => {
    const audio = { id: "audio_1", data: "UklGRg==", transcript: SAID };
    await upstream.misbehave({ raw: completion({ role: "assistant", content: null, audio }), type: "application/json" });
    expect((await ask()).talk).toEqual([[ASKED, `assistant: ${SAID}`]]);
    const spoken = (transcript: string) => event({ choices: [{ index: 0, delta: { content: null, audio: { transcript } } }] });
    await upstream.misbehave({ raw: `${spoken("The ferry leaves")}${spoken(" at seven.")}`, type: "text/event-stream" });
    expect((await ask({ stream: true })).talk).toEqual([[ASKED, `assistant: ${SAID}`]]);
  });
});

describe("reasoning that ends with a tag alone is not kept", () => {
  const REPLY = `The user asks about a secret elephant.\n</think>\n\n${SAID}`;
  const MENTION = "Qwen ends its reasoning with `</think>`.\n```\nthought\n</think>\nanswer\n```";
  const KEPT = [
    "<think> tags are what DeepSeek R1 emits before its answer. Strip them with a regex.",
    "My plan:\n1. open\n2. write\n</think>",
    "Your dose is 5 mg twice a day.\n</think>\nAnything else?",
    "The template ends the prompt with\n</think>\nso that the model answers at once.",
  ];

  it("of a reply, whole or in a stream", async () => {
    for (const stream of [false, true]) {
      await upstream.answer(REPLY);
      const { answer, talk } = await ask({ stream });
      expect(answer.text).toContain("elephant");
      expect(talk).toEqual([[ASKED, `assistant: ${SAID}`]]);
    }
    for (const kept of [MENTION, ...KEPT]) {
      await upstream.answer(kept);
      expect((await ask()).talk).toEqual([[ASKED, `assistant: ${kept}`]]);
    }
  });

  it("of a reply that breaks off", async () => {
    await upstream.answer("<think>\nThe user asks about a secret elephant. So");
    expect((await ask()).talk).toEqual([[ASKED]]);
  });

  it("of an episode", async () => {
    const messages = [
      { role: "user", content: "What did the log say? Thought.\n</think>\n\nSaid." },
      { role: "assistant", content: REPLY },
      { role: "assistant", content: MENTION },
      { role: "assistant", content: [{ type: "text", text: REPLY }] },
      { role: "assistant", content: "<think>Only thought.</think>" },
      ...KEPT.map((content) => ({ role: "assistant", content })),
    ];
    expect((await append(h, "appended", { userId: "alice", messages })).status).toBe(201);
    expect(await talkOf(h, "appended")).toEqual([
      [
        `user: ${messages[0]?.content}`,
        `assistant: ${SAID}`,
        `assistant: ${MENTION}`,
        `assistant: ${SAID}`,
        "assistant: ",
        ...KEPT.map((text) => `assistant: ${text}`),
      ],
    ]);
  });

  it("of an import", async () => {
    const id = await start(h, { sha: "7", platform: "claude" });
    await part(h, id, [
      claudeConversation("ferry", [
        "When does it leave?",
        REPLY,
        "And this?",
        MENTION,
        "So?",
        "<think>\nHm.\n</think>",
        "Then?",
        nth(KEPT, 0),
        "And?",
        nth(KEPT, 1),
      ]),
    ]);
    await finish(h, id);
    expect((await talkOf(h, await idOf(h, "claude:ferry"), "me")).flat()).toEqual([
      "user: When does it leave?",
      `assistant: ${SAID}`,
      "user: And this?",
      `assistant: ${MENTION}`,
      "user: So?",
      "user: Then?",
      `assistant: ${KEPT[0]}`,
      "user: And?",
      `assistant: ${KEPT[1]}`,
    ]);
  });
});

describe("a reply in one piece", () => {
  it("that breaks off is a failure of the model server's, and nothing is stored", async () => {
    const whole = completion({ role: "assistant", content: SAID });
    const half = whole.slice(0, whole.length / 2);
    for (const misbehaviour of [
      { raw: half, type: "application/json", breakOff: true },
      { raw: half, type: "application/json" },
      { raw: half },
      { raw: "", type: "application/json" },
    ]) {
      await upstream.misbehave(misbehaviour);
      const { answer, talk } = await ask();
      expect([answer.status, answer.json.code, answer.json.error.type, talk]).toEqual([
        502,
        "upstream_failed",
        "server_error",
        [],
      ]);
      expect(answer.text).not.toContain("ferry");
    }
  });

  it("comes back byte by byte", async () => {
    const raw = `\n\n{"choices": [{"index":0,"message":{"content":"${SAID}"}}], "n": 1.00, "ü":"\\u00fc"}\n`;
    await upstream.misbehave({ raw, type: "application/json" });
    const { answer, talk } = await ask();
    expect([answer.text, talk]).toEqual([raw, [[ASKED, `assistant: ${SAID}`]]]);
  });

  it("that is a page of HTML does nothing in a browser", async () => {
    for (const raw of ["<html><script>alert(1)</script></html>", "  <!doctype html><p>Bad gateway"]) {
      await upstream.misbehave({ raw, type: "text/html" });
      const { answer } = await ask();
      expect([answer.status, answer.text]).toEqual([200, raw]);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none';.*frame-ancestors 'none'.*sandbox/);
    }
  });
});

describe("a reply without an end", () => {
  const MEGABYTE = " ".repeat(1_000_000);

  it("in one piece is refused after ten megabytes, and the model server's work ends", async () => {
    await upstream.misbehave({ raw: MEGABYTE, type: "application/json", times: "endless" });
    const { answer, talk } = await ask();
    expect([answer.status, answer.json.code, talk]).toEqual([502, "upstream_failed", []]);
    await expect.poll(async () => nth(await upstream.requests(), 0).aborted).toBe(true);
  });

  it("in events is cut off, and what it said is kept", async () => {
    await upstream.misbehave({ raw: `${words(SAID)}: ${MEGABYTE}\n\n`, type: "text/event-stream", times: "endless" });
    const session = { "x-edgewise-session": "endless" };
    await expect(chat(h, "When does the ferry leave?", { headers: session, body: { stream: true } })).rejects.toThrow();
    const [stored = []] = await talkOf(h, "endless");
    expect(stored[0]).toBe(ASKED);
    expect(stored[1]).toMatch(new RegExp(`^assistant: (?:${SAID}){1,${Math.ceil(MAX_UPSTREAM_BYTES / 1_000_000)}}$`));
    await expect.poll(async () => nth(await upstream.requests(), 0).aborted).toBe(true);
  });
});
