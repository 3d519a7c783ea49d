import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { chat, setUpstream, talkOf } from "./proxy-requests.ts";
import { nth, type Problem, rows, say } from "./requests.ts";

const upstream = chatChannel();
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await setUpstream(h, { url: upstream.url });
});
beforeEach(() => upstream.reset());

const user = (content: string, more: Record<string, unknown> = {}) => ({ role: "user", content, ...more });
const sent = async () => nth(await upstream.requests(), -1).body;

describe("a header", () => {
  it.each(["Müller", "Möller", "M\ufffdller"])(
    "with %s in it is refused, because two such names may come through as one",
    async (name) => {
      const { status, json } = await chat(h, "I am here", { headers: { "x-edgewise-user": name } });
      expect([status, json.error.param]).toEqual([400, "x-edgewise-user"]);
      expect(json.error.message).toContain("Percent-encode");
      expect(await rows("select id from users where tenant_id = ? and external_id like 'M%ller'", h.tenantId)).toEqual([]);
    },
  );

  it("that is empty makes nobody the key's own user", async () => {
    for (const name of ["x-edgewise-user", "x-edgewise-session", "x-edgewise-project"]) {
      const { status, json } = await chat(h, "I am nobody", { headers: { [name]: "" } });
      expect([status, json.error.param]).toEqual([400, name]);
    }
    expect(await upstream.requests()).toEqual([]);
  });
});

describe("the body's own fields", () => {
  it("fail no chat whose memory is off", async () => {
    const body = { user: "", metadata: { user_id: 7, session_id: "" } };
    const off = await chat(h, "Hello", { headers: { "x-edgewise-memory": "off", "x-edgewise-user": "" }, body });
    expect([off.status, off.headers.get("x-edgewise-memory")]).toEqual([200, "off"]);
    expect(await sent()).toMatchObject(body);
  });

  it("fail no chat whose user and session are named by headers", async () => {
    const body = { user: "x".repeat(300), metadata: { user_id: 7, session_id: "" } };
    const named = await chat(h, "Hello", { headers: { "x-edgewise-session": "named" }, body });
    expect([named.status, await talkOf(h, "named")]).toEqual([200, [["user: Hello", "assistant: You said: Hello"]]]);
  });

  it("that are the model server's are its own to judge", async () => {
    for (const body of [{ model: undefined }, { n: 0 }, { stream: "no" }]) {
      await upstream.reset();
      expect((await chat(h, "Hello", { body })).json.code).not.toBe("invalid_input");
      expect(await upstream.requests()).toHaveLength(1);
    }
  });
});

describe("the bytes of a body", () => {
  it("stay but for what memory and the model's name change", async () => {
    await say(h, "earlier", "My cat is called Miso.", { userId: "alice" });
    await setUpstream(h, { url: upstream.url, models: { ours: "echo-mini" } });
    const text =
      '{ "seed":9007199254740993,\n "temperature": 1.0, "model": "ours", "messages": [ {"role":"user","content":"What is my cat c\\u0061lled?"} ] }';
    const headers = { "x-edgewise-user": "alice" };
    const answer = await h.fetch("POST", "/v1/chat/completions", { body: text, headers });
    await setUpstream(h, { url: upstream.url });
    expect(answer.headers.get("x-edgewise-memory")).toMatch(/^injected/);
    const [, before, after] =
      /^(.*"messages": \[)\{.*?\},( \{"role":"user".*)$/s.exec(nth(await upstream.requests(), -1).text) ?? [];
    expect(`${before}${after}`).toBe(text.replace('"ours"', '"echo-mini"'));
  });
});

describe("the session of chats that name none", () => {
  const taking = { "x-edgewise-user": "mallory", "x-edgewise-session": "proxy:victim" };

  it("is made by nobody else, by whatever way", async () => {
    const shown = async (body: Record<string, unknown> = { userId: "mallory" }) =>
      await h.fetch<Problem>("PUT", "/v1/sessions/proxy%3Avictim", { body });
    const [byUser, byFirst] = [await shown(), await shown({ participants: ["mallory", "victim"] })];
    const said = await say(h, "proxy:victim", "Mine", { userId: "mallory" });
    const inChat = await chat(h, "Mine", { headers: taking });
    expect([byUser, byFirst, said, inChat].map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await chat(h, "Hello", { headers: { "x-edgewise-user": "victim" } })).status).toBe(200);
    expect(await talkOf(h, "proxy:victim", "victim")).toHaveLength(1);
    expect((await shown()).json.detail).toBe(byUser.json.detail);
    expect((await chat(h, "Mine", { headers: taking })).json.detail).toBe(inChat.json.detail);
  });

  it("may be made and named by its user", async () => {
    expect((await h.fetch("PUT", "/v1/sessions/proxy%3Aolga", { body: { userId: "olga", title: "Mine" } })).status).toBe(201);
    await chat(h, "Hello", { headers: { "x-edgewise-user": "olga" } });
    expect(await talkOf(h, "proxy:olga", "olga")).toHaveLength(1);
  });
});

it("a project in which the user has no part is a 404 where nothing is looked for, too", async () => {
  const bare = await createHarness();
  await setUpstream(bare, { url: upstream.url });
  await bare.fetch("PATCH", "/v1/settings", { body: { maxTokens: 0 } });
  await bare.fetch("PUT", "/v1/projects/bobs", { body: { userId: "bob" } });
  for (const project of ["bobs", "none"])
    expect((await chat(bare, "Hello", { headers: { "x-edgewise-project": project } })).status).toBe(404);
  expect(await upstream.requests()).toEqual([]);
});

it("a workspace that is named is the one whose memories are returned", async () => {
  const memory = { content: "The deploy button is purple.", userId: "alice", workspaceId: "works" };
  expect((await h.fetch("POST", "/v1/memories", { body: memory })).status).toBe(201);
  await chat(h, "What colour is the deploy button?");
  expect(JSON.stringify(await sent())).not.toContain("purple");
  await chat(h, "What colour is the deploy button?", { headers: { "x-edgewise-workspace": "works" } });
  expect(JSON.stringify(await sent())).toContain("purple");
});

it("a message of a group is stored for each who says it", async () => {
  await h.fetch("PUT", "/v1/sessions/seats", { body: { userId: "Kai", participants: ["Kai", "Kim"] } });
  const asBy = (name: string) => ({ headers: { "x-edgewise-user": name, "x-edgewise-session": "seats" } });
  for (const name of ["Kai", "Kim"]) await chat(h, [user("I prefer window seats on trains.", { name })], asBy(name));
  await chat(h, [user("I prefer window seats on trains.", { name: "Kim" })], asBy("Kim"));
  await h.settle();
  const stored = await rows<{ speaker: string }>(
    `select m.value ->> 'speaker' as speaker from episodes e join sessions s on s.id = e.session_id, json_each(e.messages) m
     where s.tenant_id = ? and s.external_id = 'seats' and m.value ->> 'role' = 'user' order by e.id`,
    h.tenantId,
  );
  expect(stored.map(({ speaker }) => speaker)).toEqual(["Kai", "Kim"]);
});
