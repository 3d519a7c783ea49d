import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { chat, type OpenAiProblem, setUpstream, talkOf } from "./proxy-requests.ts";
import { nth, say } from "./requests.ts";

const upstream = chatChannel();
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  expect((await setUpstream(h, { url: upstream.url, apiKey: "sk-of-the-tenant", models: { ours: "echo-mini" } })).status).toBe(
    200,
  );
});
beforeEach(() => upstream.reset());

const sent = async () => nth(await upstream.requests(), 0);

describe("a completion", () => {
  it("is the model server's own answer, for the tenant's key", async () => {
    const { status, json, headers } = await chat(h, "Good morning", { headers: { "x-edgewise-session": "plain" } });
    expect([status, json.choices[0]?.message.content, json.usage.total_tokens > 0]).toEqual([
      200,
      "You said: Good morning",
      true,
    ]);
    expect(headers.get("x-edgewise-memory")).toBe("none");
    expect(headers.get("content-type")).toBe("application/json");
    expect((await sent()).headers.authorization).toBe("Bearer sk-of-the-tenant");
    expect(await talkOf(h, "plain")).toEqual([["user: Good morning", "assistant: You said: Good morning"]]);
  });

  it("goes up with every field as it came, when nothing is known", async () => {
    const passedOn = { temperature: 0.2, seed: 7, stop: ["x"], custom: { deep: [1, null] }, user: "someone" };
    await chat(h, "Nothing is known of that", { body: passedOn });
    expect((await sent()).body).toEqual({
      model: "echo",
      messages: [{ role: "user", content: "Nothing is known of that" }],
      ...passedOn,
    });
  });

  it("has what is known put into it, and says how much", async () => {
    await say(h, "earlier", "My cat is called Miso and sleeps on the piano.", { userId: "alice" });
    const question = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "What is my cat called?" },
    ];
    const { headers } = await chat(h, question, { headers: { "x-edgewise-session": "cats" } });
    expect(headers.get("x-edgewise-memory")).toMatch(/^injected; items=1; tokens=\d+$/);
    const { messages } = (await sent()).body;
    expect(messages).toEqual([{ role: "system", content: expect.stringMatching(/^Be brief\.[\s\S]*called Miso/) }, question[1]]);
    expect(await talkOf(h, "cats")).toEqual([["user: What is my cat called?", "assistant: You said: What is my cat called?"]]);
  });

  it("of a model that takes no system message has it in the first user message", async () => {
    await say(h, "earlier", "My dog is called Rex.", { userId: "alice" });
    await chat(h, "What is my dog called?", { body: { model: "o1-mini" } });
    const { messages } = (await sent()).body;
    expect(messages).toEqual([{ role: "user", content: expect.stringMatching(/called Rex[\s\S]*What is my dog called\?$/) }]);
  });

  it("names the model as the model server does", async () => {
    await chat(h, "Good evening", { body: { model: "ours", n: 1 } });
    expect((await sent()).body).toMatchObject({ model: "echo-mini", n: 1 });
  });

  it("is returned to nobody else's", async () => {
    await say(h, "bobs", "My parrot is called Kiki.", { userId: "bob" });
    const { headers } = await chat(h, "What is the parrot called?", { headers: { "x-edgewise-user": "carol" } });
    expect(headers.get("x-edgewise-memory")).toBe("none");
    expect(JSON.stringify((await sent()).body)).not.toContain("Kiki");
  });
});

