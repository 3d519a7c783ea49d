import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { memoryTools, withMemory } from "@edgewise/ai-sdk";
import { Edgewise } from "@edgewise/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChatServer, startChatServer } from "../../../test/support/chat-server.ts";
import { type ManualUpstream, startManualUpstream, wordsEvent } from "../../../test/support/manual-upstream.ts";
import { type SharedService, sharedService } from "../../../test/support/start-service.ts";
import { ai6 } from "./ai-6.ts";
import { ai7 } from "./ai-7.ts";
import { weather } from "./sdk.ts";

let service: SharedService;
let model: ChatServer;
let manual: ManualUpstream;
let client: Edgewise;
/** The paths that the client has asked for. */
const asked: string[] = [];

beforeAll(async () => {
  model = await startChatServer();
  manual = await startManualUpstream();
  service = await sharedService();
  client = new Edgewise({ baseUrl: service.url, token: service.key, fetch: counting });
});
beforeEach(() => {
  asked.length = 0;
  model.requests.length = 0;
});
afterAll(async () => {
  await Promise.all([model?.close(), manual?.close()]);
});

const counting: typeof fetch = async (input, init) => {
  asked.push(`${init?.method} ${new URL(input instanceof Request ? input.url : input).pathname}`);
  return await fetch(input, init);
};

const user = (content: string) => ({ role: "user" as const, content });
const assistant = (content: string) => ({ role: "assistant" as const, content });
const contexts = () => asked.filter((path) => path === "POST /v1/context").length;
const appends = () => asked.filter((path) => path.startsWith("POST") && path.endsWith("/episodes")).length;

/** The messages that the model was sent, request by request. */
const sent = () => model.requests.map(({ body }) => body.messages);
const blockOf = (messages: { role: string; content?: unknown }[] | undefined) => {
  const [first] = messages ?? [];
  return first?.role === "system" ? (/<edgewise-memory>[\s\S]*$/.exec(String(first.content))?.[0] ?? null) : null;
};

