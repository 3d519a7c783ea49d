import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newKey } from "#core/key";
import { createDb } from "#db/client";
import type { KeyView } from "#domain/tenants";
import type { Limiter } from "#surfaces/rest/router";
import { createHarness, type Harness } from "#test/harness";
import { type Page, type Problem, rows, say } from "./requests.ts";

let skipMs = 0;
const asked: string[] = [];
let exhausted: "key" | "stranger" | null = null;
let h: Harness;

const limiter = (name: "key" | "stranger"): Limiter => ({
  limit: async ({ key }) => {
    asked.push(`${name} ${key}`);
    return { success: exhausted !== name };
  },
});

beforeAll(async () => {
  h = await createHarness({
    replace: () => ({ now: () => Date.now() + skipMs, log: () => undefined }),
    limiters: { key: limiter("key"), stranger: limiter("stranger") },
  });
});
beforeEach(() => {
  [skipMs, exhausted] = [0, null];
  asked.length = 0;
});

type NewKey = KeyView & { key: string };
const issue = async (body: Record<string, unknown>) =>
  await h.fetch<NewKey>("POST", "/v1/keys", { body: { name: "k", ...body } });

describe("keys", () => {
  it("are shown once and stored as a hash", async () => {
    const { status, json } = await issue({ name: "server", permissions: ["read"] });
    expect([status, json.key.startsWith(json.prefix), json.permissions]).toEqual([201, true, ["read"]]);
    const listed = await h.fetch<Page<KeyView>>("GET", "/v1/keys?limit=1");
    expect(listed.json.items[0]).toEqual({
      id: json.id,
      name: "server",
      userId: null,
      prefix: json.prefix,
      permissions: ["read"],
      expiresAt: null,
      revokedAt: null,
      createdAt: json.createdAt,
    });
    expect(JSON.stringify([listed.json, await rows("select * from keys"), await rows("select * from audit")])).not.toContain(
      json.key,
    );
  });

  it("end at once when they are revoked, and for good", async () => {
    const { json } = await issue({});
    const use = async () => (await h.fetch("GET", "/v1/sessions", { key: json.key })).status;
    expect(await use()).toBe(200);
    expect((await h.fetch("DELETE", `/v1/keys/${json.id}`)).status).toBe(204);
    expect(await use()).toBe(401);
    expect((await h.fetch("DELETE", `/v1/keys/${json.id}`)).status).toBe(204);
    expect((await h.fetch("DELETE", "/v1/keys/key_none")).status).toBe(404);
    expect(await rows("select 1 as one from audit where action = 'key.revoked' and object_id = ?", json.id)).toEqual([
      { one: 1 },
    ]);
  });

  it("end when their time has come, even while they are remembered", async () => {
    const { json } = await issue({ expiresAt: new Date(Date.now() + 10_000).toISOString() });
    const use = async () => (await h.fetch("GET", "/v1/sessions", { key: json.key })).status;
    expect(await use()).toBe(200);
    skipMs = 10_001;
    expect(await use()).toBe(401);
    expect((await issue({ expiresAt: "2020-01-01T00:00:00Z" })).status).toBe(422);
  });

  it("of two users share nothing, though neither names a user", async () => {
    const [one, other] = [(await issue({ userId: "mia" })).json.key, (await issue({ userId: "max" })).json.key];
    const body = { messages: [{ role: "user", text: "a marmot" }] };
    await h.fetch("POST", "/v1/sessions/own/episodes", { key: one, user: null, body });
    const seen = async (key: string) =>
      (await h.fetch<{ hits: unknown[] }>("POST", "/v1/search", { key, user: null, body: { query: "marmot" } })).json.hits.length;
    expect([await seen(one), await seen(other)]).toEqual([1, 0]);
  });
});

