import { env } from "cloudflare:workers";
import { SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compose } from "#compose";
import type { Services } from "#context";
import { UNLIMITED } from "#core/strangers";
import { createDb } from "#db/client";
import { authenticate } from "#domain/tenants";
import { type Answer, asEnv, createHarness, type Harness, type Request } from "#test/harness";
import { type Page, type Problem, rows } from "./requests.ts";

type Token = { id: string; token: string; userId: string; permissions: string[]; sessions: string[] | null; expiresAt: string };
type Failed = Problem & { reason?: string };

let h: Harness;
/** What the services' clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ now: () => Date.now() + ahead }) });
});

async function make(body: Record<string, unknown>, key = h.key): Promise<Answer<Token & Failed>> {
  return await h.fetch("POST", "/v1/tokens", { key, body, user: null });
}

async function tokenOf(userId: string, more: Record<string, unknown> = {}): Promise<string> {
  return (await make({ userId, ...more })).json.token;
}

async function call<T = Failed>(token: string, method: string, path: string, request: Request = {}): Promise<Answer<T>> {
  return await h.fetch<T>(method, path, { user: null, ...request, key: token });
}

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")));
const headerOf = (token: string): Record<string, unknown> =>
  JSON.parse(atob((token.split(".")[0] ?? "").replaceAll("-", "+").replaceAll("_", "/")));

describe("a user token", () => {
  it("acts for its user, who need not exist, and names nobody", async () => {
    const before = Date.now();
    const made = await make({ userId: "alice" });
    expect([made.status, made.json.userId, made.json.permissions, made.json.sessions]).toEqual([
      201,
      "alice",
      ["read", "write"],
      null,
    ]);
    const life = Date.parse(made.json.expiresAt) - before;
    expect(life).toBeGreaterThan(898_000);
    expect(life).toBeLessThan(930_000);
    expect(await rows("select 1 from users where tenant_id = ? and external_id = 'alice'", h.tenantId)).toEqual([]);
    const { token } = made.json;
    expect((await call<Page<unknown>>(token, "GET", "/v1/memories")).json.items).toEqual([]);
    const stored = await call<{ ownerId: string }>(token, "POST", "/v1/memories", { body: { content: "I play the oboe." } });
    expect([stored.status, stored.json.ownerId]).toEqual([201, "alice"]);
    expect((await call<{ userId: string }>(token, "GET", "/v1/people/me")).json.userId).toBe("alice");
    const found = await call<{ hits: { content: string }[] }>(token, "POST", "/v1/search", { body: { query: "oboe" } });
    expect(found.json.hits[0]?.content).toContain("oboe");
    const other = await call(token, "GET", "/v1/memories?userId=bob");
    expect([other.status, other.json.detail]).toEqual([403, expect.stringContaining("This token is bound to one user")]);
  });

  it("says nothing of rights that change, and whose it is", async () => {
    const { json } = await make({ userId: "alice", sessions: ["s1"], readOnly: true, expiresInSeconds: 60 });
    const claims = claimsOf(json.token);
    expect(Object.keys(claims).toSorted()).toEqual([
      "aud",
      "exp",
      "iat",
      "iss",
      "issuedMs",
      "jti",
      "key",
      "readOnly",
      "sessions",
      "sub",
    ]);
    expect(claims).toMatchObject({ sub: "alice", aud: "edgewise", jti: json.id, sessions: ["s1"], readOnly: true });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(60);
    const [tenant] = await rows<{ public_id: string }>("select public_id from tenants where id = ?", h.tenantId);
    expect(headerOf(json.token)).toEqual({ alg: "HS256", typ: "JWT", kid: `${tenant?.public_id}.1` });
  });

  it("is the audit log's actor, by its id", async () => {
    const { json } = await make({ userId: "audited" });
    await call(json.token, "PUT", "/v1/sessions/audited-session", { body: {} });
    const { json: log } = await h.fetch<Page<{ actor: unknown; action: string }>>(
      "GET",
      `/v1/audit?actorKind=token&actorId=${json.id}`,
    );
    expect(log.items).toMatchObject([{ actor: { kind: "token", id: json.id }, action: "session.opened" }]);
  });

  it("costs no round trip when it is warm", async () => {
    const token = await tokenOf("warm");
    const trips = async () => {
      const { services, costs } = compose(asEnv(env), { waitUntil: () => undefined });
      const { ok } = await authenticate(services, token, UNLIMITED);
      return [ok, costs.trips];
    };
    expect(await trips()).toEqual([true, 1]);
    expect(await trips()).toEqual([true, 0]);
  });

  it("repeats a request safely after a refresh, and shares no Idempotency-Key with another user", async () => {
    const add = async (token: string, content: string) =>
      await call<{ id: string }>(token, "POST", "/v1/memories", { body: { content }, headers: { "idempotency-key": "again-1" } });
    const first = await add(await tokenOf("ida"), "I sail.");
    const second = await add(await tokenOf("ida"), "I sail.");
    expect([second.status, second.headers.get("idempotency-replayed"), second.json.id]).toEqual([201, "true", first.json.id]);
    const other = await add(await tokenOf("ivo"), "I sail.");
    expect([other.status, other.headers.get("idempotency-replayed")]).toEqual([201, null]);
    expect(other.json.id).not.toBe(first.json.id);
  });

  it("is counted by tenant and user, however often it is refreshed", async () => {
    const counted: string[] = [];
    const limited = await createHarness({
      limiters: {
        key: { limit: async ({ key }) => ({ success: counted.push(key) > 0 }), policy: { quota: 9, windowSeconds: 10 } },
      },
    });
    const mint = async () => (await limited.fetch<Token>("POST", "/v1/tokens", { body: { userId: "u" } })).json.token;
    const tokens = [await mint(), await mint()];
    counted.length = 0;
    for (const key of tokens) {
      const { headers } = await limited.fetch("GET", "/v1/memories", { key, user: null });
      expect(headers.get("ratelimit-policy")).toBe('"user";q=9;w=10');
    }
    expect(counted).toEqual([`${limited.tenantId} u`, `${limited.tenantId} u`]);
  });
});

describe("the limit of strangers", () => {
  let [trips, counted, isExceeded, addresses] = [0, 0, false, 0];
  let limited: Harness;
  beforeEach(async () => {
    addresses += 1;
    limited = await createHarness({
      replace: () => ({
        now: () => Date.now() + ahead,
        log: () => undefined,
        db: createDb(env.DB.withSession("first-primary"), () => {
          trips += 1;
        }),
      }),
      limiters: {
        stranger: {
          limit: async () => {
            counted += 1;
            return { success: !isExceeded };
          },
          policy: { quota: 1, windowSeconds: 60 },
        },
      },
    });
    [trips, counted, isExceeded] = [0, 0, false];
  });
  const mint = async (userId: string) =>
    (await limited.fetch<Token>("POST", "/v1/tokens", { body: { userId }, user: null })).json.token;
  /** From an address that no other test has. */
  const topics = async (key: string) => {
    const headers = { "cf-connecting-ip": `198.51.100.${addresses}` };
    return await limited.fetch("GET", "/v1/topics", { key, user: null, headers });
  };
  /** The status, the round trips and how often the address was counted. */
  const use = async (key: string) => {
    [trips, counted] = [0, 0];
    const { status } = await topics(key);
    return [status, trips, counted];
  };
  const forge = (token: string) => `${token.slice(0, token.lastIndexOf("."))}.${"A".repeat(43)}`;

  it("does not count valid tokens, of however many users behind one address", async () => {
    const tokens = [await mint("nat-1"), await mint("nat-2"), await mint("nat-3")];
    isExceeded = true;
    for (const token of tokens) expect(await use(token)).toEqual([200, 2, 0]);
  });

  it("counts forged ones, and from an address with too many of them looks up none", async () => {
    const token = await mint("forged");
    expect(await use(forge(token))).toEqual([401, 1, 1]);
    isExceeded = true;
    expect(await use(forge(token))).toEqual([429, 1, 1]);
    expect(await use(forge(token))).toEqual([429, 0, 1]);
    expect(await use(token)).toEqual([429, 0, 1]);
    isExceeded = false;
    expect(await use(token)).toEqual([200, 2, 1]);
  });

  it("counts what an address sends at once before it is looked up, but for 50", async () => {
    const token = await mint("burst");
    isExceeded = true;
    trips = 0;
    const sent = Array.from({ length: 80 }, () => topics(forge(token)));
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([429]));
    expect(trips).toBeLessThanOrEqual(50);
  });

  it("does not count a token that was valid, which is looked up once", async () => {
    const [revoked, expired] = [await mint("was"), await mint("else")];
    await limited.fetch("POST", "/v1/tokens/revoke", { body: { userId: "was" }, user: null });
    isExceeded = true;
    expect([await use(revoked), await use(revoked)]).toEqual([
      [401, 1, 0],
      [401, 0, 0],
    ]);
    ahead = 3_600_000;
    expect([await use(expired), await use(expired)]).toEqual([
      [401, 1, 0],
      [401, 0, 0],
    ]);
    ahead = 0;
  });
});

