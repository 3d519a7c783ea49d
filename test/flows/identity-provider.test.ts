import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { createJwksIdentity } from "#adapters/jwks-identity";
import { createHarness, type Harness } from "#test/harness";
import { identityProvider, type Provider } from "#test/identity-provider";
import { type Page, type Problem, rows } from "./requests.ts";

const AUDIENCE = "https://memory.example.com";

async function register(h: Harness, provider: Provider, more: Record<string, unknown> = {}) {
  const { issuer, jwksUrl } = provider;
  const identityProvider = { issuer, jwksUrl, audience: AUDIENCE, algorithms: ["RS256", "ES256", "EdDSA"], ...more };
  return await h.fetch<Problem & { identityProvider: unknown }>("PATCH", "/v1/settings", { body: { identityProvider } });
}

const ask = async (h: Harness, key: string) =>
  await h.fetch<Problem & { userId: string; reason?: string }>("GET", "/v1/people/me", { key, user: null });
const open = async (h: Harness, key: string) =>
  await h.fetch<Problem & { participants: string[] }>("PUT", "/v1/sessions/opened", { key, user: null, body: {} });

describe("a token of the tenant's identity provider", () => {
  it.each(["RS256", "ES256", "EdDSA"] as const)(
    "signed with %s acts for the user in its sub, who need not exist",
    async (algorithm) => {
      const [h, provider] = [await createHarness(), await identityProvider({ algorithm })];
      expect((await register(h, provider)).status).toBe(200);
      const token = await provider.sign({ sub: "auth0|alice", aud: [AUDIENCE, "https://other.example/userinfo"] });
      expect((await open(h, token)).status).toBe(201);
      expect((await ask(h, token)).json.userId).toBe("auth0|alice");
      expect((await h.fetch("GET", "/v1/settings", { key: token })).status).toBe(403);
      expect((await h.fetch("GET", "/v1/memories?userId=bob", { key: token, user: null })).status).toBe(403);
      expect(await provider.loads()).toBe(1);
      const log = await h.fetch<Page<{ actor: { kind: string; id: string } }>>("GET", "/v1/audit?actorKind=token");
      expect(log.json.items[0]?.actor.id).toMatch(/^idp_[0-9a-f]{32}$/);
    },
  );

  it("names the user by a claim of choice, which is text that may be an id", async () => {
    const [h, provider] = [await createHarness(), await identityProvider()];
    await register(h, provider, { userClaim: "https://app.example/id" });
    const of = async (id: unknown) =>
      (
        await open(
          h,
          await provider.sign({ sub: "s", aud: AUDIENCE, ...(id === undefined ? {} : { "https://app.example/id": id }) }),
        )
      ).status;
    expect(await of("anna")).toBe(201);
    for (const id of [undefined, 7, "", "a\u0000b", "..", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", ["anna"]])
      expect(await of(id), String(id)).toBe(401);
  });

  it("is refused for everything that is wrong with it", async () => {
    const [h, provider, other] = [await createHarness(), await identityProvider(), await identityProvider()];
    await register(h, provider);
    const now = Math.floor(Date.now() / 1000);
    const good = { sub: "a", aud: AUDIENCE };
    expect((await open(h, await provider.sign(good))).status).toBe(201);
    const signed = (await provider.sign(good)).split(".").slice(0, 2).join(".");
    const wrong: Record<string, string> = {
      audience: await provider.sign({ ...good, aud: "https://other.example" }),
      "no audience": await provider.sign({ sub: "a" }),
      issuer: await provider.sign({ ...good, iss: `${provider.issuer}x` }),
      "another's key": await other.sign({ ...good, iss: provider.issuer }),
      signature: `${signed}.${"A".repeat(342)}`,
      "no iat": await provider.sign({ ...good, iat: undefined }),
      "no exp": await provider.sign({ ...good, exp: undefined }),
      future: await provider.sign({ ...good, iat: now + 60 }),
      "not before": await provider.sign({ ...good, nbf: now + 60 }),
      "unknown kid": await provider.sign(good, { kid: "k2" }),
    };
    for (const [what, token] of Object.entries(wrong)) {
      const { status, json } = await ask(h, token);
      expect([status, json.reason], what).toEqual([401, undefined]);
    }
    const expired = await ask(h, await provider.sign({ ...good, iat: now - 100, exp: now - 50 }));
    expect([expired.status, expired.json.reason]).toEqual([401, "token_expired"]);
    await register(h, provider, { algorithms: ["ES256"] });
    expect((await ask(h, await provider.sign(good))).status).toBe(401);
    await h.fetch("PATCH", "/v1/settings", { body: { identityProvider: null } });
    expect((await ask(h, await provider.sign(good))).status).toBe(401);
    expect(await rows("select 1 from identity_providers where tenant_id = ?", h.tenantId)).toEqual([]);
  });

  it("is refused if it was issued before its user's tokens were revoked", async () => {
    const [h, provider] = [await createHarness(), await identityProvider()];
    await register(h, provider);
    const now = Math.floor(Date.now() / 1000);
    const [before, after] = [
      { sub: "a", aud: AUDIENCE, iat: now - 2 },
      { sub: "a", aud: AUDIENCE, iat: now + 1 },
    ];
    const token = await provider.sign(before);
    expect((await open(h, token)).status).toBe(201);
    await h.fetch("POST", "/v1/tokens/revoke", { body: { userId: "a" } });
    const refused = await ask(h, token);
    expect([refused.status, refused.json.reason]).toEqual([401, "token_revoked"]);
    expect((await ask(h, await provider.sign(after))).status).toBe(200);
  });

  it("is for 24 hours at most, and says so if it is for more", async () => {
    const [h, provider] = [await createHarness(), await identityProvider()];
    await register(h, provider);
    const iat = Math.floor(Date.now() / 1000);
    const lasting = async (seconds: number) =>
      await open(h, await provider.sign({ sub: "a", aud: AUDIENCE, iat, exp: iat + seconds }));
    expect((await lasting(86_400)).status).toBe(201);
    for (const seconds of [86_401, 10 * 365 * 86_400, 1e300]) {
      const { status, json } = await lasting(seconds);
      expect([status, json.detail]).toEqual([401, expect.stringContaining("24 hours")]);
    }
    const old = await provider.sign({ sub: "a", aud: AUDIENCE, iat: 0, exp: iat + 60 });
    expect((await open(h, old)).json.detail).toContain("24 hours");
  });

  it("is counted as a stranger's while its keys cannot be loaded", async () => {
    let counted = 0;
    const count = async () => ({ success: ++counted < 3 });
    const h = await createHarness({ limiters: { stranger: { limit: count, policy: undefined } } });
    const provider = await identityProvider();
    await register(h, provider);
    await provider.publish({ status: 500, body: "" });
    counted = 0;
    const statuses = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await open(h, await provider.sign({ sub: `a${i}`, aud: AUDIENCE }))).status);
    expect(statuses).toEqual([502, 502, 502, 429, 429]);
  });

  it("may be of two audiences of two tenants, and is then nobody's", async () => {
    const [one, two, provider] = [await createHarness(), await createHarness(), await identityProvider()];
    await register(one, provider, { audience: "a1" });
    await register(two, provider, { audience: "a2" });
    const status = async (aud: string | string[]) => (await open(one, await provider.sign({ sub: "a", aud }))).status;
    expect(await status("a1")).toBe(201);
    expect(await status(["a1", "a2"])).toBe(401);
    const [mine] = await rows<{ n: number }>("select count(*) as n from users where tenant_id = ?", one.tenantId);
    expect(mine?.n).toBe(1);
    await open(two, await provider.sign({ sub: "a", aud: "a2" }));
    expect(await rows("select external_id from users where tenant_id = ?", two.tenantId)).toEqual([{ external_id: "a" }]);
  });
});