describe("rate limits", () => {
  it("of a key: 429, when to come back, and nothing done", async () => {
    exhausted = "key";
    const { status, json, headers } = await h.fetch<Problem>("POST", "/v1/sessions/limited/episodes", {
      body: { messages: [{ role: "user", text: "x" }] },
    });
    expect([status, json.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "10"]);
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(asked).toEqual([expect.stringMatching(/^key key_/)]);
    expect(await rows("select 1 from sessions where external_id = 'limited'")).toEqual([]);
  });

  it("of strangers: by their address, and a good key does not use it up", async () => {
    const stranger = async () =>
      await h.fetch("GET", "/v1/sessions", { key: null, headers: { "cf-connecting-ip": "203.0.113.9" } });
    await h.fetch("GET", "/v1/sessions");
    asked.length = 0;
    expect((await stranger()).status).toBe(401);
    exhausted = "stranger";
    const { status, headers } = await stranger();
    expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
    expect((await h.fetch("GET", "/v1/sessions")).status).toBe(200);
    expect(asked).toEqual(["stranger 203.0.113.9", "stranger 203.0.113.9", expect.stringMatching(/^key key_/)]);
  });

  it("of strangers: before anything is looked up, whatever they show for a key", async () => {
    let trips = 0;
    const counted = await createHarness({
      replace: () => ({
        log: () => undefined,
        db: createDb(env.DB.withSession("first-primary"), () => {
          trips += 1;
        }),
      }),
      limiters: { key: limiter("key"), stranger: limiter("stranger") },
    });
    const sessions = async (key: string | null) => {
      trips = 0;
      return await counted.fetch("GET", "/v1/sessions", { key });
    };
    const unused = await counted.as(["read"]);
    exhausted = "stranger";
    for (const key of [newKey().key, unused, "not-a-key", null]) {
      const { status, headers } = await sessions(key);
      expect([status, headers.get("retry-after"), trips]).toEqual([429, "60", 0]);
    }
    trips = 0;
    const preflight = await counted.fetch("OPTIONS", "/v1/sessions", { key: null, headers: { origin: "https://new.example" } });
    expect([preflight.status, trips]).toEqual([429, 0]);
    exhausted = null;
    expect([(await sessions(newKey().key)).status, trips]).toEqual([401, 1]);
    expect([(await sessions(unused)).status, trips]).toEqual([200, 2]);
    exhausted = "stranger";
    expect([(await sessions(unused)).status, trips]).toEqual([200, 1]);
  });
});