describe("making a token", () => {
  it("needs a user, an hour at most, and names without secrets", async () => {
    expect((await make({})).json).toMatchObject({ code: "invalid_input", fields: [{ path: "userId" }] });
    expect((await make({ userId: "a", expiresInSeconds: 3_601 })).json).toMatchObject({ fields: [{ path: "expiresInSeconds" }] });
    expect((await make({ userId: "sk_live_4eC39HqLyjWDarjtT1zdp7dc" })).status).toBe(422);
    const long = Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(200, "ä"));
    expect((await make({ userId: "a", sessions: long })).json).toMatchObject({
      code: "unprocessable",
      fields: [{ path: "sessions" }],
    });
  });

  it("gives no more than the key may, and never admin", async () => {
    const may = async (permissions: readonly ("read" | "write" | "admin")[], body = {}) => {
      const { status, json } = await make({ userId: "a", ...body }, await h.as(permissions));
      return [status, json.permissions];
    };
    expect(await may(["read", "write", "admin"])).toEqual([201, ["read", "write"]]);
    expect(await may(["write"])).toEqual([201, ["write"]]);
    expect(await may(["write"], { readOnly: true })).toEqual([403, undefined]);
    expect(await may(["read", "admin"])).toEqual([403, undefined]);
    expect(await may(["read", "write"], { readOnly: true })).toEqual([201, ["read"]]);
    const blind = (await make({ userId: "a" }, await h.as(["write"]))).json.token;
    expect((await call(blind, "GET", "/v1/memories")).status).toBe(403);
    expect((await call(blind, "POST", "/v1/memories", { body: { content: "I hum." } })).status).toBe(201);
  });

  it("by a personal key is for its user alone", async () => {
    const key = (await h.fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "k", userId: "pam" } })).json.key;
    expect((await make({}, key)).json.userId).toBe("pam");
    expect((await make({ userId: "quentin" }, key)).status).toBe(403);
  });

  it("lasts no longer than the key, and ends with it", async () => {
    const expiresAt = new Date(Date.now() + 120_000).toISOString();
    const ends = await h.fetch<{ key: string; id: string }>("POST", "/v1/keys", { body: { name: "k", expiresAt } });
    const made = await make({ userId: "a" }, ends.json.key);
    expect(Date.parse(made.json.expiresAt)).toBe(Math.floor(Date.parse(expiresAt) / 1000) * 1000);
    expect((await call(made.json.token, "GET", "/v1/memories")).status).toBe(200);
    await h.fetch("DELETE", `/v1/keys/${ends.json.id}`);
    const refused = await call(made.json.token, "GET", "/v1/memories");
    expect([refused.status, refused.json.reason]).toEqual([401, "token_revoked"]);
  });

  it("makes one secret when two requests make the first token at once", async () => {
    const own = await createHarness();
    const made = await Promise.all(
      ["a", "b", "c", "d"].map((userId) => own.fetch<Token>("POST", "/v1/tokens", { body: { userId } })),
    );
    for (const { json } of made)
      expect((await own.fetch("GET", "/v1/memories", { key: json.token, user: null })).status).toBe(200);
    expect(await rows("select number from token_secrets where tenant_id = ?", own.tenantId)).toEqual([{ number: 1 }]);
    const log = await own.fetch<Page<{ action: string }>>("GET", "/v1/audit");
    expect(log.json.items.filter(({ action }) => action === "token_secret.made")).toHaveLength(1);
  });

  it("keeps the secret sealed for its tenant", async () => {
    const other = await createHarness();
    await other.fetch("POST", "/v1/tokens", { body: { userId: "a" } });
    const [theirs] = await rows<{ sealed: string }>("select sealed from token_secrets where tenant_id = ?", other.tenantId);
    expect(theirs?.sealed).toMatch(/^v1\./);
    const own = await createHarness();
    const { json } = await own.fetch<Token>("POST", "/v1/tokens", { body: { userId: "a" } });
    await rows("update token_secrets set sealed = ? where tenant_id = ?", theirs?.sealed ?? "", own.tenantId);
    expect((await own.fetch("GET", "/v1/memories", { key: json.token, user: null })).status).toBe(401);
    const refused = await own.fetch<Problem>("POST", "/v1/tokens", { body: { userId: "a" } });
    expect([refused.status, refused.json.detail]).toEqual([422, expect.stringContaining("POST /v1/tokens/rotate")]);
    expect((await own.fetch("POST", "/v1/tokens/rotate")).status).toBe(200);
    expect((await own.fetch("POST", "/v1/tokens", { body: { userId: "a" } })).status).toBe(201);
  });

  it("is refused without an ENCRYPTION_KEY, with what its operator has to do", async () => {
    const bare = await createHarness({ replace: (): Partial<Services> => ({ secretBox: null }) });
    const { status, json } = await bare.fetch<Problem>("POST", "/v1/tokens", { body: { userId: "a" } });
    expect([status, json.code]).toEqual([422, "unprocessable"]);
    expect(json.detail).toContain("ENCRYPTION_KEY");
  });
});

