import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { chatChannel } from "#test/chat-channel";
import { type Answer, createHarness, type Harness } from "#test/harness";
import { aroundBatches } from "#test/interruption";
import { type OpenAiProblem, setUpstream, talkOf } from "./proxy-requests.ts";
import { nth, say } from "./requests.ts";

type Responded = OpenAiProblem & {
  id: string;
  status: string;
  output: { type: string; content?: { text: string }[]; call_id?: string }[];
};
type Wish = { headers?: Record<string, string>; key?: string; user?: null };

const upstream = chatChannel();
let replaced: Partial<Services> = {};
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined, ...replaced }) });
  await setUpstream(h, { url: upstream.url, models: { ours: "echo-mini" } });
  await say(h, "earlier", "My cat is called Miso and sleeps on the piano.", { userId: "alice" });
});
beforeEach(async () => {
  await upstream.reset();
  replaced = {};
});

/** A response for alice; a text is her input. */
async function respond(input: string | Record<string, unknown>, { headers, ...wish }: Wish = {}): Promise<Answer<Responded>> {
  return await h.fetch<Responded>("POST", "/v1/responses", {
    body: { model: "echo", ...(typeof input === "string" ? { input } : input) },
    headers: { "x-edgewise-user": "alice", ...headers },
    ...wish,
  });
}

const inSession = (session: string, more: Record<string, string> = {}): Wish => ({
  headers: { "x-edgewise-session": session, ...more },
});
const sent = async (position = -1) => nth(await upstream.requests(), position).body;
const said = ({ json }: Answer<Responded>) => json.output[0]?.content?.[0]?.text;
const user = (content: unknown) => ({ role: "user", content });

