import { createOpenAI } from "@ai-sdk/openai";
import { HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChatServer, startChatServer } from "#test/chat-server";
import { type SharedService, sharedService } from "#test/start-service";

const API_KEY = "sk-this-is-the-tenants-own";

let service: SharedService;
let upstream: ChatServer;
let openai: OpenAI;

beforeAll(async () => {
  upstream = await startChatServer({ apiKey: API_KEY });
  service = await sharedService();
  openai = clientOf("alice", "chat");
  const settings = {
    upstream: { url: upstream.url, apiKey: API_KEY, models: { ours: "echo-mini", "openai/gpt-5-mini": "echo" } },
  };
  await call("PATCH", "/v1/settings", settings);
  const cat = { userId: "alice", messages: [{ role: "user", content: "My cat is called Miso and sleeps on the piano." }] };
  await call("POST", "/v1/sessions/cats/episodes", cat);
});
beforeEach(() => {
  upstream.requests.length = 0;
});
afterAll(async () => {
  await upstream?.close();
});

const headersOf = (user: string, session: string) => ({ "x-edgewise-user": user, "x-edgewise-session": session });

/** The official client, as an app would make it. */
function clientOf(user: string, session: string, apiKey = service.key): OpenAI {
  return new OpenAI({ baseURL: `${service.url}/v1`, apiKey, defaultHeaders: headersOf(user, session), maxRetries: 0 });
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return asAnswer<T>(await response.json());
}

/** The test names the part of an answer that it looks at. */
function asAnswer<T>(json: unknown): T {
  return json as T;
}

type Episodes = { items: { messages: { role: string; content: string }[] }[] };