describe("a token is refused", () => {
  const refusal = async (token: string) => {
    const { status, json, headers } = await call(token, "GET", "/v1/memories");
    return { status, reason: json.reason, challenge: headers.get("www-authenticate"), detail: json.detail };
  };

  it("after it has expired, which the problem says", async () => {
    const token = await tokenOf("exp", { expiresInSeconds: 30 });
    expect((await call(token, "GET", "/v1/memories")).status).toBe(200);
    ahead = 31_000;
    const answers = [await refusal(token), await refusal(await tokenOf("exp", { expiresInSeconds: 30 }))];
    ahead = 0;
    expect(answers[0]).toMatchObject({
      status: 401,
      reason: "token_expired",
      detail: expect.stringContaining("The token has expired."),
    });
    expect(answers[0]?.challenge).toContain('error="invalid_token"');
    expect(answers[1]?.status).toBe(200);
  });

  it("before the time at which it says that it was issued", async () => {
    ahead = 60_000;
    const token = await tokenOf("early");
    ahead = 0;
    expect(await refusal(token)).toMatchObject({ status: 401, reason: undefined });
  });

  it("for every change to it, with one answer for all", async () => {
    const token = await tokenOf("forged");
    const [header = "", claims = "", signature = ""] = token.split(".");
    const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const wrong = new TextEncoder().encode("another secret of at least 32 bytes, for HS256");
    const signed = async (change: Record<string, unknown>) =>
      await new SignJWT({ ...claimsOf(token), ...change }).setProtectedHeader({ ...headerOf(token), alg: "HS256" }).sign(wrong);
    const forged = [
      `${header}.${encode({ ...claimsOf(token), sub: "bob" })}.${signature}`,
      `${encode({ ...headerOf(token), alg: "none" })}.${claims}.`,
      `${encode({ ...headerOf(token), alg: "none" })}.${claims}.${signature}`,
      await signed({}),
      await signed({ exp: 1 }),
      "a.b.c",
      `${header}.${claims}`,
      "eyJ".padEnd(7_000, "a"),
    ];
    const answers = await Promise.all(forged.map(refusal));
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], status: 401, reason: undefined });
  });
});