describe("a response", () => {
  it("goes up byte by byte, when nothing is known, and comes back as the model server's own", async () => {
    const body =
      '{ "model":"echo", "input" : "Gr\\u00fc\\u00dfe von weit her", "seed":9007199254740993, "custom":{"deep":[1.0,null]} }';
    const answer = await h.fetch<Responded>("POST", "/v1/responses", {
      body,
      headers: { "x-edgewise-user": "zoe", "content-type": "application/json" },
    });
    expect([answer.status, answer.headers.get("x-edgewise-memory")]).toEqual([200, "none"]);
    expect(nth(await upstream.requests(), 0)).toMatchObject({ path: "/responses", text: body });
    expect([said(answer), answer.json.status]).toEqual(["You said: Grüße von weit her", "completed"]);
    expect(await talkOf(h, "proxy:zoe", "zoe")).toEqual([
      ["user: Grüße von weit her", "assistant: You said: Grüße von weit her"],
    ]);
  });

  it("has memory at the end of its instructions, and none that was put there is stored", async () => {
    const answer = await respond({ input: "What is my cat called?", instructions: "Be brief." }, inSession("cats"));
    expect(answer.headers.get("x-edgewise-memory")).toMatch(/^injected; items=\d; tokens=\d+$/);
    expect(await sent()).toMatchObject({
      input: "What is my cat called?",
      instructions: expect.stringMatching(/^Be brief\.\n\n[\s\S]*called Miso/),
    });
    expect(await talkOf(h, "cats")).toEqual([["user: What is my cat called?", "assistant: You said: What is my cat called?"]]);
  });

  it("of a model that takes no system message has it in the first user item", async () => {
    await respond({ model: "o1-mini", input: [user("What is my cat called?")] }, inSession("no-system"));
    const { input, instructions } = await sent();
    expect([instructions, input]).toEqual([undefined, [user(expect.stringMatching(/Miso[\s\S]*What is my cat called\?$/))]]);
    expect(await talkOf(h, "no-system")).toEqual([
      ["user: What is my cat called?", "assistant: You said: \n\nWhat is my cat called?"],
    ]);
  });

  it("looks for the user's last message among the items", async () => {
    const input = [
      { role: "developer", content: "Be kind." },
      user("I went sailing"),
      { type: "message", role: "assistant", id: "msg_1", status: "completed", content: [{ type: "output_text", text: "Nice." }] },
      user([{ type: "input_text", text: "What is my cat called?" }]),
    ];
    const answer = await respond({ input }, inSession("items"));
    const kind = { role: "developer", content: expect.stringMatching(/^Be kind\.\n\n[\s\S]*Miso/) };
    expect((await sent()).input).toEqual([kind, ...input.slice(1)]);
    expect([said(answer), (await sent()).instructions]).toEqual(["You said: What is my cat called?", undefined]);
    expect(await talkOf(h, "items")).toEqual([["user: What is my cat called?", "assistant: You said: What is my cat called?"]]);
  });

  it("uses the tenant's name for a model", async () => {
    await respond({ model: "ours", input: "Hello" }, inSession("named"));
    expect((await sent()).model).toBe("echo-mini");
  });

  it("with memory off, or in a place of others, is what a chat is", async () => {
    const off = await respond("What is my cat called?", inSession("off", { "x-edgewise-memory": "off" }));
    expect(off.headers.get("x-edgewise-memory")).toBe("off");
    expect((await sent()).instructions).toBeUndefined();
    expect(await talkOf(h, "off")).toEqual([]);
    await upstream.reset();
    await say(h, "bobs", "Only for Bob", { userId: "bob" });
    expect((await respond("Hello", inSession("bobs"))).status).toBe(404);
    expect((await respond("Hello", { headers: { "x-edgewise-memory": "false" } })).json.error.param).toBe("x-edgewise-memory");
    expect(await upstream.requests()).toEqual([]);
  });

  it("does not fail with memory", async () => {
    replaced = {
      db: aroundBatches(h.services().db, async (run) => {
        await run();
        throw new Error("the albatross");
      }),
    };
    const { status, headers } = await respond("What is my cat called?", inSession("fails"));
    expect([status, headers.get("x-edgewise-memory")]).toEqual([200, "skipped; reason=failed"]);
    expect((await sent()).instructions).toBeUndefined();
  });

  it("says what was forgotten before the reply", async () => {
    const place = { headers: { "x-edgewise-user": "fay", "x-edgewise-session": "forgets" } };
    await respond("I got a fine of 300 dollars.", place);
    await h.settle();
    const { headers } = await respond("please forget what I told you about the fine", place);
    expect(headers.get("x-edgewise-forgot")).toMatch(/^fgt_/u);
    // Also where nothing else is known.
    expect(headers.get("x-edgewise-memory")).toMatch(/^injected; items=0; tokens=/u);
    expect((await sent()).instructions).toContain("was forgotten just now");
  });

  it("that was refused or broke is not stored", async () => {
    await upstream.misbehave({ status: 429, retryAfter: "7" }, "hang up");
    const refused = await respond("Refused", inSession("refused"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "7"]);
    expect((await respond("Refused", inSession("refused"))).json).toMatchObject({ status: 502, error: { type: "server_error" } });
    expect(await talkOf(h, "refused")).toEqual([]);
  });

  it("whose client leaves keeps what was asked, and the model server's work ends", async () => {
    await upstream.misbehave("hang");
    const leaving = new AbortController();
    const gone = h.fetch("POST", "/v1/responses", {
      body: { model: "echo", input: "Never mind" },
      headers: { "x-edgewise-user": "alice", "x-edgewise-session": "left" },
      signal: leaving.signal,
    });
    await expect.poll(async () => (await upstream.requests()).length).toBe(1);
    leaving.abort();
    expect((await gone).status).toBe(499);
    await expect.poll(async () => nth(await upstream.requests(), 0).aborted).toBe(true);
    expect(await talkOf(h, "left")).toEqual([["user: Never mind"]]);
  });
});

