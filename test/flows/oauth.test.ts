import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { callTool } from "#test/mcp-client";
import {
  type App,
  authorize,
  CALLBACK,
  connectApp,
  createApp,
  createBrowser,
  leadsTo,
  ORIGIN,
  type Page,
  personalKey,
  RESOURCE,
  requestToken,
} from "#test/oauth-client";
import { add } from "./memory-requests.ts";
import type { Problem } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Json = Record<string, unknown>;
const get = (path: string) => h.fetch<Json>("GET", path, { key: null, user: null });
const mcp = (token: string | null, path = "/oauth/mcp") =>
  h.fetch<Problem>("POST", path, {
    key: token,
    user: null,
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
  });

/** An app that its user has just let in. */
async function connectedApp(key: string): Promise<App & { saved: NonNullable<App["saved"]> }> {
  const app = createApp();
  await authorize(h, app, key);
  if (app.saved === undefined) throw new Error("The app has no tokens.");
  return { ...app, saved: app.saved };
}

describe("the flow of the official client", () => {
  it("registers, asks its user, and acts for the user of the key", async () => {
    const { key } = await personalKey(h);
    await add(h, { content: "Alice has a boat named Juniper.", userId: "alice" });
    const app = createApp();
    expect(await connectApp(h, app)).toBeNull();
    const callback = await authorize(h, app, key);
    expect(Object.fromEntries(callback)).toMatchObject({ state: "a-state", iss: `${ORIGIN}/oauth` });
    const client = await connectApp(h, app);
    if (client === null) throw new Error("not connected");
    const { text } = await callTool(client, "search", { query: "What is the boat's name?" });
    expect(text).toContain("Juniper");
    expect(app.saved).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "memory" });
  });

  it("takes the client's metadata document, whose domain the page shows", async () => {
    const document = "https://assistant.vendor.com/oauth/client.json";
    serve(document, () =>
      Response.json({
        client_id: document,
        client_name: "Vendor's assistant",
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      }),
    );
    const app = createApp({ metadataUrl: document });
    await connectApp(h, app);
    expect(app.authorizationUrl?.searchParams.get("client_id")).toBe(document);
    const browser = createBrowser(h);
    const page = await browser.open(app.authorizationUrl ?? new URL(ORIGIN));
    expect(page.text).toContain("<bdi>assistant.vendor.com</bdi>");
    const { key } = await personalKey(h);
    await authorize(h, app, key);
    expect(await connectApp(h, app)).not.toBeNull();
  });

  it("refreshes, with another refresh token each time", async () => {
    const { key } = await personalKey(h);
    const app = await connectedApp(key);
    const { client_id } = (await app.clientInformation()) ?? { client_id: "" };
    const refreshed = await requestToken(h, { grant_type: "refresh_token", client_id, ...refreshOf(app), resource: RESOURCE });
    expect(refreshed.status).toBe(200);
    expect(refreshed.json.refresh_token).not.toBe(app.saved.refresh_token);
    expect((await mcp(refreshed.json.access_token)).status).toBe(200);
  });
});

