import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withoutMemory } from "#core/text/memory-fence";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { set } from "./context-requests.ts";
import { chat, setUpstream, type Turn, talkOf } from "./proxy-requests.ts";
import { nth, say } from "./requests.ts";

const upstream = chatChannel();
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await setUpstream(h, { url: upstream.url });
  await say(h, "seed", "I live in Haapsalu and I am allergic to walnuts.", { userId: "alice" });
  await h.settle();
});
beforeEach(async () => {
  await upstream.reset();
  await set(h, { placement: null });
});

const KNOWN = expect.stringMatching(/<edgewise-memory>[\s\S]*walnuts[\s\S]*<\/edgewise-memory>/);
const COOK = { role: "system", content: "You are a cook." };
const QUESTION = { role: "user", content: "What can I eat for dessert?" };
const LATEST = { "x-edgewise-placement": "latest" };

/** What the model server was sent last. */
const sent = async () => nth(await upstream.requests(), -1);

async function ask(messages: Turn[], headers: Record<string, string> = {}, body: Record<string, unknown> = {}) {
  const answer = await chat(h, messages, { headers, body });
  expect(answer.headers.get("x-edgewise-memory")).toMatch(/^injected; /);
  return { answer, messages: (await sent()).body.messages, text: (await sent()).text };
}

describe("memory in the client's instructions", () => {
  it("is the end of the first system or developer message, and there is no second one", async () => {
    for (const role of ["system", "developer"]) {
      const { messages } = await ask([{ role, content: "You are a cook." }, QUESTION]);
      expect(messages).toEqual([{ role, content: KNOWN }, QUESTION]);
      expect(String(messages[0]?.content)).toMatch(/^You are a cook\.\n\n<edgewise-memory>/);
    }
  });

  it("is a system message of its own where the client has none", async () => {
    const { messages } = await ask([QUESTION]);
    expect(messages).toEqual([{ role: "system", content: KNOWN }, QUESTION]);
  });

  it("is a part at the end where the message has parts, which stay as they are", async () => {
    const part = { type: "text", text: "LONG PROMPT", cache_control: { type: "ephemeral" } };
    const { messages, text } = await ask([{ role: "system", content: [part] }, QUESTION]);
    expect(messages).toEqual([{ role: "system", content: [part, { type: "text", text: KNOWN }] }, QUESTION]);
    expect(text).toContain(`[{"role":"system","content":[${JSON.stringify(part)},`);
  });

  it("stands in the first user message of a model without a system role, with the client's own system text", async () => {
    const { messages } = await ask([COOK, QUESTION], {}, { model: "o1-mini" });
    expect(messages).toEqual([{ role: "user", content: KNOWN }]);
    expect(String(messages[0]?.content)).toMatch(/^You are a cook\.\n\n<edgewise-memory>[\s\S]*What can I eat for dessert\?$/);
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const parts = [image, { type: "text", text: "What can I eat for dessert?" }];
    const other = await ask([{ role: "user", content: parts }, COOK], {}, { model: "o1-mini" });
    expect(other.messages).toEqual([{ role: "user", content: [image, { type: "text", text: KNOWN }, parts[1]] }]);
  });
});