describe("allowed browser origins", () => {
  const ORIGIN = "https://app.example";
  const allow = (allowedOrigins: string[]) =>
    h.fetch<Problem & { version: number; allowedOrigins: string[] }>("PATCH", "/v1/settings", { body: { allowedOrigins } });
  const preflight = (origin: string) =>
    h.fetch("OPTIONS", "/v1/search", { key: null, headers: { origin, "access-control-request-method": "POST" } });

  it("are origins and nothing that resembles one", async () => {
    expect((await allow([ORIGIN])).json.allowedOrigins).toEqual([ORIGIN]);
    for (const wrong of ["https://app.example/", "app.example", "null", "*", "https://app.example/path"])
      expect((await allow([wrong])).status).toBe(422);
  });

  it("answer a preflight from an allowed origin, until it is taken off the list", async () => {
    await allow([ORIGIN]);
    const { status, headers } = await preflight(ORIGIN);
    expect([status, headers.get("access-control-allow-origin"), headers.get("vary")]).toEqual([204, ORIGIN, "origin"]);
    expect(headers.get("access-control-allow-methods")).toContain("PATCH");
    for (const name of ["authorization", "idempotency-key", "x-edgewise-bookmark"])
      expect(headers.get("access-control-allow-headers")).toContain(name);
    await allow([]);
    expect((await preflight(ORIGIN)).status).toBe(403);
  });

  it("answer no preflight from anywhere else", async () => {
    await allow([ORIGIN]);
    for (const origin of ["https://evil.example", "https://app.example.evil", "http://app.example", "null"]) {
      const { status, headers } = await preflight(origin);
      expect([status, headers.get("access-control-allow-origin")]).toEqual([403, null]);
    }
  });

  it("take no key from a page, and let an allowed page read why", async () => {
    await allow([ORIGIN]);
    const fromPage = async (origin: string) => await h.fetch<Problem>("GET", "/v1/sessions", { headers: { origin } });
    const refused = await fromPage(ORIGIN);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, ORIGIN]);
    expect(refused.json.detail).toContain("your server");
    expect((await fromPage("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
    expect((await fromPage("https://edgewise.test")).status).toBe(200);
  });
});

describe("headers of every answer", () => {
  const ask = (headers: Record<string, string>, key?: string) =>
    h.fetch<Problem>("GET", "/v1/sessions", { headers, ...(key === undefined ? {} : { key }) });

  it("echo a harmless request id and make one otherwise", async () => {
    expect((await ask({ "x-request-id": "trace-2026.04_01" })).headers.get("x-request-id")).toBe("trace-2026.04_01");
    for (const bad of ["short", "x".repeat(65), "has blank inside", "<script>alert</script>", ""]) {
      expect((await ask({ "x-request-id": bad })).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
    const problem = await h.fetch<Problem>("GET", "/v1/nowhere", { headers: { "x-request-id": "trace-of-a-problem" } });
    expect([problem.status, problem.json.requestId, problem.headers.get("x-request-id")]).toEqual([
      404,
      "trace-of-a-problem",
      "trace-of-a-problem",
    ]);
  });

  it("tell what a request cost to admins only", async () => {
    const timing = async (key?: string) => (await ask({}, key)).headers.get("server-timing");
    expect(await timing()).toMatch(/^total;dur=\d+, d1;dur=\d+;desc="trips=1 statements=\d+ read=\d+ written=0", work;desc=/);
    expect(await timing(await h.as(["read", "write"]))).toMatch(/^total;dur=\d+$/);
    expect((await h.fetch("GET", "/v1/sessions", { key: null })).headers.get("server-timing")).toMatch(/^total;dur=\d+$/);
  });

  it("carry a bookmark that is taken back, and take nothing else for one", async () => {
    const written = await say(h, "marked", "x");
    const bookmark = written.headers.get("x-edgewise-bookmark") ?? "";
    expect(bookmark).not.toBe("");
    const read = await ask({ "x-edgewise-bookmark": bookmark });
    expect(read.status).toBe(200);
    expect((read.headers.get("x-edgewise-bookmark") ?? "") >= bookmark).toBe(true);
    for (const garbage of ["garbage", "first-unconstrained", "first-primary", "%00", "0-0-0", "x".repeat(500)]) {
      const { status, headers } = await ask({ "x-edgewise-bookmark": garbage });
      expect([status, headers.get("x-edgewise-bookmark") === garbage]).toEqual([200, false]);
    }
  });
});

it("only shapes of D1's bookmarks reach the database", async () => {
  const consistencies: (string | undefined)[] = [];
  const spy = await createHarness({ onOpen: (consistency) => void consistencies.push(consistency) });
  const bookmark = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";
  for (const header of ["first-unconstrained", "garbage", bookmark])
    await spy.fetch("GET", "/v1/health", { headers: { "x-edgewise-bookmark": header } });
  expect(consistencies.filter((consistency) => consistency !== undefined)).toEqual([bookmark]);
});

describe("health", () => {
  it("is open, cheap and asks nobody", async () => {
    const { status, json, headers } = await h.fetch("GET", "/v1/health", { key: null });
    expect([status, json]).toEqual([200, { status: "ok" }]);
    expect([headers.get("x-edgewise-bookmark"), asked]).toEqual([null, []]);
  });
});

it("a body that is none, or too large, is told apart", async () => {
  const post = (body: unknown) => h.fetch<Problem>("POST", "/v1/search", { body });
  expect((await post("{not json")).json).toMatchObject({ code: "invalid_input", fields: [{ path: "body" }] });
  const large = await post({ query: "x".repeat(1_000_001) });
  expect([large.status, large.json.code]).toEqual([413, "payload_too_large"]);
});
