import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, streamText, tool } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChatServer, startChatServer } from "#test/chat-server";
import { type EmbeddingsServer, startEmbeddingsServer } from "#test/embeddings-server";
import { type ManualUpstream, startManualUpstream, wordsEvent } from "#test/manual-upstream";
import { type Service, startService } from "#test/start-service";

const API_KEY = "sk-this-is-the-tenants-own";

let service: Service;
let upstream: ChatServer;
let manual: ManualUpstream;
let embeddings: EmbeddingsServer;
let openai: OpenAI;
const printed: string[] = [];

beforeAll(async () => {
  upstream = await startChatServer({ apiKey: API_KEY });
  manual = await startManualUpstream();
  embeddings = await startEmbeddingsServer({ dimensions: 64 });
  const vars = { EMBEDDER: "openai", EMBEDDINGS_URL: embeddings.url, EMBEDDING_MODEL: "m", EMBEDDING_DIMENSIONS: "64" };
  service = await startService({ cron: false, vars, onLine: (line) => printed.push(line) });
  openai = clientOf("alice", "chat");
});
beforeEach(async () => {
  upstream.requests.length = 0;
  await setUpstream(upstream.url);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([upstream?.close(), manual?.close(), embeddings?.close()]);
});

/** The official client, as an app would make it. */
function clientOf(user: string, session: string, more: Record<string, string> = {}): OpenAI {
  const defaultHeaders = { "x-edgewise-user": user, "x-edgewise-session": session, ...more };
  return new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, defaultHeaders, maxRetries: 0 });
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

async function setUpstream(url: string): Promise<void> {
  await call("PATCH", "/v1/settings", { upstream: { url, apiKey: API_KEY, models: { ours: "echo-mini" } } });
}

type Episodes = { items: { messages: { role: string; content: string }[] }[] };

