import { beforeAll, describe, expect, it } from "vitest";
import type { SearchView } from "#domain/retrieval";
import { chatChannel } from "#test/chat-channel";
import { type Answer, createHarness, type Harness, type Request } from "#test/harness";
import { append, type Page, type Problem, textsOf } from "./requests.ts";

/** Tokens for some sessions only, and tokens in pages of other origins. */
const ORIGIN = "https://app.example.com";

type Memory = { id: string; content: string; version: number };

let h: Harness;
/** Alice's, for the group `club` only. */
let token = "";
let own: Memory;
let ofClub: Memory;
const chat = chatChannel("token-sessions");

const as = async <T = Problem>(method: string, path: string, request: Request = {}): Promise<Answer<T>> =>
  await h.fetch<T>(method, path, { key: token, user: null, ...request });

async function mint(body: Record<string, unknown>): Promise<string> {
  return (await h.fetch<{ token: string }>("POST", "/v1/tokens", { body })).json.token;
}

beforeAll(async () => {
  h = await createHarness();
  await h.fetch("PATCH", "/v1/settings", { body: { allowedOrigins: [ORIGIN], upstream: { url: chat.url } } });
  for (const session of ["club", "team"]) {
    await h.fetch("PUT", `/v1/sessions/${session}`, { body: { userId: "alice", participants: ["alice", "bob"] } });
    await append(h, session, {
      userId: "alice",
      messages: [{ role: "user", content: `The ${session} meets under the lighthouse.` }],
    });
  }
  await h.fetch("PUT", "/v1/projects/apollo", { body: { userId: "alice" } });
  const remember = async (body: Record<string, unknown>) =>
    (await h.fetch<Memory>("POST", "/v1/memories", { body: { userId: "alice", ...body } })).json;
  own = await remember({ content: "I keep a spare key at the lighthouse.", key: "home:key" });
  ofClub = await remember({ content: "The lighthouse opens on Sundays.", sessionId: "club" });
  token = await mint({ userId: "alice", sessions: ["club"] });
});

const FOR_SESSIONS = { status: 403, json: { code: "forbidden", detail: expect.stringContaining("for some sessions only") } };

