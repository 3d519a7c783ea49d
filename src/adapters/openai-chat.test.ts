import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatRequest } from "#ports/chat-model";
import { chatContract } from "#test/chat-contract";
import { type ChatMisbehaviour, type ChatServer, startChatServer } from "#test/chat-server";
import { createOpenAiChat, type OpenAiChatOptions } from "./openai-chat.ts";

const apiKey = "key-that-nobody-may-read";
const secret = "words that nobody may read";
const request: ChatRequest = { messages: [{ role: "user", content: secret }], maxTokens: 500 };
const schema = { name: "answer", schema: { type: "object", properties: {}, required: [], additionalProperties: false } };

let server: ChatServer;
let channels = 0;
let waits: number[];

beforeAll(async () => {
  server = await startChatServer({ apiKey });
});

afterAll(() => server.close());

beforeEach(() => {
  waits = [];
});

function chatOf(options: Partial<OpenAiChatOptions> = {}) {
  channels += 1;
  const channel = server.channel(`test-${channels}`);
  const pause = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  const model = createOpenAiChat({ url: channel.url, model: "some-model", apiKey, fetch, timeoutMs: 60_000, pause, ...options });
  return { channel, model, bodies: () => channel.requests.map(({ body }) => body) };
}

chatContract("OpenAI-compatible server", (answer) => {
  const { channel, model } = chatOf();
  channel.answering(answer);
  return { model, asked: () => channel.requests.map(({ body }) => body) };
});