async function talkOf(session: string, user = "alice"): Promise<string[]> {
  const { items } = await call<Episodes>("GET", `/v1/sessions/${session}/episodes?userId=${user}`).catch(() => ({ items: [] }));
  return items.flatMap(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`));
}

const stored = (session: string) => expect.poll(() => talkOf(session), { interval: 100 });
const user = (content: string) => ({ role: "user" as const, content });

describe("the official client", () => {
  it("gets a completion and its usage, and the exchange is stored", async () => {
    const completion = await openai.chat.completions.create({ model: "echo", messages: [user("Good morning")] });
    expect(completion.choices[0]?.message.content).toBe("You said: Good morning");
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
    await stored("chat").toEqual(["user: Good morning", "assistant: You said: Good morning"]);
  });

  it("gets a stream with its usage", async () => {
    const stream = await clientOf("alice", "stream").chat.completions.create({
      model: "echo",
      messages: [user("one two three")],
      stream: true,
      stream_options: { include_usage: true },
    });
    let [text, tokens] = ["", 0];
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      tokens = chunk.usage?.total_tokens ?? tokens;
    }
    expect(text).toBe("You said: one two three");
    expect(tokens).toBeGreaterThan(0);
    await stored("stream").toEqual(["user: one two three", "assistant: You said: one two three"]);
  });

  it("calls a tool and repeats its result", async () => {
    const client = clientOf("alice", "tools");
    const tools = [{ type: "function" as const, function: { name: "look", parameters: { type: "object", properties: {} } } }];
    const asked = [user("How is the sea?")];
    const first = await client.chat.completions.create({ model: "echo", messages: asked, tools });
    const reply = first.choices[0]?.message;
    const tool_call_id = reply?.tool_calls?.[0]?.id ?? "";
    expect(reply?.tool_calls?.[0]).toMatchObject({ type: "function", function: { name: "look" } });
    if (reply === undefined) throw new Error("There was no reply.");
    const messages = [...asked, reply, { role: "tool" as const, tool_call_id, content: "calm" }];
    const second = await client.chat.completions.create({ model: "echo", messages, tools });
    expect(second.choices[0]?.message.content).toBe("You said: calm");
    expect(upstream.requests[1]?.body.messages.slice(-3)).toEqual(JSON.parse(JSON.stringify(messages)));
    expect(upstream.requests[1]?.body.tools).toEqual(tools);
    await stored("tools").toEqual(["user: How is the sea?", "assistant: You said: calm"]);
  });

  it("lists the models, the tenant's own names among them", async () => {
    const names: string[] = [];
    for await (const model of openai.models.list()) names.push(model.id);
    expect(names).toEqual(["echo", "echo-mini", "ours"]);
  });

  it.each([401, 429, 500])("shows the model server's own error: %i", async (status) => {
    upstream.misbehave({ status });
    const error = await openai.chat.completions
      .create({ model: "echo", messages: [user("Oh")] })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ status, message: expect.stringContaining("cannot answer") });
  });

  it("shows what is wrong in our words", async () => {
    const wrong = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: "ew_wrong", maxRetries: 0 });
    await expect(wrong.chat.completions.create({ model: "echo", messages: [user("Oh")] })).rejects.toMatchObject({
      status: 401,
      type: "authentication_error",
      message: expect.stringContaining("API key"),
    });
    await call("PATCH", "/v1/settings", { upstream: null });
    await expect(openai.chat.completions.create({ model: "echo", messages: [user("Oh")] })).rejects.toMatchObject({
      status: 422,
      code: "unprocessable",
      param: "upstream",
      message: expect.stringContaining("PATCH /v1/settings"),
    });
  });
});

describe("the AI SDK", () => {
  const provider = () =>
    createOpenAICompatible({
      name: "edgewise",
      baseURL: `${service.url}/v1`,
      apiKey: service.key,
      headers: { "x-edgewise-user": "alice", "x-edgewise-session": "ai-sdk" },
      includeUsage: true,
    });

  it("generates, streams and calls tools", async () => {
    const model = provider()("echo");
    expect(await generateText({ model, prompt: "Hello there", maxRetries: 0 })).toMatchObject({ text: "You said: Hello there" });
    const streamed = streamText({ model, prompt: "word by word", maxRetries: 0 });
    const parts: string[] = [];
    for await (const part of streamed.textStream) parts.push(part);
    expect(parts.join("")).toBe("You said: word by word");
    expect(parts.length).toBeGreaterThan(1);
    expect((await streamed.usage).outputTokens).toBeGreaterThan(0);
    const look = tool({
      inputSchema: jsonSchema<{ text: string }>({ type: "object", properties: { text: { type: "string" } } }),
    });
    const called = await generateText({ model, prompt: "the sea", tools: { look }, maxRetries: 0 });
    expect(called.toolCalls).toMatchObject([{ toolName: "look", input: { text: "the sea" } }]);
  });

  it("shows an error of the model server's", async () => {
    upstream.misbehave({ status: 400 });
    await expect(generateText({ model: provider()("echo"), prompt: "Oh", maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("cannot answer"),
    });
  });
});

describe("a stream", () => {
  const open = async (session: string, signal?: AbortSignal): Promise<Response> =>
    await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${service.key}`,
        "content-type": "application/json",
        "x-edgewise-user": "alice",
        "x-edgewise-session": session,
      },
      body: JSON.stringify({ model: "echo", stream: true, messages: [user("Tell me")] }),
      ...(signal === undefined ? {} : { signal }),
    });
  const begin = async (session: string, signal?: AbortSignal) => {
    await setUpstream(manual.url);
    const opened = open(session, signal);
    const exchange = await manual.next();
    exchange.response.writeHead(200, { "content-type": "text/event-stream" });
    exchange.response.write(wordsEvent("Once upon"));
    const response = await opened;
    const reader = response.body?.getReader();
    if (reader === undefined) throw new Error("There is no body.");
    // On its way an event may be cut.
    let first = "";
    while (!first.endsWith("\n\n")) first += new TextDecoder().decode((await reader.read()).value);
    return { exchange, reader, first };
  };

  it("has its first bytes with the client before the model server sends its last, and all of them as they were", async () => {
    const { exchange, reader, first } = await begin("held");
    expect(first).toBe(wordsEvent("Once upon"));
    // Cut in the middle of a character, and with what no event has.
    const rest = Buffer.from(`${wordsEvent(" a time 🦊")}: a comment\r\nretry: 10\r\n\r\ndata: [DONE]\n\n`);
    exchange.response.write(rest.subarray(0, 130));
    exchange.response.write(rest.subarray(130, 171));
    exchange.response.end(rest.subarray(171));
    const got: Uint8Array[] = [];
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) got.push(piece.value);
    expect(Buffer.concat(got).equals(rest)).toBe(true);
    await stored("held").toEqual(["user: Tell me", "assistant: Once upon a time 🦊"]);
  });

  it("that the client leaves ends the model server's work, and what had come is stored", async () => {
    const leaving = new AbortController();
    const { exchange, first } = await begin("left", leaving.signal);
    expect(first).toContain("Once upon");
    leaving.abort();
    // workerd on this machine notices that a client has disconnected when it next writes to it.
    const talking = setInterval(() => exchange.response.write(wordsEvent(" and on")), 100);
    await exchange.left;
    clearInterval(talking);
    await stored("left").toEqual(["user: Tell me", expect.stringMatching(/^assistant: Once upon( and on)*$/)]);
  });

  it("that the model server breaks off has what had come, and so has the session", async () => {
    const { exchange, reader } = await begin("broken");
    exchange.response.destroy();
    // Here workerd ends the body as if it were whole; without its `[DONE]` it is not.
    expect(await reader.read().catch(() => ({ done: true }))).toMatchObject({ done: true });
    await stored("broken").toEqual(["user: Tell me", "assistant: Once upon"]);
  });
});