describe("metadata", () => {
  it("of the resource is at the address of RFC 9728, and names the address that the user typed", async () => {
    const refused = await mcp(null);
    expect([refused.status, refused.json.code]).toEqual([401, "unauthenticated"]);
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/oauth/mcp", scope="memory"`,
    );
    const { json } = await get("/.well-known/oauth-protected-resource/oauth/mcp");
    expect(json).toMatchObject({
      resource: RESOURCE,
      authorization_servers: [`${ORIGIN}/oauth`],
      bearer_methods_supported: ["header"],
    });
  });

  it("of the server is at the address of RFC 8414 for an issuer with a path", async () => {
    const { json, headers } = await get("/.well-known/oauth-authorization-server/oauth");
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(json).toMatchObject({
      issuer: `${ORIGIN}/oauth`,
      authorization_endpoint: `${ORIGIN}/oauth/authorize`,
      token_endpoint: `${ORIGIN}/oauth/token`,
      registration_endpoint: `${ORIGIN}/oauth/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: ["memory"],
    });
    expect(json.grant_types_supported).toEqual(["authorization_code", "refresh_token"]);
  });

  it("is offered for /mcp nowhere", async () => {
    for (const name of ["oauth-protected-resource", "oauth-authorization-server", "openid-configuration"]) {
      for (const path of ["", "/mcp"]) expect((await get(`/.well-known/${name}${path}`)).status).toBe(404);
    }
    const refused = await mcp(null, "/mcp");
    expect(refused.headers.get("www-authenticate")).not.toContain("resource_metadata");
  });
});

describe("the consent page", () => {
  it("shows what the client calls itself as text, and where access goes", async () => {
    const { page } = await consent({ client_name: `<img src=x onerror=alert(1)>"'&` });
    expect(page.status).toBe(200);
    expect(page.text).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
    expect(page.text).not.toContain("<img");
    expect(page.text).toContain("<bdi>127.0.0.1</bdi>");
    expect(page.text).toContain("on your own computer");
    expect(page.text).not.toContain("<script");
  });

  it("shortens a long name, which would move who publishes the app out of sight", async () => {
    const { page } = await consent({ client_name: `Claude\n${" ".repeat(2_000)}${"by Anthropic ".repeat(200)}` });
    expect(page.text).toContain("<bdi>Claude by Anthropic");
    expect(/<bdi>([^<]*)<\/bdi>/.exec(page.text)?.[1]).toHaveLength(60);
  });

  it("takes a registration of 16 KB at most, because strangers' are stored", async () => {
    const body = { client_name: "x".repeat(16_384), redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" };
    expect((await h.fetch("POST", "/oauth/register", { key: null, user: null, body })).status).toBe(413);
  });

  it("may not be framed, cached, or send its form elsewhere", async () => {
    const { page } = await consent();
    const policy = page.headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(part);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("set-cookie")).toMatch(/^__Host-.*Secure; HttpOnly; SameSite=Lax/);
  });

  it("asks again after a wrong key, and lets a right one in", async () => {
    const { browser, page } = await consent();
    const wrong = await browser.submit(page, { key: `ew_${"a".repeat(40)}` });
    expect([wrong.status, wrong.text.includes("not valid")]).toEqual([422, true]);
    expect(wrong.text).not.toContain("aaaa");
    const { key } = await personalKey(h);
    expect(leadsTo(await browser.submit(wrong, { key })).searchParams.has("code")).toBe(true);
  });

  it("refuses a server key, and says how to make a personal one", async () => {
    const { browser, page } = await consent();
    const refused = await browser.submit(page, { key: h.key });
    expect([refused.status, refused.text.includes("This is a server key")]).toEqual([422, true]);
    expect(refused.text).toContain("POST /v1/keys");
  });

  it("sends the user back without a key", async () => {
    const { browser, page } = await consent();
    const back = leadsTo(await browser.submit(page, { decision: "deny" }));
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: "access_denied", state: "s", iss: `${ORIGIN}/oauth` });
  });

  it("takes its form from the browser that was shown it, and once", async () => {
    const { key } = await personalKey(h);
    const { browser, page } = await consent();
    const elsewhere = await createBrowser(h).submit(page, { key });
    expect([elsewhere.status, elsewhere.text.includes("http-equiv")]).toEqual([400, false]);
    expect((await browser.submit(page, { key, handle: "made-up" })).status).toBe(400);
    expect(leadsTo(await browser.submit(page, { key })).searchParams.has("code")).toBe(true);
    expect((await browser.submit(page, { key })).status).toBe(400);
  });

  it("counts attempts against the limit of strangers, before it looks at the key", async () => {
    const limited = { stranger: { limit: async () => ({ success: false }), policy: { quota: 1, windowSeconds: 60 } } };
    h = await createHarness({ limiters: limited });
    const answer = await createBrowser(h).open(new URL(`${ORIGIN}/oauth/authorize`));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
    const posted = await createBrowser(h).submit(answer, { key: h.key });
    expect(posted.status).toBe(429);
    expect((await requestToken(h, { grant_type: "authorization_code" })).status).toBe(429);
  });
});