describe("rotation", () => {
  it("accepts the secret before for an hour, and one before that no more", async () => {
    const own = await createHarness({ replace: () => ({ now: () => Date.now() + ahead }) });
    const mint = async () =>
      (await own.fetch<Token>("POST", "/v1/tokens", { body: { userId: "a", expiresInSeconds: 3_600 } })).json.token;
    const status = async (key: string) => (await own.fetch("GET", "/v1/memories", { key, user: null })).status;
    const rotate = async () => await own.fetch<{ rotatedAt: string; formerValidUntil: string }>("POST", "/v1/tokens/rotate");
    const first = await mint();
    const { json } = await rotate();
    expect(Date.parse(json.formerValidUntil) - Date.parse(json.rotatedAt)).toBe(3_600_000);
    const second = await mint();
    expect(headerOf(second).kid).toMatch(/\.2$/);
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    await rotate();
    const third = await mint();
    expect([await status(first), await status(second), await status(third)]).toEqual([401, 200, 200]);
    await rows("update token_secrets set valid_until = ? where tenant_id = ? and number = 2", Date.now() - 1, own.tenantId);
    own.services().caches.credentials.clear();
    expect([await status(second), await status(third)]).toEqual([401, 200]);
    expect(await rows("select number from token_secrets where tenant_id = ? order by number", own.tenantId)).toEqual([
      { number: 2 },
      { number: 3 },
    ]);
  });

  it("needs an admin key", async () => {
    expect((await h.fetch("POST", "/v1/tokens/rotate", { key: await h.as(["read", "write"]) })).status).toBe(403);
  });
});