describe("memory", () => {
  it("of another session stands ahead of the conversation", async () => {
    await call("POST", "/v1/sessions/cats/episodes", {
      userId: "alice",
      messages: [{ role: "user", content: "My cat is called Miso and sleeps on the piano." }],
    });
    const { data, response } = await openai.chat.completions
      .create({ model: "echo", messages: [user("What is my cat called?")] })
      .withResponse();
    expect(response.headers.get("x-edgewise-memory")).toMatch(/^injected; items=[1-9]\d*; tokens=[1-9]\d*$/);
    expect(upstream.requests[0]?.body.messages[0]).toMatchObject({ role: "system", content: expect.stringContaining("Miso") });
    expect(data.choices[0]?.message.content).toBe("You said: What is my cat called?");
  });

  it("answers a question about a fact with no model server at all, streaming too", async () => {
    const client = clientOf("alice", "facts");
    await call("POST", "/v1/sessions/facts/episodes", {
      userId: "alice",
      messages: [{ role: "user", content: "My favorite colors are 1) Blue, 2) Green, 3) Black" }],
    });
    const asked = { model: "echo", messages: [user("What's my second favorite color?")] };
    const whole = await client.chat.completions.create(asked);
    expect(whole.choices[0]?.message.content).toContain("Green");
    const stream = await client.chat.completions.create({ ...asked, stream: true, stream_options: { include_usage: true } });
    let text = "";
    const usages: unknown[] = [];
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      if (chunk.usage) usages.push(chunk.usage);
    }
    expect([text, usages]).toEqual([
      whole.choices[0]?.message.content,
      [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it("whose embedder hangs fails no chat, which has what was found by words", async () => {
    embeddings.misbehave("hang", "hang", "hang");
    const body = { model: "echo", messages: [user("What is my cat called, by the way?")], seed: 3 };
    const { data, response } = await openai.chat.completions.create(body).withResponse();
    expect(response.headers.get("x-edgewise-memory")).toMatch(/^injected/);
    expect(data.choices[0]?.message.content).toBe("You said: What is my cat called, by the way?");
    expect(upstream.requests[0]?.body).toMatchObject({ seed: 3, messages: [{ role: "system" }, ...body.messages] });
  });

  it("that is off is not looked for", async () => {
    const client = clientOf("alice", "off", { "x-edgewise-memory": "off" });
    const { response } = await client.chat.completions
      .create({ model: "echo", messages: [user("What is my cat called?")] })
      .withResponse();
    expect(response.headers.get("x-edgewise-memory")).toBe("off");
    expect(upstream.requests[0]?.body.messages).toHaveLength(1);
  });
});

describe("11: names beyond ASCII, in the headers of both SDKs", () => {
  const [name, chat] = ["José 北京, 100%", "Łódź/1"];
  const headers = { "x-edgewise-user": encodeURIComponent(name), "x-edgewise-session": encodeURIComponent(chat) };
  const talk = () => expect.poll(() => talkOf(encodeURIComponent(chat), encodeURIComponent(name)));

  it("are one user's, percent-encoded", async () => {
    const client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, defaultHeaders: headers, maxRetries: 0 });
    await client.chat.completions.create({ model: "echo", messages: [user("One")] });
    await talk().toEqual(["user: One", "assistant: You said: One"]);
    const edgewise = createOpenAICompatible({ name: "edgewise", baseURL: `${service.url}/v1`, apiKey: service.key, headers });
    await generateText({ model: edgewise("echo"), prompt: "Two" });
    await talk().toEqual(["user: One", "assistant: You said: One", "user: Two", "assistant: You said: Two"]);
    const each = { "x-edgewise-user": encodeURIComponent("Жозе"), "x-edgewise-session": "hers" };
    await openai.chat.completions.create({ model: "echo", messages: [user("Three")] }, { headers: each });
    await expect.poll(() => talkOf("hers", encodeURIComponent("Жозе"))).toHaveLength(2);
  });

  it.each([
    ["Latin-1", "Jos\u00e9"],
    ["UTF-8", "Jos\u00c3\u00a9"],
    ["a byte that is in neither", "Jos\u0081"],
  ])("are refused as raw bytes of %s", async (_, bytes) => {
    const refused = async (more: Record<string, string>) =>
      await fetch(`${service.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json", ...more },
        body: JSON.stringify({ model: "echo", messages: [user("Hello")] }),
      });
    const answer = await refused({ "x-edgewise-user": bytes });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("Percent-encode");
    expect((await refused({ "x-edgewise-user": "alice", "x-edgewise-memory": "false" })).status).toBe(400);
    expect(upstream.requests).toEqual([]);
  });

  it("10: a body that is not UTF-8 is refused on the wire", async () => {
    const body = Uint8Array.from('{"model":"echo","messages":[{"role":"user","content":"Jos\u00e9"}]}', (each) =>
      each.charCodeAt(0),
    );
    const answer = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body,
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("UTF-8")]);
    expect(upstream.requests).toEqual([]);
  });
});

it("has never shown the model server's key", async () => {
  expect(upstream.requests.length + printed.length).toBeGreaterThan(0);
  const settings = JSON.stringify(await call("GET", "/v1/settings"));
  const audit = JSON.stringify(await call("GET", "/v1/audit?limit=100"));
  for (const shown of [settings, audit, ...printed]) expect(shown).not.toContain(API_KEY);
});