async function talkOf(session: string): Promise<string[]> {
  const { items } = await call<Episodes>("GET", `/v1/sessions/${session}/episodes?userId=alice`).catch(() => ({ items: [] }));
  return items.flatMap(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`));
}

const stored = (session: string) => expect.poll(() => talkOf(session), { interval: 100 });
const sent = (position = 0): Record<string, unknown> => upstream.requests.at(position)?.body ?? {};

describe("the official client's responses", () => {
  it("have memory in the instructions, and are stored", async () => {
    const client = clientOf("alice", "response");
    const { data, response } = await client.responses
      .create({ model: "echo", input: "What is my cat called?", instructions: "Be brief." })
      .withResponse();
    expect(data.output_text).toBe("You said: What is my cat called?");
    expect(data.usage?.total_tokens).toBeGreaterThan(0);
    expect(response.headers.get("x-edgewise-memory")).toMatch(/^injected; items=[1-9]/);
    expect(sent()).toMatchObject({
      input: "What is my cat called?",
      instructions: expect.stringMatching(/^Be brief\.\n\n[\s\S]*Miso/),
    });
    await stored("response").toEqual(["user: What is my cat called?", "assistant: You said: What is my cat called?"]);
  });

  it("stream", async () => {
    const stream = await clientOf("alice", "response-stream").responses.create({
      model: "ours",
      input: "one two three",
      stream: true,
    });
    let text = "";
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "response.output_text.delta") text += event.delta;
    }
    expect(text).toBe("You said: one two three");
    expect(types.filter((type) => type === "response.output_text.delta")).toHaveLength(5);
    expect([types[0], types.at(-1)]).toEqual(["response.created", "response.completed"]);
    expect(sent().model).toBe("echo-mini");
    await stored("response-stream").toEqual(["user: one two three", "assistant: You said: one two three"]);
  });

  it("are put together by the client's own stream", async () => {
    const final = await openai.responses.stream({ model: "echo", input: "Hello there" }).finalResponse();
    expect(final.output_text).toBe("You said: Hello there");
  });

  it("go on from one that the model server keeps, with only what is new", async () => {
    const client = clientOf("alice", "chain");
    const first = await client.responses.create({ model: "echo", input: "I sail on Sunday" });
    const second = await client.responses.create({
      model: "echo",
      input: "What is my cat called?",
      previous_response_id: first.id,
    });
    expect(second.output_text).toBe("You said: What is my cat called?");
    expect(sent(1)).toMatchObject({ input: "What is my cat called?", instructions: expect.stringContaining("Miso") });
    await stored("chain").toEqual([
      "user: I sail on Sunday",
      "assistant: You said: I sail on Sunday",
      "user: What is my cat called?",
      "assistant: You said: What is my cat called?",
    ]);
    expect((await client.responses.retrieve(second.id)).previous_response_id).toBe(first.id);
    const items = [];
    for await (const item of client.responses.inputItems.list(second.id)) items.push(item.type);
    expect(items).toEqual(["message", "message", "message"]);
    await client.responses.delete(second.id);
    await expect(client.responses.retrieve(second.id)).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining(second.id),
    });
  });

  it("of a tool are one exchange", async () => {
    const client = clientOf("alice", "response-tools");
    const tools = [{ type: "function" as const, name: "look", parameters: { type: "object", properties: {} }, strict: false }];
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "How is the sea?" }];
    const first = await client.responses.create({ model: "echo", input, tools });
    const [wanted] = first.output;
    if (wanted?.type !== "function_call") throw new Error("There was no call.");
    expect(wanted).toMatchObject({ name: "look", arguments: '{"text":"How is the sea?"}' });
    const result = { type: "function_call_output" as const, call_id: wanted.call_id, output: "calm" };
    const second = await client.responses.create({ model: "echo", input: [...input, wanted, result], tools });
    expect(second.output_text).toBe("You said: calm");
    expect(sent(1).tools).toEqual(tools);
    await stored("response-tools").toEqual(["user: How is the sea?", "assistant: You said: calm"]);
  });

  it("in the background are queued, fetched and cancelled", async () => {
    const queued = await openai.responses.create({ model: "echo", input: "Take your time", background: true });
    expect([queued.status, queued.output]).toEqual(["queued", []]);
    expect((await openai.responses.retrieve(queued.id)).output_text).toBe("You said: Take your time");
    expect((await openai.responses.cancel(queued.id)).status).toBe("cancelled");
  });

  it("are answered by facts, streaming too, where the client keeps the conversation", async () => {
    const client = clientOf("alice", "response-facts");
    await call("POST", "/v1/sessions/response-facts/episodes", {
      userId: "alice",
      messages: [{ role: "user", content: "My favorite colors are 1) Blue, 2) Green, 3) Black" }],
    });
    const asked = { model: "echo", input: "What's my second favorite color?", store: false };
    const { data, response } = await client.responses.create(asked).withResponse();
    expect(response.headers.get("x-edgewise-memory")).toMatch(/^answered; topic=/);
    expect(data.output_text).toContain("Green");
    const streamed = await client.responses.stream(asked).finalResponse();
    expect([streamed.output_text, streamed.usage?.total_tokens]).toEqual([data.output_text, 0]);
    expect(upstream.requests).toEqual([]);
    // The model server could not go on from an answer that it did not give.
    await client.responses.create({ ...asked, store: true });
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([401, 429, 500])("show the model server's own error: %i", async (status) => {
    upstream.misbehave({ status });
    const error = await openai.responses.create({ model: "echo", input: "Oh" }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ status, message: expect.stringContaining("cannot answer") });
  });

  it("of a personal key neither refer to what the model server keeps nor read it", async () => {
    const { key } = await call<{ key: string }>("POST", "/v1/keys", { name: "bob's", userId: "bob" });
    const hers = await openai.responses.create({ model: "echo", input: "My secret is in the attic" });
    const bob = clientOf("bob", "bobs", key);
    upstream.requests.length = 0;
    const attempts = [
      bob.responses.retrieve(hers.id),
      bob.responses.delete(hers.id),
      bob.responses.cancel(hers.id),
      bob.responses.create({ model: "echo", input: "What did I say?", previous_response_id: hers.id }),
      bob.responses.create({ model: "echo", input: [{ type: "item_reference", id: hers.output[0]?.id ?? "" }] }),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ status: 403, type: "permission_error" });
    expect(upstream.requests).toEqual([]);
    expect((await bob.responses.create({ model: "echo", input: "Hello", store: false })).output_text).toBe("You said: Hello");
  });
});

describe("the official client", () => {
  it("gets embeddings, as base64 and as numbers, of the tenant's own name for a model", async () => {
    const input = ["a cat", "a ship"];
    const packed = await openai.embeddings.create({ model: "ours", input });
    const plain = await openai.embeddings.create({ model: "ours", input, encoding_format: "float", dimensions: 64 });
    expect(packed.data[0]?.embedding).toHaveLength(64);
    for (const [i, { embedding }] of packed.data.entries())
      for (const [j, value] of embedding.entries()) expect(value).toBeCloseTo(plain.data[i]?.embedding[j] ?? Number.NaN, 6);
    expect(sent()).toEqual({ model: "echo-mini", input, encoding_format: "base64" });
  });

  it("gets a model by the server's name, by the tenant's own, and with a slash", async () => {
    for (const id of ["echo", "ours", "openai/gpt-5-mini"])
      expect(await openai.models.retrieve(id)).toMatchObject({ id, object: "model" });
    expect(await call("GET", "/v1/models/openai/gpt-5-mini")).toMatchObject({ id: "openai/gpt-5-mini" });
    await expect(openai.models.retrieve("none/such")).rejects.toMatchObject({ status: 404, code: "not_found" });
  });

  it("is told what there is, where there is no such route", async () => {
    const attempts = [
      () => openai.images.generate({ model: "echo", prompt: "a cat" }),
      () => openai.completions.create({ model: "echo", prompt: "a cat" }),
      () => openai.audio.speech.create({ model: "echo", input: "a cat", voice: "alloy" }),
      () => openai.files.list(),
      () => openai.conversations.create(),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({
        status: 404,
        code: "not_found",
        type: "invalid_request_error",
        param: null,
        message: expect.stringContaining("/v1/chat/completions, /v1/models, /v1/embeddings, /v1/responses"),
      });
  });
});

describe("the AI SDK's OpenAI provider", () => {
  const provider = (session: string) =>
    createOpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, headers: headersOf("alice", session) });

  it("generates and streams by its default, which is the Responses API", async () => {
    const model = provider("ai-sdk")("echo");
    const { text } = await generateText({ model, prompt: "What is my cat called?", maxRetries: 0 });
    expect(text).toBe("You said: What is my cat called?");
    expect(upstream.requests[0]).toMatchObject({ path: "/responses", body: { instructions: expect.stringContaining("Miso") } });
    const streamed = streamText({ model, prompt: "word by word", maxRetries: 0 });
    const parts: string[] = [];
    for await (const part of streamed.textStream) parts.push(part);
    expect(parts.join("")).toBe("You said: word by word");
    expect(parts.length).toBeGreaterThan(1);
    expect((await streamed.usage).outputTokens).toBeGreaterThan(0);
    await stored("ai-sdk").toHaveLength(4);
  });

  it("runs a loop of tools, and goes on with what it was answered", async () => {
    const look = tool({
      inputSchema: jsonSchema<{ text: string }>({ type: "object", properties: { text: { type: "string" } } }),
      execute: () => "calm",
    });
    const model = provider("ai-sdk-tools")("echo");
    const messages = [{ role: "user" as const, content: "How is the sea?" }];
    const { text, response } = await generateText({ model, messages, tools: { look }, stopWhen: stepCountIs(3), maxRetries: 0 });
    expect(text).toContain("calm");
    const next = { role: "user" as const, content: "And tomorrow?" };
    const second = await generateText({ model, messages: [...messages, ...response.messages, next], maxRetries: 0 });
    expect(second.text).toBe("You said: And tomorrow?");
    expect(JSON.stringify(sent(-1).input)).toContain("item_reference");
    await stored("ai-sdk-tools").toEqual([
      "user: How is the sea?",
      `assistant: ${text}`,
      "user: And tomorrow?",
      "assistant: You said: And tomorrow?",
    ]);
  });

  it("is answered by facts, streaming too", async () => {
    await call("POST", "/v1/sessions/ai-sdk-facts/episodes", {
      userId: "alice",
      messages: [{ role: "user", content: "My favorite fruits are 1) Fig, 2) Plum, 3) Pear" }],
    });
    const asked = {
      model: provider("ai-sdk-facts")("echo"),
      prompt: "What's my second favorite fruit?",
      providerOptions: { openai: { store: false } },
      maxRetries: 0,
    };
    const { text } = await generateText(asked);
    expect(text).toContain("Plum");
    expect(await streamText(asked).text).toBe(text);
    expect(upstream.requests).toEqual([]);
  });

  it("shows an error of the model server's", async () => {
    upstream.misbehave({ status: 400 });
    await expect(generateText({ model: provider("ai-sdk")("echo"), prompt: "Oh", maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("cannot answer"),
    });
  });
});

describe("LangChain", () => {
  const modelOf = (more: { useResponsesApi?: boolean } = {}) =>
    new ChatOpenAI({
      model: "echo",
      apiKey: service.key,
      maxRetries: 0,
      configuration: { baseURL: `${service.url}/v1`, defaultHeaders: headersOf("alice", "langchain") },
      ...more,
    });

  it.each([false, true])("answers and streams; by the Responses API: %s", async (useResponsesApi) => {
    const model = modelOf({ useResponsesApi });
    const path = useResponsesApi ? "/responses" : "/chat/completions";
    const answer = await model.invoke([new HumanMessage("What is my cat called?")]);
    expect(answer.text).toBe("You said: What is my cat called?");
    expect(upstream.requests[0]).toMatchObject({ path, text: expect.stringContaining("Miso") });
    let text = "";
    for await (const chunk of await model.stream("one two")) text += chunk.text;
    expect(text).toBe("You said: one two");
  });

  it("calls the model server by its default", async () => {
    expect((await modelOf().invoke("Hello")).text).toBe("You said: Hello");
  });
});