describe("authorization requests", () => {
  it.each([
    ["an unknown client", { client_id: "nobody" }],
    ["another redirect address", { redirect_uri: "https://evil.example.com/callback" }],
    ["a redirect address with a suffix", { redirect_uri: `${CALLBACK}/more` }],
  ])("with %s lead nowhere", async (_, changed) => {
    const page = await createBrowser(h).open(await authorizeUrl(await register(), changed));
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
    expect(page.text).toContain("This request cannot be allowed");
  });

  it.each([
    ["no PKCE", { code_challenge: null, code_challenge_method: null }, "invalid_request"],
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["the implicit grant", { response_type: "token" }, "unsupported_response_type"],
    ["another audience", { resource: `${ORIGIN}/mcp` }, "invalid_target"],
  ])("with %s go back to the client", async (_, changed, error) => {
    const page = await createBrowser(h).open(await authorizeUrl(await register(), changed));
    const { searchParams, origin } = new URL(page.headers.get("location") ?? "about:blank");
    expect([origin, searchParams.get("error")]).toEqual([new URL(CALLBACK).origin, error]);
    expect(searchParams.get("iss")).toBe(`${ORIGIN}/oauth`);
  });

  it("need PKCE of a client with a secret too", async () => {
    const registered = await register({ token_endpoint_auth_method: "client_secret_post" });
    const page = await createBrowser(h).open(
      await authorizeUrl(registered, { code_challenge: null, code_challenge_method: null }),
    );
    expect(page.headers.get("location")).toContain("error=invalid_request");
  });

  it.each([
    "https://localhost/client.json",
    "https://169.254.169.254/latest/meta-data",
    "http://assistant.vendor.com/client.json",
  ])("never fetch the metadata document %s", async (document) => {
    const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("fetched"));
    const page = await createBrowser(h).open(await authorizeUrl(document, {}));
    expect([page.status, page.text.includes("not https on a public host")]).toEqual([400, true]);
    expect(fetched).not.toHaveBeenCalled();
  });

  it("do not take a metadata document by way of a redirect", async () => {
    const document = "https://trusted.vendor.com/go?to=evil";
    const evil = { client_id: document, client_name: "Evil", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" };
    serve(document, (init) =>
      init?.redirect === "manual" ? Response.redirect("https://evil.vendor.com/x", 302) : Response.json(evil),
    );
    const page = await createBrowser(h).open(await authorizeUrl(document, {}));
    expect([page.status, page.text.includes("Evil")]).toEqual([400, false]);
  });

  it("do not take a metadata document that is too large", async () => {
    const document = "https://assistant.vendor.com/big.json";
    const big = { client_id: document, client_name: "x".repeat(6_000), redirect_uris: [CALLBACK] };
    serve(document, () => Response.json({ ...big, token_endpoint_auth_method: "none" }));
    expect((await createBrowser(h).open(await authorizeUrl(document, {}))).status).toBe(400);
  });
});