describe("a question about a fact", () => {
  beforeAll(async () => {
    await say(h, "facts", "My favorite colors are 1) Blue, 2) Green, 3) Black", { userId: "alice" });
  });
  const inFacts = { "x-edgewise-session": "facts" };

  it("is answered with no model", async () => {
    const { status, json, headers } = await chat(h, "What's my second favorite color?", { headers: inFacts });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: "chat.completion",
      model: "echo",
      choices: [{ index: 0, message: { role: "assistant", content: expect.stringContaining("Green") }, finish_reason: "stop" }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    });
    expect(headers.get("x-edgewise-memory")).toBe("answered; topic=favorite_colors");
    expect(await upstream.requests()).toEqual([]);
    expect((await talkOf(h, "facts")).at(-1)).toEqual([
      "user: What's my second favorite color?",
      `assistant: ${json.choices[0]?.message.content}`,
    ]);
  });

  it("goes to the model when JSON, a tool's call or sound is waited for, or it is no plain text", async () => {
    const question = "What's my second favorite color?";
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    for (const body of [
      { response_format: { type: "json_object" } },
      { tool_choice: "required" },
      { tool_choice: { type: "function", function: { name: "look" } } },
      { modalities: ["text", "audio"] },
      { messages: [{ role: "user", content: [{ type: "text", text: question }, image] }] },
      {
        messages: [
          { role: "user", content: question },
          { role: "assistant", content: "Well," },
        ],
      },
    ]) {
      await upstream.reset();
      const { headers } = await chat(h, question, { headers: inFacts, body });
      expect([JSON.stringify(body), headers.get("x-edgewise-memory")]).toEqual([
        JSON.stringify(body),
        expect.not.stringContaining("answered"),
      ]);
      expect(await upstream.requests()).toHaveLength(1);
    }
  });

  it("is answered as parts of text, and in as many choices as were asked for", async () => {
    const content = [{ type: "text", text: "What's my second favorite color?" }];
    const { json } = await chat(h, [{ role: "user", content }], { headers: inFacts, body: { n: 2, tool_choice: "auto" } });
    expect(json.choices.map(({ index }) => index)).toEqual([0, 1]);
  });

  it("needs no model server at all", async () => {
    const bare = await createHarness();
    await say(bare, "facts", "My favorite colors are 1) Blue, 2) Green", { userId: "alice" });
    const { status, json } = await chat(bare, "What's my first favorite color?", { headers: inFacts });
    expect([status, json.choices[0]?.message.content]).toEqual([200, expect.stringContaining("Blue")]);
  });
});

describe("memory that is off", () => {
  it("by header or by setting is neither read nor written", async () => {
    const off = await createHarness();
    await setUpstream(off, { url: upstream.url });
    await say(off, "earlier", "My cat is called Miso.", { userId: "alice" });
    for (const by of ["header", "setting"]) {
      await upstream.reset();
      if (by === "setting") await off.fetch("PATCH", "/v1/settings", { body: { enabled: false } });
      const wish = { "x-edgewise-session": "off", ...(by === "header" ? { "x-edgewise-memory": "OFF" } : {}) };
      const { headers } = await chat(off, "What is my cat called?", { headers: wish });
      expect(headers.get("x-edgewise-memory")).toBe("off");
      expect((await sent()).body.messages).toEqual([{ role: "user", content: "What is my cat called?" }]);
      expect(await talkOf(off, "off")).toEqual([]);
    }
  });
});

describe("of a personal key", () => {
  const chatOf = async (name: string) => {
    const { json } = await h.fetch<{ key: string }>("POST", "/v1/keys", { body: { name, userId: name } });
    return async (body: string) =>
      await h.fetch<OpenAiProblem>("POST", "/v1/chat/completions", {
        body,
        key: json.key,
        user: null,
        headers: { "content-type": "application/json" },
      });
  };

  it("refers to nothing that the model server keeps, which the tenant's own key may", async () => {
    const asCarol = await chatOf("carol");
    const withPart = (part: object) => ({ model: "echo", messages: [{ role: "user", content: [part] }] });
    for (const body of [
      withPart({ type: "file", file: { file_id: "file_1" } }),
      withPart({ type: "input_audio", input_audio: { id: "audio_1" } }),
      { model: "echo", messages: [{ role: "assistant", audio: { id: "audio_1" } }] },
      { model: "echo", messages: [{ role: "user", content: "x" }], previous_response_id: "resp_1" },
    ]) {
      const { status, json } = await asCarol(JSON.stringify(body));
      expect([status, json.error.type]).toEqual([403, "permission_error"]);
    }
    expect(await upstream.requests()).toEqual([]);
    expect((await asCarol(JSON.stringify(withPart({ type: "text", text: "Hello" })))).status).toBe(200);
    await h.fetch("POST", "/v1/chat/completions", { body: withPart({ type: "file", file: { file_id: "file_1" } }) });
    expect((await upstream.requests()).map(({ text }) => text.includes("file_1"))).toEqual([false, true]);
  });

  it("reaches the model server as it was read here, without a second field of the same name", async () => {
    const asDan = await chatOf("dan");
    const body = '{"thread_id":"of alice","model":"echo","messages":[{"role":"user","content":"Hello"}],"thread_id":null}';
    expect((await asDan(body)).status).toBe(200);
    expect((await sent()).text).not.toContain("of alice");
  });
});