describe("revocation", () => {
  const revoke = async (body: Record<string, unknown>, key = h.key) =>
    await h.fetch<{ userId: string | null; issuedBefore: string } & Failed>("POST", "/v1/tokens/revoke", {
      body,
      key,
      user: null,
    });
  const status = async (token: string) => (await call(token, "GET", "/v1/memories")).status;

  it("of a user refuses what was issued before, at once here, and nothing that is issued after", async () => {
    const [hers, his] = [await tokenOf("rita"), await tokenOf("rob")];
    expect([await status(hers), await status(his)]).toEqual([200, 200]);
    const { json } = await revoke({ userId: "rita" });
    expect(json.userId).toBe("rita");
    const next = await tokenOf("rita");
    expect([await status(hers), await status(his), await status(next)]).toEqual([401, 200, 200]);
    expect((await call(hers, "GET", "/v1/memories")).json.reason).toBe("token_revoked");
  });

  it("works within the same millisecond, whichever isolate's clock is ahead", async () => {
    const old = await tokenOf("same");
    ahead = 2_000;
    await revoke({ userId: "same" });
    ahead = 0;
    const next = await tokenOf("same");
    expect([await status(old), await status(next)]).toEqual([401, 200]);
  });

  it("of somebody unknown makes the user, so that what their provider issued before is refused", async () => {
    expect((await revoke({ userId: "unheard-of" })).status).toBe(200);
    const [user] = await rows<{ at: number }>(
      "select tokens_revoked_at as at from users where tenant_id = ? and external_id = 'unheard-of'",
      h.tenantId,
    );
    expect(user?.at).toBeGreaterThan(0);
  });

  it("of everybody needs to be said, and admin", async () => {
    expect((await revoke({})).json).toMatchObject({ code: "invalid_input", fields: [{ path: "userId" }] });
    expect((await revoke({ userId: "a", everybody: true })).status).toBe(422);
    const own = await createHarness();
    const token = (await own.fetch<Token>("POST", "/v1/tokens", { body: { userId: "a" } })).json.token;
    const everybody = { body: { everybody: true }, user: null };
    expect((await own.fetch("POST", "/v1/tokens/revoke", { ...everybody, key: await own.as(["write"]) })).status).toBe(403);
    expect((await own.fetch("GET", "/v1/memories", { key: token, user: null })).status).toBe(200);
    expect((await own.fetch("POST", "/v1/tokens/revoke", everybody)).status).toBe(200);
    expect((await own.fetch("GET", "/v1/memories", { key: token, user: null })).status).toBe(401);
    const next = (await own.fetch<Token>("POST", "/v1/tokens", { body: { userId: "a" } })).json.token;
    expect((await own.fetch("GET", "/v1/memories", { key: next, user: null })).status).toBe(200);
  });

  it("by a personal key is of its user", async () => {
    const key = (await h.fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "k", userId: "sol" } })).json.key;
    const token = await tokenOf("sol");
    expect((await revoke({ userId: "tess" }, key)).status).toBe(403);
    expect((await revoke({ everybody: true }, key)).status).toBe(403);
    expect((await revoke({}, key)).json.userId).toBe("sol");
    expect(await status(token)).toBe(401);
  });
});