describe("a token for one session", () => {
  it("reads what its user sees from there, and from nowhere else", async () => {
    const body = { query: "lighthouse", sessionId: "club" };
    const texts = textsOf(await as<SearchView>("POST", "/v1/search", { body }));
    expect(texts).toEqual(expect.arrayContaining(["The club meets under the lighthouse.", "The lighthouse opens on Sundays."]));
    expect(texts.join(" ")).not.toContain("team");
    expect(await as("POST", "/v1/search", { body: { query: "lighthouse" } })).toMatchObject(FOR_SESSIONS);
    expect(await as("POST", "/v1/search", { body: { query: "lighthouse", sessionId: "team" } })).toMatchObject(FOR_SESSIONS);
    expect((await as("GET", "/v1/sessions/club/episodes")).status).toBe(200);
    expect(await as("GET", "/v1/sessions/team/episodes")).toMatchObject(FOR_SESSIONS);
    expect((await as("GET", `/v1/memories/${ofClub.id}?sessionId=club`)).status).toBe(200);
    expect(await as("GET", `/v1/memories/${ofClub.id}`)).toMatchObject(FOR_SESSIONS);
  });

  it.each([
    ["POST", "/v1/search", { query: "x", sessionId: "club", includeGroups: true }],
    ["POST", "/v1/search", { query: "x", sessionId: "club", workspaceId: "work" }],
    ["POST", "/v1/search", { query: "x", sessionId: "club", projectId: "apollo" }],
    ["POST", "/v1/context", { query: "x", sessionId: "club", projectId: "apollo" }],
    ["POST", "/v1/sessions/club/episodes", { messages: [{ role: "user", content: "x" }], projectId: "apollo" }],
    ["GET", "/v1/facts?sessionId=club&everywhere=true", undefined],
    ["GET", "/v1/memories?sessionId=club&projectId=apollo", undefined],
    ["GET", "/v1/memories?sessionId=club&sessionId=team", undefined],
    ["GET", "/v1/memories?sessionId=team&sessionId=club", undefined],
    ["PUT", "/v1/sessions/club", { projectId: "apollo" }],
    ["GET", "/v1/people/me", undefined],
  ])("may not widen its place: %s %s %j", async (method, path, body) => {
    expect(await as(method, path, body === undefined ? {} : { body })).toMatchObject(FOR_SESSIONS);
  });

  it("stores memories of the session's own, and reaches no other by a key, by replacing, or by its id", async () => {
    const add = async (body: Record<string, unknown>) => await as<Memory & Problem>("POST", "/v1/memories", { body });
    expect((await add({ content: "The club has a boat.", sessionId: "club" })).status).toBe(201);
    for (const body of [
      { content: "I moved the key.", key: "home:key" },
      { content: "I moved the key.", key: "home:key", learnedIn: { sessionId: "club" } },
      { content: "The club has oars.", sessionId: "club", learnedIn: { sessionId: "team" } },
      { memories: [{ content: "The club has oars.", sessionId: "club" }, { content: "Mine." }] },
      { memories: [{ content: "The club has oars.", sessionId: "team" }] },
    ])
      expect(await add(body), JSON.stringify(body)).toMatchObject(FOR_SESSIONS);
    const replacing = await add({ content: "The key is gone.", sessionId: "club", supersedes: own.id });
    expect([403, 404, 422]).toContain(replacing.status);
    const changed = await as("PATCH", `/v1/memories/${own.id}?sessionId=club`, { body: { content: "Changed." } });
    const deleted = await as("DELETE", `/v1/memories/${own.id}?sessionId=club`);
    expect([changed.status, deleted.status]).toEqual([404, 404]);
    await h.fetch("PUT", "/v1/sessions/diary", { body: { userId: "alice" } });
    const diary = await mint({ userId: "alice", sessions: ["diary"] });
    const inDiary = async (method: string, body?: Record<string, unknown>) =>
      await as(method, `/v1/memories/${own.id}?sessionId=diary`, { key: diary, ...(body && { body }) });
    const answers = [await inDiary("GET"), await inDiary("PATCH", { content: "Changed." }), await inDiary("DELETE")];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
    const { json } = await h.fetch<Memory>("GET", `/v1/memories/${own.id}?userId=alice`);
    expect([json.content, json.version]).toEqual([own.content, own.version]);
    expect(
      (await as("PATCH", `/v1/memories/${ofClub.id}?sessionId=club`, { body: { content: "It opens on Mondays." } })).status,
    ).toBe(200);
    expect((await as("DELETE", `/v1/memories/${ofClub.id}?sessionId=club`)).status).toBeLessThan(300);
  });

  it("forgets a memory of the session, and leaves its words in another", async () => {
    const said = { role: "user", content: "The rope is in the attic." };
    const { json: episode } = await append(h, "team", { userId: "alice", messages: [said] });
    const learnedIn = { sessionId: "team", episodeId: episode.id };
    const body = { userId: "alice", sessionId: "club", content: "The rope is in the attic", learnedIn };
    const { json: memory } = await h.fetch<Memory>("POST", "/v1/memories", { body });
    const path = `/v1/memories/${memory.id}?sessionId=club`;
    expect(await as("DELETE", path)).toMatchObject({ status: 200, json: { memories: 1, redacted: [] } });
    await h.fetch("POST", `/v1/memories/${memory.id}/restore?userId=alice`);
    const byAll = await h.fetch("DELETE", `${path}&userId=alice`);
    expect(byAll).toMatchObject({ status: 200, json: { memories: 1, redacted: [{ sessionId: "team" }] } });
  });

  it("chats in the session that a header or metadata names, and in no other", async () => {
    const body = { model: "m", messages: [{ role: "user", content: "Hello there" }] };
    const complete = async (more: Record<string, unknown>, headers: Record<string, string> = {}) =>
      await as("POST", "/v1/chat/completions", { body: { ...body, ...more }, headers });
    expect((await complete({}, { "x-edgewise-session": "club" })).status).toBe(200);
    expect((await complete({ metadata: { session_id: "club" } })).status).toBe(200);
    for (const answer of [
      await complete({}),
      await complete({}, { "x-edgewise-memory": "off" }),
      await complete({}, { "x-edgewise-session": "team" }),
      await complete({ metadata: { session_id: "club" } }, { "x-edgewise-session": "team" }),
      await complete({}, { "x-edgewise-session": "club", "x-edgewise-project": "apollo" }),
      await complete({ metadata: { session_id: "club", project_id: "apollo" } }),
    ])
      expect(answer).toMatchObject(FOR_SESSIONS);
    expect((await complete({}, { "x-edgewise-session": "%63lub" })).status).toBe(200);
  });

  it("may ask for what is nobody's, and for no route that does not exist", async () => {
    expect((await as("GET", "/v1/models")).status).toBe(200);
    expect((await as("GET", "/v1/topics")).status).toBe(200);
    expect((await as("GET", "/v1/nowhere")).status).toBe(403);
  });
});