describe("registering an identity provider", () => {
  it("shows it, and keeps one per tenant", async () => {
    const [h, provider] = [await createHarness(), await identityProvider()];
    const { issuer, jwksUrl } = provider;
    const shown = { issuer, jwksUrl, audience: AUDIENCE, algorithms: ["ES256"], userClaim: "sub" };
    expect((await register(h, provider, { algorithms: ["ES256"] })).json.identityProvider).toEqual(shown);
    await register(h, provider, { audience: "another" });
    expect(await rows("select audience from identity_providers where tenant_id = ?", h.tenantId)).toEqual([
      { audience: "another" },
    ]);
  });

  it("refuses a pair that another tenant has, also of two at once", async () => {
    const [one, two, provider, squatter] = [
      await createHarness(),
      await createHarness(),
      await identityProvider(),
      await identityProvider(),
    ];
    const pair = { issuer: provider.issuer, audience: AUDIENCE };
    const answers = await Promise.all([register(one, provider, pair), register(two, squatter, pair)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const holders = await rows("select tenant_id from identity_providers where issuer = ?", provider.issuer);
    expect(holders).toHaveLength(1);
    const loser = answers[0]?.status === 409 ? one : two;
    const { status, json } = await register(loser, squatter, pair);
    expect([status, json.code, json.detail]).toEqual([409, "conflict", expect.stringContaining("Another tenant")]);
    expect((await register(loser, squatter, { ...pair, audience: "of my own" })).status).toBe(200);
  });

  it("by a tenant with other keys gets it none of the other's tokens", async () => {
    const [squatting, provider, own] = [await createHarness(), await identityProvider(), await identityProvider()];
    await register(squatting, own, { issuer: provider.issuer });
    expect((await open(squatting, await provider.sign({ sub: "victim", aud: AUDIENCE }))).status).toBe(401);
    expect(await rows("select 1 from users where tenant_id = ?", squatting.tenantId)).toEqual([]);
  });

  it.each([
    [{ jwksUrl: "https://10.0.0.1/jwks.json" }, 422],
    [{ jwksUrl: "http://169.254.169.254/latest/meta-data" }, 422],
    [{ jwksUrl: "https://evil.example/jwks.json" }, 422],
    [{ jwksUrl: "https://auth0.com.evil.example/jwks.json" }, 422],
    [{ jwksUrl: "https://user:pass@app.auth0.com/jwks.json" }, 422],
    [{ jwksUrl: "http://app.auth0.com/jwks.json" }, 422],
    [{ jwksUrl: "https://app.auth0.com:8443/jwks.json" }, 422],
    [{ jwksUrl: "file:///etc/passwd" }, 422],
    [{ jwksUrl: "https://app.eu.auth0.com/.well-known/jwks.json" }, 200],
    [{ algorithms: ["HS256"] }, 400],
    [{ algorithms: ["none"] }, 400],
    [{ algorithms: [] }, 400],
    [{ issuer: "edgewise:ten_1" }, 422],
    [{ audience: "" }, 400],
  ])("with %j is answered with %i", async (more, status) => {
    const [h, provider] = [await createHarness(), await identityProvider()];
    expect((await register(h, provider, more)).status).toBe(status);
  });
});

describe("the provider's keys", () => {
  const token = { sub: "a", aud: AUDIENCE };
  /** The adapter with a clock of the test's, over real fetches to this machine. */
  const adapter = () => {
    let now = Date.now();
    const identity = createJwksIdentity({
      hosts: ["http://127.0.0.1"],
      fetch: (input, init) => fetch(input, init),
      now: () => now,
    });
    const verify = async (provider: Provider, jwt: string) => {
      const { issuer, jwksUrl } = provider;
      return await identity.verify(jwt, { issuer, jwksUrl, audience: AUDIENCE, algorithms: ["RS256"] });
    };
    return { verify, pass: (milliseconds: number) => (now += milliseconds) };
  };

  it("are loaded once, and for an unknown key not again within 30 seconds", async () => {
    const [provider, { verify }] = [await identityProvider(), adapter()];
    for (let i = 0; i < 3; i += 1) expect((await verify(provider, await provider.sign(token))).ok).toBe(true);
    for (let i = 0; i < 5; i += 1)
      expect(await verify(provider, await provider.sign(token, { kid: `unknown-${i}` }))).toEqual({
        ok: false,
        reason: "invalid",
      });
    expect(await provider.loads()).toBe(1);
  });

  it.each([
    ["an error", { status: 503, body: "" }],
    ["a redirect", { status: 302, body: "", headers: { location: "/elsewhere" } }],
    ["no JSON", { body: "<html>" }],
    ["no list of keys", { body: '{"keys":{}}' }],
    ["keys that are no objects", { body: '{"keys":[1]}' }],
    ["more than 64 KB", { body: JSON.stringify({ keys: [], padding: "x".repeat(65_536) }) }],
    ["an answer that takes too long", { body: '{"keys":[]}', delayMs: 4_000 }],
  ])("that are %s are an error of the provider's, asked for once in 30 seconds", async (_, answer) => {
    const [provider, { verify, pass }] = [await identityProvider(), adapter()];
    await provider.publish(answer);
    for (let i = 0; i < 4; i += 1)
      await expect(verify(provider, await provider.sign(token))).rejects.toMatchObject({
        code: "upstream_failed",
        retryAfterSeconds: 30,
      });
    expect(await provider.loads()).toBe(1);
    await provider.publish({ body: JSON.stringify({ keys: provider.publicKeys }) });
    await expect(verify(provider, await provider.sign(token))).rejects.toMatchObject({ code: "upstream_failed" });
    pass(30_001);
    expect((await verify(provider, await provider.sign(token))).ok).toBe(true);
    expect(await provider.loads()).toBe(2);
  });

  it("are 20 at most", async () => {
    const [provider, { verify }] = [await identityProvider(), adapter()];
    const { publicKey } = await generateKeyPair("RS256", { extractable: true });
    const more = await exportJWK(publicKey);
    const filled = (n: number) => ({
      body: JSON.stringify({
        keys: [...provider.publicKeys, ...Array.from({ length: n }, (_, i) => ({ ...more, kid: `m${i}` }))],
      }),
    });
    await provider.publish(filled(20));
    await expect(verify(provider, await provider.sign(token))).rejects.toMatchObject({ code: "upstream_failed" });
    const next = adapter();
    await provider.publish(filled(19));
    expect((await next.verify(provider, await provider.sign(token))).ok).toBe(true);
  });

  it("that cannot be loaded are a 502 that says when to come again, not a 401", async () => {
    const [h, provider] = [await createHarness(), await identityProvider()];
    await register(h, provider);
    await provider.publish({ status: 500, body: "" });
    const { status, json, headers } = await ask(h, await provider.sign(token));
    expect([status, json.code, headers.get("retry-after")]).toEqual([502, "upstream_failed", "30"]);
  });
});