async function talkOf(sessionId: string, userId: string): Promise<string[]> {
  const { items } = await client.episodes.list({ sessionId, userId }).catch(() => ({ items: [] }));
  return items.flatMap(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`));
}

const callOf = (name: string, input: Record<string, unknown>, finishReason = "tool_calls") => ({
  content: null,
  toolCalls: [{ id: `call_${name}`, type: "function" as const, function: { name, arguments: JSON.stringify(input) } }],
  finishReason,
});
const textIn = async (stream: AsyncIterable<string>) => {
  let text = "";
  for await (const part of stream) text += part;
  return text;
};

describe.each([ai6, ai7])("$name", (sdk) => {
  /** A user and sessions of its own for each version. */
  const userId = `alice with ${sdk.name}`;
  const session = (name: string) => `${name} with ${sdk.name}`;
  const place = (name: string) => ({ client, userId, sessionId: session(name) });
  const talk = (name: string) => expect.poll(() => talkOf(session(name), userId), { interval: 50 });
  const chat = (name: string, more = {}) => sdk.chat(model.url, { ...place(name), ...more });

  beforeAll(async () => {
    await client.memories.add({ userId, content: "My cat is called Miso.", type: "relationship" });
  });

  it.each([false, true])(
    "puts what is known before the prompt, and stores the exchange (wrapLanguageModel: %s)",
    async (wrapped) => {
      const name = `known ${wrapped}`;
      const reply = await sdk.chat(model.url, place(name), { wrapped }).generate({ messages: [user("What is my cat called?")] });
      expect(reply).toBe("You said: What is my cat called?");
      expect(sent()).toEqual([
        [{ role: "system", content: expect.stringContaining("My cat is called Miso.") }, user("What is my cat called?")],
      ]);
      expect(blockOf(sent()[0])).toMatch(/<\/edgewise-memory>$/);
      await talk(name).toEqual(["user: What is my cat called?", "assistant: You said: What is my cat called?"]);
    },
  );

  it("puts it at the end of the app's own instructions", async () => {
    await chat("instructed").generate({ instructions: "Be brief.", messages: [user("Is Miso a cat?")] });
    expect(sent()[0]).toMatchObject([{ role: "system", content: expect.stringMatching(/^Be brief\.\n\n</) }, { role: "user" }]);
    expect(blockOf(sent()[0])).not.toBeNull();
  });

  it("streams: the first words are there before the model has ended, and the exchange is stored afterwards", async () => {
    const stream = sdk.chat(manual.url, place("streamed")).stream({ messages: [user("Tell me")] });
    const reader = stream[Symbol.asyncIterator]();
    const first = reader.next();
    const exchange = await manual.next();
    exchange.response.writeHead(200, { "content-type": "text/event-stream" });
    exchange.response.write(wordsEvent("Once upon"));
    expect(await first).toEqual({ done: false, value: "Once upon" });
    expect(await talkOf(session("streamed"), userId)).toEqual([]);
    exchange.response.end(`${wordsEvent(" a time")}data: [DONE]\n\n`);
    expect(await reader.next()).toEqual({ done: false, value: " a time" });
    await talk("streamed").toEqual(["user: Tell me", "assistant: Once upon a time"]);
  });

  describe.each(["generate", "stream"] as const)("a tool loop (%s)", (how) => {
    const run = (name: string) => {
      const call = { messages: [user("Is it raining where Miso lives, in Ghent?")], tools: { weather } };
      const own = chat(`${name} ${how}`);
      return how === "generate" ? own.generate(call) : textIn(own.stream(call));
    };

    // A server that ends a step with "stop" has called a tool all the same.
    it.each(["tool_calls", "stop"])("retrieves once, and stores the question and the last reply once (%s)", async (finish) => {
      model.answer({ ...callOf("weather", { city: "Ghent" }, finish), content: "Let me see." }, "Yes, take an umbrella.");
      expect(await run(finish)).toMatch(/Yes, take an umbrella\.$/);
      expect(sent()[1]?.slice(-1)).toMatchObject([{ role: "tool", content: "Rain in Ghent" }]);
      expect(blockOf(sent()[0])).toContain("Miso");
      expect(sent().map(blockOf)).toEqual([blockOf(sent()[0]), blockOf(sent()[0])]);
      await talk(`${finish} ${how}`).toEqual([
        "user: Is it raining where Miso lives, in Ghent?",
        "assistant: Yes, take an umbrella.",
      ]);
      expect([contexts(), appends()]).toEqual([1, 1]);
    });
  });

  it("gives calls of one model that run at the same time each its own block", async () => {
    await client.memories.add({ userId, content: "My boat is called Otter.", type: "knowledge" });
    model.answering(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { content: null, toolCalls: callOf("weather", { city: "Ghent" }).toolCalls },
    );
    const own = chat("both", { maxTokens: 100 });
    const ask = (content: string) => own.generate({ messages: [user(content)], tools: { weather } });
    await Promise.all([ask("What is my cat called?"), ask("What is my boat called?")]);
    const blocksOf = (question: string) =>
      sent()
        .filter((messages) => messages.some(({ content }) => content === question))
        .map(blockOf);
    const [cat, boat] = [blocksOf("What is my cat called?"), blocksOf("What is my boat called?")];
    expect([cat.length, boat.length, contexts()]).toEqual([2, 2, 2]);
    expect([cat[0], boat[0]]).toEqual([expect.stringContaining("Miso"), expect.stringContaining("Otter")]);
    expect(cat[0]).not.toBe(boat[0]);
    expect([cat[1], boat[1]]).toEqual([cat[0], boat[0]]);
    model.answering(({ messages }) => `You said: ${String(messages.at(-1)?.content)}`);
  });

  it("stores of a whole history only what is new, and of a call that is made again nothing twice", async () => {
    const messages = [user("Good morning"), assistant("Good morning!"), user("Any plans?")];
    const own = chat("history");
    await own.generate({ messages });
    await talk("history").toEqual(["user: Any plans?", "assistant: You said: Any plans?"]);
    await own.generate({ messages });
    await own.generate({ messages: [...messages, assistant("You said: Any plans?"), user("Any plans?")] });
    await talk("history").toEqual([
      ...["user: Any plans?", "assistant: You said: Any plans?"],
      ...["user: Any plans?", "assistant: You said: Any plans?"],
    ]);
  });

  it("stores the same words again if something was said in between, also without a history", async () => {
    const own = chat("prompts");
    const asked = ["Yes", "Yes", "No", "Yes", "Yes"];
    const count = [2, 2, 4, 6, 6];
    for (const [i, words] of asked.entries()) {
      const pending: Promise<void>[] = [];
      const again = chat("prompts", { waitUntil: (stored: Promise<void>) => pending.push(stored) });
      await again.generate({ messages: [user(words)] });
      await Promise.all(pending);
      expect(await talkOf(session("prompts"), userId)).toHaveLength(count[i] ?? 0);
    }
    await own.generate({ messages: [user("Yes"), assistant("You said: Yes"), user("Bye")] });
    const exchange = (words: string) => [`user: ${words}`, `assistant: You said: ${words}`];
    await talk("prompts").toEqual(["Yes", "No", "Yes", "Bye"].flatMap(exchange));
  });

  it("has the prompt as it is, in time, when the service does not answer; and says so", async () => {
    const silent = new Edgewise({ baseUrl: manual.url.replace("/v1", ""), token: "ew_none", maxRetries: 0, timeoutMs: 500 });
    const failures: [string, string][] = [];
    const onError = (error: unknown, failed: string) => failures.push([failed, error instanceof Error ? error.name : ""]);
    const began = performance.now();
    const pending: Promise<void>[] = [];
    const waitUntil = (stored: Promise<void>) => pending.push(stored);
    const own = chat("silent", { client: silent, timeoutMs: 200, onError, waitUntil });
    expect(await own.generate({ messages: [user("Hello")] })).toBe("You said: Hello");
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(sent()).toEqual([[user("Hello")]]);
    await Promise.all(pending);
    expect(failures).toEqual([
      ["retrieving", expect.stringMatching(/Timeout/)],
      ["storing", expect.stringMatching(/Timeout/)],
    ]);
    // Nobody else may get what this test has left waiting: the context, and the question whether memory is on.
    for (let i = 0; i < 2; i += 1) await manual.next();
  });

  it("goes on when who is told of a failure fails", async () => {
    const wrong = new Edgewise({ baseUrl: service.url, token: "ew_wrong", maxRetries: 0 });
    const told: number[] = [];
    const onError = () => {
      told.push(1);
      throw new Error("The logger is broken.");
    };
    expect(await chat("wrong key", { client: wrong, onError }).generate({ messages: [user("Hello")] })).toBe("You said: Hello");
    await expect.poll(() => told.length).toBe(2);
  });

  it("stores what had come when the call is aborted, before its first word too", async () => {
    const leaving = new AbortController();
    const stream = sdk.chat(manual.url, place("aborted")).stream({ messages: [user("Tell me")], signal: leaving.signal });
    const reader = stream[Symbol.asyncIterator]();
    const first = reader.next();
    const exchange = await manual.next();
    exchange.response.writeHead(200, { "content-type": "text/event-stream" });
    exchange.response.write(wordsEvent("Once upon"));
    await first;
    leaving.abort();
    await exchange.left;
    await talk("aborted").toEqual(["user: Tell me", "assistant: Once upon"]);

    const early = new AbortController();
    const reply = sdk.chat(manual.url, place("early")).generate({ messages: [user("Wait")], signal: early.signal });
    await manual.next();
    early.abort();
    await expect(reply).rejects.toMatchObject({ name: "AbortError" });
    await talk("early").toEqual(["user: Wait"]);
  });

  it("stores nothing of what the model refused, and shows its error", async () => {
    model.misbehave({ status: 400 });
    await expect(chat("refused").generate({ messages: [user("Oh")] })).rejects.toMatchObject({ statusCode: 400 });
    await chat("refused").generate({ messages: [user("Again")] });
    await talk("refused").toEqual(["user: Again", "assistant: You said: Again"]);
  });

  it("gives waitUntil a promise when the call begins, which is fulfilled when everything is stored", async () => {
    const pending: Promise<void>[] = [];
    const own = chat("deferred", { waitUntil: (stored: Promise<void>) => pending.push(stored) });
    model.answer(callOf("weather", { city: "Ghent" }), "Rain.");
    await own.generate({ messages: [user("Weather?")], tools: { weather } });
    expect(pending).toHaveLength(2);
    await Promise.all(pending);
    expect(await talkOf(session("deferred"), userId)).toEqual(["user: Weather?", "assistant: Rain."]);
  });

  it("retrieves and stores nothing while memory is switched off", async () => {
    await client.settings.update({ enabled: false });
    const pending: Promise<void>[] = [];
    const own = chat("off", { waitUntil: (stored: Promise<void>) => pending.push(stored) });
    await own.generate({ messages: [user("What is my cat called?")] });
    await textIn(own.stream({ messages: [user("What is my cat called?")] }));
    await client.settings.update({ enabled: true });
    expect(sent().map(blockOf)).toEqual([null, null]);
    expect([pending.length, appends()]).toEqual([0, 0]);
  });

  describe("the tools", () => {
    const results = () => {
      const last = sent().at(-1) ?? [];
      return last.filter(({ role }) => role === "tool").map(({ content }) => JSON.parse(String(content)));
    };
    const tools = () => memoryTools(place("tools"));

    it("remember, recall and forget in one loop", async () => {
      model.answer(
        callOf("remember", { statement: "I am allergic to walnuts.", type: "identity" }),
        callOf("recall", { query: "walnut allergy" }),
        "You are allergic to walnuts.",
      );
      await chat("tools").generate({ messages: [user("I am allergic to walnuts. Check that you know.")], tools: tools() });
      const [remembered, recalled] = results();
      expect(remembered).toMatchObject({ id: expect.stringMatching(/^mem_/), status: "stored" });
      expect(recalled.found).toContainEqual(
        expect.objectContaining({ id: remembered.id, kind: "memory", content: "I am allergic to walnuts.", canForget: true }),
      );
      model.answer(callOf("forget", { id: remembered.id, content: "I am allergic to walnuts." }), "It is forgotten.");
      await textIn(chat("tools").stream({ messages: [user("Forget my allergy, I was wrong.")], tools: tools() }));
      expect(results()).toEqual([
        { forgotten: "I am allergic to walnuts.", memories: 1, passages: expect.any(Number), undoUntil: expect.any(String) },
      ]);
      await expect(client.memories.get({ memoryId: remembered.id, userId })).rejects.toMatchObject({ code: "not_found" });
    });

    it("forget nothing by a wrong id, by other words, or of another user", async () => {
      const { id } = await client.memories.add({ userId, content: "I play the oboe." });
      const { forget } = tools();
      const others = memoryTools({ client, userId: `bob with ${sdk.name}` });
      expect(await forget.execute({ id, content: "I am allergic to peanuts." })).toEqual({
        refused: expect.stringContaining("says something else"),
      });
      expect(await forget.execute({ id: "epi_1", content: "I play the oboe." })).toEqual({
        refused: expect.stringContaining("passage"),
      });
      expect(await others.forget.execute({ id, content: "I play the oboe." })).toEqual({ refused: expect.any(String) });
      expect(await client.memories.get({ memoryId: id, userId })).toMatchObject({ content: "I play the oboe." });
    });

    it("remember no password, and tell the model why", async () => {
      const { remember } = tools();
      const refused = await remember.execute({ statement: "My password: hunter2-Extra!9" });
      expect(refused).toEqual({ refused: expect.stringMatching(/password/i) });
      expect(JSON.stringify(refused)).not.toContain("hunter2");
    });
  });
});

it("stores what had come when the reader of the model's own stream cancels it", async () => {
  const local = createOpenAICompatible({ name: "local", baseURL: manual.url })("echo");
  const own: LanguageModelV4 = withMemory(local, { client, userId: "carol", sessionId: "left" });
  const opening = own.doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "Tell me" }] }] });
  const exchange = await manual.next();
  exchange.response.writeHead(200, { "content-type": "text/event-stream" });
  exchange.response.write(wordsEvent("Once upon"));
  const reader = (await opening).stream.getReader();
  for (let part = await reader.read(); part.value?.type !== "text-delta"; ) part = await reader.read();
  await reader.cancel();
  await exchange.left;
  await expect.poll(() => talkOf("left", "carol"), { interval: 50 }).toEqual(["user: Tell me", "assistant: Once upon"]);
});