describe("a token in a page", () => {
  const page = async (method: string, path: string, request: Request & { origin?: string } = {}) => {
    const { origin = ORIGIN, ...rest } = request;
    return await h.fetch<Problem & Page<unknown>>(method, path, { user: null, ...rest, headers: { origin, ...rest.headers } });
  };
  let alice = "";
  beforeAll(async () => {
    alice = await mint({ userId: "alice" });
  });

  it("of an allowed origin may read every answer: done, made, without a body, streamed, and refused", async () => {
    const chat = { model: "m", stream: true, messages: [{ role: "user", content: "Hello there" }] };
    const me = (await page("GET", "/v1/people/me", { key: alice })).text;
    const answers = {
      done: await page("GET", "/v1/memories", { key: alice }),
      made: await page("POST", "/v1/memories", { key: alice, body: { content: "I row." } }),
      empty: await page("DELETE", "/v1/facts?topic=color", { key: alice }),
      streamed: await page("POST", "/v1/chat/completions", { key: alice, body: chat }),
      invalid: await page("POST", "/v1/search", { key: alice, body: {} }),
      missing: await page("GET", "/v1/memories/mem_01a1f92c-720b-7527-9cd5-76463f8b4abc", { key: alice }),
      method: await page("DELETE", "/v1/search", { key: alice }),
      forbidden: await page("GET", "/v1/keys", { key: alice }),
      unknown: await page("GET", "/v1/memories", { key: `${alice}x` }),
    };
    expect(me).toContain("alice");
    expect(answers.streamed.text).toContain("data: ");
    expect(Object.values(answers).map(({ status }) => status)).toEqual([200, 201, 200, 200, 400, 404, 405, 403, 401]);
    for (const [what, { headers }] of Object.entries(answers)) {
      expect(headers.get("access-control-allow-origin"), what).toBe(ORIGIN);
      expect(headers.get("access-control-expose-headers"), what).toContain("x-edgewise-memory");
      expect(headers.get("vary"), what).toContain("origin");
      expect(headers.get("access-control-allow-credentials"), what).toBeNull();
    }
  });

  it("of an origin that another tenant allows is refused, and so is null", async () => {
    const other = await createHarness();
    await other.fetch("PATCH", "/v1/settings", { body: { allowedOrigins: ["https://other.example"] } });
    for (const origin of ["https://other.example", "null", "http://app.example.com", "https://app.example.com.evil.example"]) {
      const { status, json, headers } = await page("GET", "/v1/memories", { key: alice, origin });
      expect([status, json.detail], origin).toEqual([403, expect.stringContaining("allowedOrigins")]);
      expect(headers.get("access-control-allow-origin")).toBe(origin);
    }
    expect((await page("GET", "/v1/memories", { key: alice, origin: "https://edgewise.test" })).status).toBe(200);
  });

  it("is asked for by a preflight that lasts two hours", async () => {
    const { status, headers } = await page("OPTIONS", "/v1/memories", {
      key: null,
      headers: { "access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type" },
    });
    expect([status, headers.get("access-control-max-age")]).toEqual([204, "7200"]);
    expect(headers.get("access-control-allow-headers")).toContain("authorization");
  });
});

it("a token for some sessions erases none of them, because memories of the user's own would go with it", async () => {
  await append(h, "samovar", { userId: "carol", messages: [{ role: "user", content: "Remember that I keep lemurs." }] });
  const mine = await mint({ userId: "carol", sessions: ["samovar"] });
  const erased = await h.fetch("DELETE", "/v1/sessions/samovar", { key: mine, user: null });
  expect([erased.status, erased.json.code]).toEqual([403, "forbidden"]);
});
