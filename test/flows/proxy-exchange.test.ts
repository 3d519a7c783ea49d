import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { aroundBatches } from "#test/interruption";
import { chat, type OpenAiProblem, setUpstream, talkOf } from "./proxy-requests.ts";
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
});

const inSession = (session: string, more: Record<string, string> = {}) => ({
  headers: { "x-edgewise-session": session, ...more },
});
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

describe("an exchange", () => {
  it("that is sent or generated again stores the user's words once", async () => {
    await upstream.answer("Bonjour", "Bonjour", "Salut");
    for (const _ of [1, 2, 3]) await chat(h, "Say hello in French", inSession("again"));
    expect(await talkOf(h, "again")).toEqual([["user: Say hello in French", "assistant: Bonjour"], ["assistant: Salut"]]);
  });

  it("adds what is new of a conversation that grows", async () => {
    await upstream.answer("Two", "Four");
    await chat(h, [{ role: "system", content: "It is 9:01" }, user("One")], inSession("grows"));
    const system = { role: "system", content: "It is 9:02" };
    await chat(h, [system, user("One"), assistant("Two"), user("Three")], inSession("grows"));
    expect(await talkOf(h, "grows")).toEqual([
      ["user: One", "assistant: Two"],
      ["user: Three", "assistant: Four"],
    ]);
  });

  it("opens its session in the project that it names", async () => {
    await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "alice" } });
    await chat(h, "The tulips stand by the gate", inSession("new", { "x-edgewise-project": "garden" }));
    expect(await talkOf(h, "new")).toHaveLength(1);
    const { json } = await h.fetch<{ projectId: string; kind: string }>("GET", "/v1/sessions/new?userId=alice");
    expect([json.projectId, json.kind]).toEqual(["garden", "private"]);
    await chat(h, "Where do the tulips stand?", inSession("elsewhere"));
    expect(JSON.stringify(nth(await upstream.requests(), -1).body)).not.toContain("gate");
    await chat(h, "Where do the tulips stand?", { headers: { "x-edgewise-project": "garden" } });
    expect(JSON.stringify(nth(await upstream.requests(), -1).body)).toContain("gate");
  });

  it("without a session is stored in one of the user's own, another for each project", async () => {
    await chat(h, "I am nowhere", { headers: { "x-edgewise-user": "dave" } });
    await h.fetch("PUT", "/v1/projects/daves", { body: { userId: "dave" } });
    await chat(h, "I am in a project", { headers: { "x-edgewise-user": "dave", "x-edgewise-project": "daves" } });
    expect(await talkOf(h, "proxy:dave", "dave")).toHaveLength(1);
    expect(await talkOf(h, "proxy:dave/daves", "dave")).toHaveLength(1);
  });

  it("is by whom header or body name, in any script", async () => {
    const headers = { "x-edgewise-user": encodeURIComponent("Jürgen"), "x-edgewise-session": encodeURIComponent("东京") };
    await chat(h, "Guten Tag", { headers });
    expect(await talkOf(h, "东京", "Jürgen")).toHaveLength(1);
    const metadata = { user_id: "erin", session_id: "erins" };
    await h.fetch("POST", "/v1/chat/completions", { body: { model: "echo", messages: [user("By metadata")], metadata } });
    expect(await talkOf(h, "erins", "erin")).toHaveLength(1);
    expect(nth(await upstream.requests(), -1).body.metadata).toEqual(metadata);
  });

  it("in a group has its speaker, and the label of somebody who takes no part", async () => {
    await h.fetch("PUT", "/v1/sessions/team", { body: { participants: ["alice", "bob"] } });
    await chat(h, [{ ...user("I bring cake"), name: "guest" }, user("And I tea")], inSession("team"));
    await h.settle();
    const [row] = await rows<{ messages: string }>(
      "select e.messages from episodes e join sessions s on s.id = e.session_id where s.tenant_id = ? and s.external_id = 'team'",
      h.tenantId,
    );
    const [guest, own] = JSON.parse(row?.messages ?? "[]");
    expect(guest).toEqual({ ...guest, role: "user", speaker: "guest", text: "I bring cake", userId: undefined });
    expect(own).toMatchObject({ role: "user", speaker: null, text: "And I tea", userId: expect.any(Number) });
  });

  it("is audited and counted", async () => {
    const before = await rows("select completions from usage where tenant_id = ?", h.tenantId);
    const { headers } = await chat(h, "Am I written down?", inSession("audited"));
    await h.settle();
    expect(
      await rows(
        "select action from audit where tenant_id = ? and request_id = ? order by seq",
        h.tenantId,
        headers.get("x-request-id"),
      ),
    ).toEqual([{ action: "session.opened" }, { action: "episodes.appended" }]);
    const after = await rows<{ completions: number }>("select completions from usage where tenant_id = ?", h.tenantId);
    expect(after).toEqual([{ completions: (before[0] as { completions: number }).completions + 1 }]);
  });

  it("that the model server refused or broke is not stored, and comes back as it was", async () => {
    await upstream.misbehave({ status: 429, retryAfter: "7" }, { status: 500 });
    for (const status of [429, 500]) {
      const answer = await chat(h, "Refused", inSession("refused"));
      expect([answer.status, answer.json.error.message]).toEqual([status, expect.stringContaining("cannot answer")]);
      expect(answer.headers.get("retry-after")).toBe(status === 429 ? "7" : null);
    }
    await upstream.misbehave("hang up");
    const { status, json } = await chat(h, "Refused", inSession("refused"));
    expect([status, json.code, json.error.type]).toEqual([502, "upstream_failed", "server_error"]);
    expect(await talkOf(h, "refused")).toEqual([]);
  });

  it("whose client leaves before the reply begins keeps what was asked", async () => {
    await upstream.misbehave("hang");
    const leaving = new AbortController();
    const gone = h.fetch("POST", "/v1/chat/completions", {
      body: { model: "echo", messages: [user("Never mind")] },
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

describe("a place where the user has no part", () => {
  it("is a 404, as one that is missing, and nothing goes up", async () => {
    await say(h, "bobs", "Only for Bob", { userId: "bob" });
    await h.fetch("PUT", "/v1/projects/bobs", { body: { userId: "bob" } });
    const foreign = [
      await chat(h, "Hello", inSession("bobs")),
      await chat(h, "Hello", { headers: { "x-edgewise-project": "bobs" } }),
      await chat(h, "Hello", { headers: { "x-edgewise-project": "none" } }),
    ];
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(foreign[1]?.json.error).toEqual(foreign[2]?.json.error);
    expect(await upstream.requests()).toEqual([]);
  });

  it("is a 409 for a session that is elsewhere", async () => {
    await h.fetch("PUT", "/v1/projects/mine", { body: { userId: "alice" } });
    await say(h, "outside", "Hello", { userId: "alice" });
    const { status, json } = await chat(h, "Hello", inSession("outside", { "x-edgewise-project": "mine" }));
    expect([status, json.error.code]).toEqual([409, "conflict"]);
  });

  it("is returned only to a key that may write, and memory to one that may read", async () => {
    expect((await chat(h, "Hello", { key: await h.as(["read"]) })).status).toBe(403);
    await say(h, "earlier", "My cat is called Miso.", { userId: "alice" });
    const key = await h.as(["write"]);
    expect((await chat(h, "Hello", { key, ...inSession("bobs") })).status).toBe(404);
    const { status, headers } = await chat(h, "What is my cat called?", { key });
    expect([status, headers.get("x-edgewise-memory")]).toEqual([200, "skipped; reason=permission"]);
    expect(JSON.stringify(await upstream.requests())).not.toContain("Miso");
  });
});

describe("memory that fails", () => {
  const failing = (): Partial<Services> => ({
    db: aroundBatches(h.services().db, async (run) => {
      await run();
      throw new Error("the albatross");
    }),
  });

  it("fails no chat: what was asked goes up as it came, and the answer says so", async () => {
    await chat(h, "Hello");
    await upstream.reset();
    const { promise: answered, resolve: release } = Promise.withResolvers<void>();
    replaced = { db: aroundBatches(h.services().db, (run) => answered.then(run)) };
    const late = await chat(h, "How late is it?", inSession("late"));
    release();
    replaced = {};
    replaced = failing();
    const failed = await chat(h, "What failed?", inSession("late"));
    replaced = {};
    expect([late, failed].map(({ status, headers }) => [status, headers.get("x-edgewise-memory")])).toEqual([
      [200, "skipped; reason=timeout"],
      [200, "skipped; reason=failed"],
    ]);
    expect((await upstream.requests()).map(({ body }) => body.messages)).toEqual([
      [user("How late is it?")],
      [user("What failed?")],
    ]);
    expect(lines.some((line) => line.includes("proxy.memory_failed"))).toBe(true);
    expect(lines.join()).not.toContain("albatross");
    expect((await talkOf(h, "late"))[0]).toEqual(["user: How late is it?", "assistant: You said: How late is it?"]);
  });
});

describe("the list of models", () => {
  it("is the model server's, and the tenant's own names", async () => {
    await setUpstream(h, { url: upstream.url, models: { ours: "echo", "echo-mini": "echo" } });
    const { json } = await h.fetch<{ object: string; data: { id: string; object: string }[] }>("GET", "/v1/models");
    expect([json.object, json.data.map(({ id }) => id)]).toEqual(["list", ["echo", "echo-mini", "ours"]]);
    await setUpstream(h, { url: upstream.url });
  });

  it("without a model server says how to name one, as a chat does", async () => {
    const bare = await createHarness();
    const answers = [
      await bare.fetch<OpenAiProblem>("GET", "/v1/models"),
      await bare.fetch<OpenAiProblem>("POST", "/v1/chat/completions", { body: { model: "m", messages: [user("Hello")] } }),
    ];
    for (const { status, json } of answers) {
      expect([status, json.error.type, json.error.param]).toEqual([422, "invalid_request_error", "upstream"]);
      expect(json.error.message).toContain("PATCH /v1/settings");
    }
  });

  it("that is none is a failure of the model server's, and a refusal is passed on", async () => {
    await setUpstream(h, { url: upstream.url.replace("/v1", "") });
    expect((await h.fetch("GET", "/v1/models")).status).toBe(404);
    await setUpstream(h, { url: upstream.url });
  });
});

describe("what is wrong with a request", () => {
  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ["messages", { model: "m" }, {}],
    ["messages", { model: "m", messages: [] }, {}],
    ["user", { model: "m", messages: [user("x")], user: "a\nb" }, {}],
    ["metadata.session_id", { model: "m", messages: [user("x")], metadata: { session_id: 5 } }, {}],
    ["x-edgewise-session", { model: "m", messages: [user("x")] }, { "x-edgewise-session": "%zz" }],
  ])("%s is named", async (param, body, headers) => {
    const { status, json } = await h.fetch<OpenAiProblem>("POST", "/v1/chat/completions", { body, headers });
    expect([status, json.code, json.error]).toEqual([
      400,
      "invalid_input",
      { message: expect.stringContaining(`\`${param}\``), type: "invalid_request_error", code: "invalid_input", param },
    ]);
  });
});