describe("tokens", () => {
  it("come for a code once; a replay ends the grant", async () => {
    const { key } = await personalKey(h);
    const { clientId, code } = await codeFor(key);
    const fields = {
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
    };
    expect((await requestToken(h, { ...fields, code_verifier: `${VERIFIER}x` })).json.error).toBe("invalid_grant");
    const first = await requestToken(h, fields);
    expect(first.status).toBe(200);
    expect((await mcp(first.json.access_token)).status).toBe(200);
    const replayed = await requestToken(h, fields);
    expect([replayed.status, replayed.json.error]).toEqual([400, "invalid_grant"]);
    expect((await mcp(first.json.access_token)).status).toBe(401);
    const { refresh_token } = first.json;
    const refreshed = await requestToken(h, { grant_type: "refresh_token", client_id: clientId, refresh_token });
    expect([refreshed.status, refreshed.json.error]).toEqual([400, "invalid_grant"]);
  });

  it("end with their grant, also those that its end missed because the list of KV was old", async () => {
    const { id, key } = await personalKey(h);
    const app = await connectedApp(key);
    const { keys } = await env.OAUTH_KV.list({ prefix: `grant:${id}:` });
    await Promise.all(keys.map(({ name }) => env.OAUTH_KV.delete(name)));
    forgetKnownTokens();
    expect((await mcp(app.saved.access_token)).status).toBe(401);
  });

  it("are for the client that asked", async () => {
    const { key } = await personalKey(h);
    const app = await connectedApp(key);
    const other = await register();
    const stolen = await requestToken(h, { grant_type: "refresh_token", client_id: other, ...refreshOf(app) });
    expect(stolen.status).toBeGreaterThanOrEqual(400);
    expect(["invalid_grant", "invalid_client"]).toContain(stolen.json.error);
    const { code } = await codeFor(key);
    const fields = { grant_type: "authorization_code", client_id: other, code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
    expect((await requestToken(h, fields)).json.error).toBe("invalid_grant");
  });

  it("are for /oauth/mcp alone", async () => {
    const { key } = await personalKey(h);
    const { access_token } = (await connectedApp(key)).saved;
    expect((await mcp(access_token)).status).toBe(200);
    expect((await mcp(access_token, "/mcp")).status).toBe(401);
    expect((await h.fetch("GET", "/v1/memories", { key: access_token, user: null })).status).toBe(401);
    expect((await mcp(key)).status).toBe(401);
    expect((await mcp(access_token.slice(0, -1))).status).toBe(401);
  });

  it("end with the key behind them, and are not refreshed any more", async () => {
    const { id, key } = await personalKey(h);
    const app = await connectedApp(key);
    expect((await mcp(app.saved.access_token)).status).toBe(200);
    await h.fetch("DELETE", `/v1/keys/${id}`);
    h.services().caches.credentials.clear();
    const refused = await mcp(app.saved.access_token);
    expect([refused.status, refused.json.detail]).toEqual([401, expect.stringContaining("revoked or has expired")]);
    expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
    const { client_id } = (await app.clientInformation()) ?? { client_id: "" };
    const refreshed = await requestToken(h, { grant_type: "refresh_token", client_id, ...refreshOf(app) });
    expect([refreshed.status, refreshed.json.error]).toEqual([400, "invalid_grant"]);
    expect((await env.OAUTH_KV.list({ prefix: `grant:${id}:` })).keys).toEqual([]);
  });

  it("are not counted against the limit of strangers while they are valid, for many come from a vendor's few addresses", async () => {
    let isExceeded = false;
    const limit = async () => ({ success: !isExceeded });
    h = await createHarness({ limiters: { stranger: { limit, policy: { quota: 1, windowSeconds: 60 } } } });
    const { saved } = await connectedApp((await personalKey(h)).key);
    isExceeded = true;
    expect((await mcp(saved.access_token)).status).toBe(200);
    expect((await mcp(`${saved.access_token}x`)).status).toBe(429);
  });

  it("have the permissions of the key, no more", async () => {
    const { key } = await personalKey(h, "alice", { permissions: ["read"] });
    const app = createApp();
    await authorize(h, app, key);
    const client = await connectApp(h, app);
    if (client === null) throw new Error("not connected");
    const { isError, text } = await callTool(client, "remember", { content: "Alice likes tea." });
    expect([isError, text.includes("write")]).toEqual([true, true]);
  });

  it("expire", async () => {
    const { key } = await personalKey(h);
    const { access_token } = (await connectedApp(key)).saved;
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 3_601_000);
    expect((await mcp(access_token)).status).toBe(401);
  });

  it("are revoked at the address of the metadata", async () => {
    const { key } = await personalKey(h);
    const app = await connectedApp(key);
    const { client_id } = (await app.clientInformation()) ?? { client_id: "" };
    const revoked = await requestToken(h, { token: app.saved.access_token, client_id });
    expect(revoked.status).toBe(200);
    expect((await mcp(app.saved.access_token)).status).toBe(401);
  });
});