describe("a stream", () => {
  it("is passed on as it comes, and stored", async () => {
    const answer = await respond({ input: "one two three", stream: true }, inSession("stream"));
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const types = [...answer.text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    expect([types[0], types.at(-1)]).toEqual(["response.created", "response.completed"]);
    expect(await talkOf(h, "stream")).toEqual([["user: one two three", "assistant: You said: one two three"]]);
  });

  it("that breaks off, or ends in an error, is stored as far as it came", async () => {
    await upstream.misbehave("error event");
    await upstream.answer("one two three four five six seven eight");
    await respond({ input: "Count", stream: true }, inSession("broken"));
    expect(await talkOf(h, "broken")).toEqual([["user: Count", expect.stringMatching(/^assistant: one two( \w+)*$/)]]);
  });
});

describe("a conversation that the model server keeps", () => {
  it("is stored as it grows, and the same words in it again", async () => {
    const first = await respond("Yes", inSession("kept"));
    const second = await respond({ input: "Yes", previous_response_id: first.json.id }, inSession("kept"));
    await respond({ input: "Yes", previous_response_id: first.json.id }, inSession("kept"));
    expect(second.status).toBe(200);
    expect(await talkOf(h, "kept")).toEqual([
      ["user: Yes", "assistant: You said: Yes"],
      ["user: Yes", "assistant: You said: Yes"],
    ]);
  });

  it("by its id has memory in each request", async () => {
    const { id } = await (await fetch(`${upstream.url}/conversations`, { method: "POST" })).json<{ id: string }>();
    await respond({ input: "I sail on Sunday", conversation: id }, inSession("conversation"));
    await respond({ input: "What is my cat called?", conversation: { id } }, inSession("conversation"));
    expect(await sent()).toMatchObject({ instructions: expect.stringContaining("Miso"), conversation: { id } });
    expect((await talkOf(h, "conversation")).flat()).toHaveLength(4);
  });

  it("that it does not have is its own error", async () => {
    const { status, json } = await respond({ input: "Go on", previous_response_id: "resp_none" }, inSession("none"));
    expect([status, json.error.code]).toEqual([400, "previous_response_not_found"]);
    expect(await talkOf(h, "none")).toEqual([]);
  });

  it("with the result of a tool is one exchange", async () => {
    const tools = [{ type: "function", name: "look", parameters: {} }];
    const first = await respond({ input: "How is the sea?", tools }, inSession("tool"));
    const { call_id } = first.json.output[0] ?? {};
    const result = { type: "function_call_output", call_id, output: "calm" };
    await respond({ input: [result], tools, previous_response_id: first.json.id }, inSession("tool"));
    expect((await talkOf(h, "tool")).flat()).toEqual(["user: How is the sea?", "assistant: You said: calm"]);
  });
});

describe("an answer from facts", () => {
  const question = "What's my second favorite color?";

  it("needs no model server, and is stored", async () => {
    const bare = await createHarness();
    await say(bare, "facts", "My favorite colors are 1) Blue, 2) Green", { userId: "alice" });
    const ask = async (more: Record<string, unknown>) =>
      await bare.fetch<Responded>("POST", "/v1/responses", {
        body: { model: "echo", input: question, store: false, ...more },
        headers: { "x-edgewise-user": "alice", "x-edgewise-session": "facts" },
      });
    const whole = await ask({});
    expect([whole.status, whole.headers.get("x-edgewise-memory")]).toEqual([200, "answered; topic=favorite_colors"]);
    expect(said(whole)).toContain("Green");
    const streamed = await ask({ stream: true });
    expect(streamed.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(streamed.text).toContain('"type":"response.completed"');
    expect((await talkOf(bare, "facts")).flat()).toContain(`assistant: ${said(whole)}`);
    expect((await ask({ store: true })).status).toBe(422);
  });
});

describe("of a personal key", () => {
  it("is for its user alone, and refers to nothing that the model server keeps", async () => {
    const { json } = await h.fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "carol's", userId: "carol" } });
    const asCarol = async (body: Record<string, unknown>) =>
      await h.fetch<Responded>("POST", "/v1/responses", { body: { model: "echo", ...body }, key: json.key, user: null });
    expect((await asCarol({ input: "Hello" })).status).toBe(200);
    await upstream.reset();
    for (const body of [
      { input: "Hello", user: "alice" },
      { input: "Hello", previous_response_id: "resp_1" },
      { input: "Hello", Input: [{ type: "item_reference", id: "msg_1" }] },
      { input: [{ type: "message", Type: "item_reference", id: "msg_1" }] },
      { input: [{ type: "", id: "msg_1" }] },
      { input: [{ type: "reasoning", id: "rs_1", summary: [] }] },
      { input: "Hello", "previou\u017f_re\u017fpon\u017fe_id": "resp_1" },
      { input: [user([{ type: "input_file", file_id: "file_1" }])] },
      { input: "Hello", tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] },
    ]) {
      const { status, json: problem } = await asCarol(body);
      expect([status, problem.error.type]).toEqual([403, "permission_error"]);
    }
    expect(await upstream.requests()).toEqual([]);
  });

  it("reaches the model server as it was read here, without a second field of the same name", async () => {
    const { json } = await h.fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "dan's", userId: "dan" } });
    const body = '{"previous_response_id":"resp_of_alice","model":"echo","input":"Hello","previous_response_id":null}';
    const headers = { "content-type": "application/json" };
    expect((await h.fetch("POST", "/v1/responses", { body, headers, key: json.key, user: null })).status).toBe(200);
    expect(nth(await upstream.requests(), 0).text).not.toContain("resp_of_alice");
  });
});