describe("memory in the latest message", () => {
  const CACHED = { role: "system", content: [{ type: "text", text: "LONG PROMPT", cache_control: { type: "ephemeral" } }] };
  const REPLY = { role: "assistant", content: "Try the plums." };

  it("keeps everything before it byte by byte, from one request to the next", async () => {
    const first = await ask([CACHED, QUESTION], LATEST);
    expect(first.messages).toEqual([CACHED, { role: "user", content: KNOWN }]);
    expect(String(first.messages[1]?.content)).toMatch(/<\/edgewise-memory>\n\nWhat can I eat for dessert\?$/);
    const next = { role: "user", content: "And where in Haapsalu do I buy walnuts?" };
    const second = await ask([CACHED, QUESTION, REPLY, next], LATEST);
    expect(second.messages).toEqual([CACHED, QUESTION, REPLY, { role: "user", content: KNOWN }]);
    expect(second.text).toContain(`"messages":${JSON.stringify([CACHED, QUESTION, REPLY]).slice(0, -1)},`);
  });

  it("is a setting, which a request may overrule", async () => {
    await set(h, { placement: "latest" });
    expect((await ask([COOK, QUESTION])).messages).toEqual([COOK, { role: "user", content: KNOWN }]);
    const { messages } = await ask([COOK, QUESTION], { "x-edgewise-placement": "system" });
    expect(messages).toEqual([{ role: "system", content: KNOWN }, QUESTION]);
    expect((await chat(h, [QUESTION], { headers: { "x-edgewise-placement": "first" } })).status).toBe(400);
  });

  it("stands before the text of parts, and before the results of tools that follow", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const text = { type: "text", text: "What can I eat for dessert?", cache_control: { type: "ephemeral" } };
    const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
    const tools = [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "plums" },
    ];
    const { messages } = await ask([COOK, { role: "user", content: [image, text] }, ...tools], LATEST);
    expect(messages).toEqual([COOK, { role: "user", content: [image, { type: "text", text: KNOWN }, text] }, ...tools]);
  });

  it("is never stored, also when a client sends it back", async () => {
    const session = { ...LATEST, "x-edgewise-session": "returned" };
    const { messages } = await ask([COOK, QUESTION], session);
    const returned = { role: "user", content: String(messages[1]?.content) };
    await ask([COOK, returned, REPLY, { role: "user", content: "And walnuts?" }], session);
    const talk = await talkOf(h, "returned");
    expect(talk.map(([said]) => said)).toEqual(["user: What can I eat for dessert?", "user: And walnuts?"]);
    expect(withoutMemory(returned.content).trim()).toBe(QUESTION.content);
    // The next request ends with the same words again, with the memory that was added.
    await ask([COOK, returned], session);
    expect((await talkOf(h, "returned")).flat().join()).not.toContain("edgewise-memory");
  });

  it("of a model without a system role leaves the client's system text in the first user message", async () => {
    const { messages } = await ask([COOK, QUESTION, REPLY, { role: "user", content: "And walnuts?" }], LATEST, { model: "o1" });
    const first = { role: "user", content: "You are a cook.\n\nWhat can I eat for dessert?" };
    expect(messages).toEqual([first, REPLY, { role: "user", content: KNOWN }]);
    const alone = await ask([COOK, QUESTION], LATEST, { model: "o1" });
    expect(String(alone.messages[0]?.content)).toMatch(
      /^You are a cook\.\n\n<edgewise-memory>[\s\S]*\n\nWhat can I eat for dessert\?$/,
    );
  });
});

describe("of the Responses API", () => {
  const respond = async (body: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const request = { body: { model: "echo", ...body }, headers: { "x-edgewise-user": "alice", ...headers } };
    const answer = await h.fetch("POST", "/v1/responses", request);
    expect(answer.headers.get("x-edgewise-memory")).toMatch(/^injected; /);
    const { instructions, input } = (await sent()).body;
    return { instructions, input };
  };
  const input = [QUESTION];

  it("is the end of `instructions`, else of the first system item, else `instructions`", async () => {
    const { instructions, ...rest } = await respond({ instructions: "You are a cook.", input: [COOK, ...input] });
    expect([instructions, rest.input]).toEqual([KNOWN, [COOK, QUESTION]]);
    expect(String(instructions)).toMatch(/^You are a cook\.\n\n</);
    const developer = { role: "developer", content: [{ type: "input_text", text: "You are a cook." }] };
    expect(await respond({ input: [developer, ...input] })).toEqual({
      instructions: undefined,
      input: [{ ...developer, content: [...developer.content, { type: "input_text", text: KNOWN }] }, QUESTION],
    });
    expect(await respond({ input: QUESTION.content })).toEqual({ instructions: KNOWN, input: QUESTION.content });
  });

  it("stands before the latest user's text", async () => {
    expect(await respond({ instructions: "You are a cook.", input: QUESTION.content }, LATEST)).toEqual({
      instructions: "You are a cook.",
      input: KNOWN,
    });
    const parts = [{ type: "input_text", text: QUESTION.content }];
    expect(await respond({ input: [COOK, { role: "user", content: parts }] }, LATEST)).toEqual({
      instructions: undefined,
      input: [COOK, { role: "user", content: [{ type: "input_text", text: KNOWN }, ...parts] }],
    });
  });

  it("of a model without a system role is in the first user item, with the client's instructions", async () => {
    const { instructions, input } = await respond({ model: "o1", instructions: "You are a cook.", input: [COOK, QUESTION] });
    expect([instructions, input]).toEqual([null, [{ role: "user", content: KNOWN }]]);
    expect(nth(input as Turn[], 0).content).toMatch(/^You are a cook\.\n\nYou are a cook\.\n\n<[\s\S]*dessert\?$/);
  });
});