describe("the store", () => {
  it("holds neither keys nor tokens in plain text", async () => {
    const { key } = await personalKey(h);
    const app = await connectedApp(key);
    const { keys } = await env.OAUTH_KV.list();
    const values = await Promise.all(keys.map(({ name }) => env.OAUTH_KV.get(name)));
    const stored = JSON.stringify([keys, values]);
    expect(stored).toContain("Test app");
    for (const secret of [key, app.saved.access_token, app.saved.refresh_token ?? ""])
      expect(stored).not.toContain(secret.split(":").at(-1));
  });

  it("takes nothing else down with it", async () => {
    const { key } = await personalKey(h);
    const { access_token } = (await connectedApp(key)).saved;
    const fail = () => Promise.reject(new Error("KV is down"));
    h = await createHarness({ bindings: { OAUTH_KV: { ...env.OAUTH_KV, get: fail, put: fail, list: fail, delete: fail } } });
    forgetKnownTokens();
    const refused = await mcp(access_token);
    expect([refused.status, refused.json.code]).toEqual([502, "upstream_failed"]);
    expect((await createBrowser(h).open(await authorizeUrl("some-client", {}))).status).toBe(502);
    expect((await get("/.well-known/oauth-protected-resource/oauth/mcp")).status).toBe(200);
    expect((await mcp(h.key, "/mcp")).status).toBe(200);
    expect((await h.fetch("GET", "/v1/memories")).status).toBe(200);
  });
});

const VERIFIER = "a-verifier-of-a-test-that-is-long-enough-for-the-specification";

async function register(more: Json = {}): Promise<string> {
  const body = { client_name: "Test app", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none", ...more };
  const { json, status } = await h.fetch<{ client_id: string }>("POST", "/oauth/register", { key: null, user: null, body });
  expect(status).toBe(201);
  return json.client_id;
}

/** A request of a client; null leaves a parameter out. */
async function authorizeUrl(clientId: string, changed: Record<string, string | null>): Promise<URL> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
  const challenge = btoa(String.fromCharCode(...new Uint8Array(digest)));
  const url = new URL(`${ORIGIN}/oauth/authorize`);
  const usual = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: challenge.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
    code_challenge_method: "S256",
    state: "s",
    scope: "memory",
    resource: RESOURCE,
  };
  for (const [name, value] of Object.entries({ ...usual, ...changed })) if (value !== null) url.searchParams.set(name, value);
  return url;
}

async function consent(client: Json = {}) {
  const clientId = await register(client);
  const browser = createBrowser(h);
  const page: Page = await browser.open(await authorizeUrl(clientId, {}));
  return { clientId, browser, page };
}

async function codeFor(key: string) {
  const { clientId, browser, page } = await consent();
  const code = leadsTo(await browser.submit(page, { key })).searchParams.get("code") ?? "";
  return { clientId, code };
}

function refreshOf({ saved }: { saved: { refresh_token?: string | undefined } }) {
  return { refresh_token: saved.refresh_token ?? "" };
}

/** As after the seconds for which an isolate keeps known tokens. */
function forgetKnownTokens(): void {
  h.services().caches.grants.clear();
}

/** A server of somebody else's, which no test may reach: its document, at its address. */
function serve(address: string, answer: (init: RequestInit | undefined) => Response): void {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) =>
    String(input) === address ? answer(init) : await real(input, init),
  );
}