describe("OpenAI-compatible chat", () => {
  it("sends the model, the key, no temperature and a strict schema", async () => {
    const { channel, model } = chatOf();
    await model.complete({ ...request, schema });
    const [{ body, headers } = { body: {}, headers: {} as Record<string, string> }] = channel.requests;
    expect(headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(body).toEqual({
      model: "some-model",
      messages: request.messages,
      max_tokens: 500,
      temperature: 0,
      response_format: { type: "json_schema", json_schema: { ...schema, strict: true } },
    });
  });

  it("takes an address that ends with a slash", async () => {
    const { channel } = chatOf();
    expect(await chatOf({ url: `${channel.url}/` }).model.complete(request)).toMatchObject({ kind: "text" });
  });

  it.each(["o3-mini", "gpt-5.2", "openai/gpt-5-nano"])("speaks to %s as reasoning models want", async (name) => {
    const { channel, model, bodies } = chatOf({ model: name });
    channel.refuse("max_tokens", "temperature");
    expect(await model.complete(request)).toMatchObject({ kind: "text" });
    expect(bodies()).toEqual([{ model: name, messages: request.messages, max_completion_tokens: 500 }]);
  });

  it.each([
    [["max_tokens"], { max_completion_tokens: 500, temperature: 0 }],
    [["temperature"], { max_tokens: 500 }],
    [["max_tokens", "temperature", "response_format"], { max_completion_tokens: 500 }],
  ])("gives up %j when the server names it, and remembers", async (refused, expected) => {
    const { channel, model, bodies } = chatOf();
    channel.refuse(...refused);
    expect(await model.complete({ ...request, schema })).toMatchObject({ kind: "text" });
    const asked = bodies().length;
    expect(bodies().at(-1)).toMatchObject(expected);
    for (const name of refused) expect(bodies().at(-1)).not.toHaveProperty(name);
    await model.complete({ ...request, schema });
    expect(bodies()).toHaveLength(asked + 1);
    expect(waits).toEqual([]);
  });

  it("gives max_completion_tokens up for a server that only knows max_tokens", async () => {
    const { channel, model } = chatOf({ model: "gpt-5-local" });
    channel.refuse("max_completion_tokens");
    expect(await model.complete(request)).toMatchObject({ kind: "text" });
  });

  const withSystem: ChatRequest = {
    messages: [
      { role: "system", content: "Answer briefly." },
      { role: "user", content: secret },
    ],
    maxTokens: 500,
  };
  const JOINED = [{ role: "user", content: `Answer briefly.\n\n${secret}` }];

  it("puts the instructions into the user's message for a model that refuses the system role, and remembers", async () => {
    const { channel, model, bodies } = chatOf();
    channel.refuse("role system");
    expect(await model.complete(withSystem)).toMatchObject({ kind: "text" });
    expect(bodies().map(({ messages }) => messages)).toEqual([withSystem.messages, JOINED]);
    await model.complete(withSystem);
    expect(bodies().map(({ messages }) => messages)).toEqual([withSystem.messages, JOINED, JOINED]);
    expect(waits).toEqual([]);
  });

  it.each([
    [400, "System role not supported"],
    [400, "Developer instruction is not enabled for models/gemma-3-27b-it"],
    [422, "Conversation roles must alternate user/assistant/user/assistant/..."],
    [500, "System role not supported"],
    [400, "System message must be at the beginning."],
  ])("does so too when the server answers %i: %s", async (status, error) => {
    const { channel, model, bodies } = chatOf();
    channel.misbehave({ status, error });
    expect(await model.complete(withSystem)).toMatchObject({ kind: "text" });
    expect(bodies().at(-1)?.messages).toEqual(JOINED);
  });

  it("says what to change for a model that takes no such conversation at all", async () => {
    const { channel, model } = chatOf();
    channel.refuse("role system", "role user");
    const error = await model.complete(withSystem).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "misconfigured", message: expect.stringContaining("CHAT_MODEL") });
    expect(channel.requests).toHaveLength(2);
    const plain = chatOf();
    plain.channel.refuse("role user");
    await expect(plain.model.complete(request)).rejects.toMatchObject({ code: "misconfigured" });
    expect(plain.channel.requests).toHaveLength(1);
  });

  it("gives up when no dialect helps", async () => {
    const { channel, model } = chatOf();
    channel.refuse("max_tokens", "max_completion_tokens", "messages");
    await expect(model.complete(request)).rejects.toMatchObject({
      code: "upstream_failed",
      message: "The chat server answered 400.",
    });
    expect(channel.requests.length).toBeLessThanOrEqual(3);
  });

  it.each<ChatMisbehaviour>([{ status: 429 }, { status: 500 }, { status: 503 }, "hang up", "hang up half-way"])(
    "tries again after %j",
    async (misbehaviour) => {
      const { channel, model } = chatOf();
      channel.misbehave(misbehaviour, misbehaviour);
      expect(await model.complete(request)).toMatchObject({ kind: "text" });
      expect(waits).toHaveLength(2);
      expect(waits[0]).toBeGreaterThanOrEqual(100);
      expect(waits[0]).toBeLessThanOrEqual(200);
    },
  );

  it("gives up after three attempts", async () => {
    const { channel, model } = chatOf();
    channel.misbehave({ status: 500 }, { status: 502 }, { status: 503 });
    await expect(model.complete(request)).rejects.toMatchObject({
      code: "upstream_failed",
      message: "The chat server answered 503.",
    });
    expect(channel.requests).toHaveLength(3);
  });

  it("waits as long as it is asked to, but no longer than ten seconds", async () => {
    const { channel, model } = chatOf();
    channel.misbehave({ status: 429, retryAfter: "3" }, { status: 429, retryAfter: "60" });
    await expect(model.complete(request)).rejects.toMatchObject({ code: "upstream_failed", retryAfterSeconds: 60 });
    expect(waits).toEqual([3_000]);
  });

  it.each(["hang", "hang in body"] as const)("stops waiting for a server that does %s, once", async (misbehaviour) => {
    const { channel, model } = chatOf({ timeoutMs: 80 });
    channel.misbehave(misbehaviour);
    const failure = { code: "upstream_failed", message: "The chat server did not answer in time." };
    await expect(model.complete(request)).rejects.toMatchObject(failure);
    expect(channel.requests).toHaveLength(1);
    await expect.poll(() => channel.requests[0]?.aborted).toBe(true);
  });

  it("says how to correct a refused key and a missing path", async () => {
    await expect(chatOf({ apiKey: "wrong" }).model.complete(request)).rejects.toMatchObject({
      code: "misconfigured",
      message: expect.stringContaining("CHAT_API_KEY"),
    });
    await expect(chatOf({ url: `${server.origin}/v2` }).model.complete(request)).rejects.toMatchObject({
      code: "misconfigured",
      message: expect.stringMatching(/CHAT_URL.*CHAT_MODEL/),
    });
  });

  it.each<ChatMisbehaviour>(["refusal", "content filter"])("tells %s as refused", async (misbehaviour) => {
    const { channel, model } = chatOf();
    channel.misbehave(misbehaviour);
    expect(await model.complete(request)).toMatchObject({ kind: "refused" });
  });

  it.each<ChatMisbehaviour>([{ status: 400 }, { status: 413 }, "html", "no choices", { status: 500 }, "hang up"])(
    "tells neither text nor key nor address when the server does %j",
    async (misbehaviour) => {
      const { channel, model } = chatOf();
      channel.misbehave(misbehaviour, misbehaviour, misbehaviour);
      const error = await model.complete(request).catch((thrown: unknown) => thrown);
      const printed = JSON.stringify(error, Object.getOwnPropertyNames(error));
      expect(error).toMatchObject({ code: "upstream_failed" });
      for (const hidden of [secret, apiKey, new URL(server.origin).host]) expect(printed).not.toContain(hidden);
    },
  );
});