describe("a response that the model server keeps", () => {
  it("is given out without content to a key that may not read", async () => {
    const { json } = await respond({ input: "The attic", background: true }, inSession("attic"));
    const key = await h.as(["write"]);
    expect((await h.fetch("GET", `/v1/responses/${json.id}`, { key })).status).toBe(403);
    const cancelled = await h.fetch<{ id: string }>("POST", `/v1/responses/${json.id}/cancel`, { key });
    expect([cancelled.status, cancelled.json]).toEqual([200, { id: json.id }]);
    const again = await respond({ input: "Where?", previous_response_id: json.id }, { key });
    expect([again.status, again.json.error.message]).toEqual([403, expect.stringContaining('lacks the permission "read"')]);
  });

  it.each(["..", "%2e%2e", "a%2Fb", ".x", "a%20b", "a%3Fb"])("is not another path of the model server: %s", async (id) => {
    const { status } = await h.fetch("GET", `/v1/responses/${id}/input_items`);
    expect([400, 404, 405]).toContain(status);
    expect(await upstream.requests()).toEqual([]);
  });

  it("is asked for with the query", async () => {
    const { json } = await respond("Hello", inSession("query"));
    const found = await h.fetch<Responded>("GET", `/v1/responses/${json.id}?include[]=reasoning.encrypted_content`, {
      user: null,
    });
    expect([found.status, found.json.id]).toEqual([200, json.id]);
    const { path } = nth(await upstream.requests(), -1);
    expect(decodeURIComponent(path)).toBe(`/responses/${json.id}?include[]=reasoning.encrypted_content`);
  });
});

describe("an operation on responses that is not offered", () => {
  it.each(["compact", "input_tokens"])("is OpenAI's 404, and not a response of that name: %s", async (name) => {
    const { status, json, headers } = await h.fetch<OpenAiProblem>("POST", `/v1/responses/${name}`, { body: { input: "x" } });
    expect([status, headers.get("allow")]).toEqual([404, null]);
    expect(json.error).toMatchObject({ type: "invalid_request_error", code: "not_found" });
    expect(json.error.message).toContain("/v1/responses; for the rest, call the model server itself");
    expect(await upstream.requests()).toEqual([]);
    expect((await h.fetch("POST", "/v1/responses/resp_1", { body: {} })).status).toBe(405);
  });
});

describe("one model", () => {
  it("is found by any of its names, with slashes and without Google's prefix", async () => {
    await setUpstream(h, { url: upstream.url, models: { ours: "echo-mini", "vendor/large": "echo", "models/gemini": "echo" } });
    const paths = ["echo", "ours", "vendor/large", "vendor%2Flarge", "models/gemini", "gemini"];
    const found = await Promise.all(paths.map((path) => h.fetch<{ id: string }>("GET", `/v1/models/${path}`)));
    expect(found.map(({ json }) => json.id)).toEqual([
      "echo",
      "ours",
      "vendor/large",
      "vendor/large",
      "models/gemini",
      "models/gemini",
    ]);
    for (const path of ["none", "vendor", "vendor/", "../settings"])
      expect((await h.fetch("GET", `/v1/models/${path}`)).json).not.toHaveProperty("object");
  });
});

describe("what is not served", () => {
  it("is an error in OpenAI's form too, and names to OpenAI's clients what is served", async () => {
    const headers = { "user-agent": "OpenAI/JS 7.57.0" };
    for (const path of ["/v1/images/generations", "/v1/audio/speech", "/v1/completions", "/v1/files", "/v1/threads/x/runs"]) {
      const { status, json } = await h.fetch<OpenAiProblem>("POST", path, { body: {}, headers });
      expect([status, json.code, json.error.type, json.error.code]).toEqual([
        404,
        "not_found",
        "invalid_request_error",
        "not_found",
      ]);
      expect(json.error.message).toContain("/v1/chat/completions, /v1/models, /v1/embeddings, /v1/responses;");
    }
    const stranger = await h.fetch<OpenAiProblem>("POST", "/v1/images/generations", { body: {}, key: "ew_wrong" });
    expect([stranger.status, stranger.json.error.type]).toEqual([401, "authentication_error"]);
    const near = await h.fetch<OpenAiProblem>("POST", "/v1/v1/responses", { body: {} });
    expect(near.json.error.message).toContain("Did you mean /v1/responses?");
  });
});
