import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newKey } from "#core/ids";
import { createDb } from "#db/client";
import type { KeyView } from "#domain/tenants";
import type { Limiter } from "#surfaces/rest/rest-env";
import { type Answer, createHarness, type Harness } from "#test/harness";
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
  policy: name === "key" ? { quota: 5000, windowSeconds: 10 } : { quota: 3000, windowSeconds: 60 },
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
    const body = { messages: [{ role: "user", content: "a marmot" }] };
    await h.fetch("POST", "/v1/sessions/own/episodes", { key: one, user: null, body });
    const seen = async (key: string) =>
      (await h.fetch<{ hits: unknown[] }>("POST", "/v1/search", { key, user: null, body: { query: "marmot" } })).json.hits.length;
    expect([await seen(one), await seen(other)]).toEqual([1, 0]);
  });
});

describe("rate limits", () => {
  const limitsIn = ({ headers }: Answer<unknown>) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];

  it("are said by `ratelimit` headers of the current IETF draft: the policy always, what is left when nothing is", async () => {
    const [asKey, asStranger] = ['"key";q=5000;w=10', '"address";q=3000;w=60'];
    expect(limitsIn(await h.fetch("GET", "/v1/sessions"))).toEqual([asKey, null]);
    expect(limitsIn(await h.fetch("GET", "/v1/sessions/none"))).toEqual([asKey, null]);
    expect(limitsIn(await h.fetch("GET", "/v1/sessions", { key: null }))).toEqual([asStranger, null]);
    exhausted = "key";
    expect(limitsIn(await h.fetch("GET", "/v1/sessions"))).toEqual([asKey, '"key";r=0;t=10']);
    exhausted = "stranger";
    expect(limitsIn(await h.fetch("GET", "/v1/sessions", { key: null }))).toEqual([asStranger, '"address";r=0;t=60']);
    expect(limitsIn(await h.fetch("GET", "/v1/health", { key: null }))).toEqual([null, null]);
  });

  it("of a key: 429, when to come back, and nothing done", async () => {
    exhausted = "key";
    const { status, json, headers } = await h.fetch<Problem>("POST", "/v1/sessions/limited/episodes", {
      body: { messages: [{ role: "user", content: "x" }] },
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

  it("of strangers: all addresses of an IPv6 network together, because whoever has one has them all", async () => {
    for (const address of ["2001:db8:0:7::1", "2001:db8:0:7:ffff::2"])
      await h.fetch("GET", "/v1/sessions", { key: null, headers: { "cf-connecting-ip": address } });
    expect(asked).toEqual(["stranger 2001:db8:0:7::/64", "stranger 2001:db8:0:7::/64"]);
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
    expect([preflight.status, trips]).toEqual([204, 0]);
    const page = await counted.fetch("GET", "/v1/health", { key: null, headers: { origin: "https://new.example" } });
    expect([page.status, trips]).toEqual([429, 0]);
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

  it("are origins and nothing that resembles one", async () => {
    expect((await allow([ORIGIN])).json.allowedOrigins).toEqual([ORIGIN]);
    for (const wrong of ["app.example", "null", "*", "https://app.example//", "https://app.example/path"])
      expect((await allow([wrong])).status).toBe(422);
  });

  it("may be written with a slash at the end, and are stored without it", async () => {
    expect((await allow([`${ORIGIN}/`])).json.allowedOrigins).toEqual([ORIGIN]);
    const { json } = await h.fetch<{ allowedOrigins: string[] }>("GET", "/v1/settings");
    expect(json.allowedOrigins).toEqual([ORIGIN]);
  });

  it.each([
    ["https://app.example/path?a#b", ": write https://app.example."],
    ["HTTPS://App.Example", ": write https://app.example."],
    ["https://me:secret@app.example:443", ": write https://app.example."],
    ["app.example", ", as in https://app.example.com."],
    ["https://sk_live_4eC39HqLyjWDarjtT1zdp7dc/", ", as in https://app.example.com."],
  ])("say of %s what to write instead", async (wrong, advice) => {
    const { status, json } = await allow([wrong]);
    const message = `An origin is a scheme, a host and perhaps a port${advice}`;
    expect([status, json.fields]).toEqual([422, [{ path: "allowedOrigins[0]", message }]]);
  });

  const EXPOSED = [
    "x-request-id",
    "x-edgewise-bookmark",
    "x-edgewise-memory",
    "etag",
    "retry-after",
    "idempotency-replayed",
    "server-timing",
  ];
  const exposed = (headers: Headers) => headers.get("access-control-expose-headers")?.split(", ") ?? [];

  it("are not asked of a preflight: every OPTIONS with an Origin is answered with CORS headers, on every path", async () => {
    await allow([ORIGIN]);
    const wanted = {
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-stainless-os, bad name, content-type",
    };
    for (const origin of [ORIGIN, "https://evil.example", "http://app.example", "null"]) {
      for (const path of ["/v1/memories", "/v1/chat/completions", "/v1/nowhere", "/openapi.json", "/nowhere"]) {
        for (const asking of [{}, wanted]) {
          const { status, headers } = await h.fetch("OPTIONS", path, { key: null, headers: { origin, ...asking } });
          expect([status, headers.get("access-control-allow-origin")]).toEqual([204, origin]);
          expect(headers.get("vary")).toMatch(/^origin\b/);
          expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0);
          for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
            expect(headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
          const named = headers.get("access-control-allow-headers")?.split(", ") ?? [];
          for (const name of [
            "authorization",
            "content-type",
            "idempotency-key",
            "if-match",
            "x-edgewise-bookmark",
            "x-edgewise-user",
          ])
            expect(named).toContain(name);
          expect([named.includes("x-stainless-os"), named.includes("bad name")]).toEqual([asking === wanted, false]);
          expect(named.filter((name) => name === "content-type")).toHaveLength(1);
        }
      }
    }
  });

  it("are not in an OPTIONS without an Origin, which is answered with what the path takes", async () => {
    for (const [path, methods] of [
      ["/v1/settings", "GET, HEAD, OPTIONS, PATCH"],
      ["/openapi.json", "GET, HEAD, OPTIONS"],
      ["/v1/nowhere", "OPTIONS"],
    ] as const) {
      const { status, headers } = await h.fetch("OPTIONS", path, { key: null });
      expect([status, headers.get("allow"), headers.get("access-control-allow-origin")]).toEqual([204, methods, null]);
    }
  });

  it("are judged on the real request, and any page may read why it was refused", async () => {
    await allow([ORIGIN]);
    for (const origin of [ORIGIN, "https://evil.example", "null"]) {
      const refused = await h.fetch<Problem>("POST", "/v1/memories", { headers: { origin }, body: { content: "x" } });
      expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, origin]);
      expect(refused.json.detail).toContain("your server");
      const keyless = await h.fetch("GET", "/v1/sessions", { key: null, headers: { origin } });
      expect([keyless.status, keyless.headers.get("access-control-allow-origin")]).toEqual([401, origin]);
      // A page whose token has not been loaded yet sends such words, and reads that it needs one.
      const junk = await h.fetch("GET", "/v1/sessions", { key: "undefined", headers: { origin } });
      expect([junk.status, junk.headers.get("access-control-allow-origin")]).toEqual([401, origin]);
      const nowhere = await h.fetch("GET", "/nowhere", { key: null, headers: { origin } });
      expect([nowhere.status, nowhere.headers.get("access-control-allow-origin")]).toEqual([404, origin]);
      for (const { headers } of [refused, keyless, nowhere]) {
        expect(headers.get("vary")).toBe("origin");
        expect(exposed(headers)).toEqual(expect.arrayContaining(EXPOSED));
      }
      exhausted = "stranger";
      const limited = await h.fetch("GET", "/v1/sessions", { key: null, headers: { origin } });
      expect([limited.status, limited.headers.get("access-control-allow-origin")]).toEqual([429, origin]);
      exhausted = null;
    }
    expect((await h.fetch("GET", "/v1/sessions", { headers: { origin: "https://edgewise.test" } })).status).toBe(200);
  });

  it("may read answers, and others may not", async () => {
    await allow([ORIGIN]);
    const health = async (origin: string) => (await h.fetch("GET", "/v1/health", { key: null, headers: { origin } })).headers;
    const listed = await health(ORIGIN);
    expect([listed.get("access-control-allow-origin"), listed.get("vary")]).toEqual([ORIGIN, "origin"]);
    expect(exposed(listed)).toEqual(expect.arrayContaining(EXPOSED));
    const other = await health("https://evil.example");
    expect([other.get("access-control-allow-origin"), other.get("vary")]).toEqual([null, "origin"]);
    await allow([]);
    expect((await health(ORIGIN)).get("access-control-allow-origin")).toBeNull();
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

  it("show what a request cost to admins only", async () => {
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

it("an invalid body and one that is too large get different errors", async () => {
  const post = (body: unknown) => h.fetch<Problem>("POST", "/v1/search", { body });
  expect((await post("{not json")).json).toMatchObject({ code: "invalid_input", fields: [{ path: "body" }] });
  const large = await post({ query: "x".repeat(1_000_001) });
  expect([large.status, large.json.code]).toEqual([413, "payload_too_large"]);
});
