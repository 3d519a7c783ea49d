import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AuditView } from "#domain/audit";
import { type Answer, createHarness, type Harness, type Request } from "#test/harness";
import { callTool, connect } from "#test/mcp-client";
import { verify } from "./audit-rows.ts";
import { add } from "./memory-requests.ts";
import { type Page, type Problem, rows } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness();
});

/** A call of the 2025 era, as curl sends it. */
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const BOTH = { accept: "application/json, text/event-stream" };

async function post(request: Request = {}): Promise<Answer<Problem>> {
  return await h.fetch("POST", "/mcp", { body: LIST, user: null, ...request, headers: { ...BOTH, ...request.headers } });
}

describe("the address", () => {
  it("takes POST alone, with a key", async () => {
    expect((await post()).text).toContain('"tools":[');
    for (const method of ["GET", "DELETE", "PUT"]) {
      const refused = await h.fetch<Problem>(method, "/mcp", { user: null, headers: BOTH });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
    }
    expect((await h.fetch("GET", "/mcp", { key: null, user: null })).status).toBe(401);
  });

  it("gives a client without a valid key no reason to start OAuth", async () => {
    for (const key of [null, "ew_unknown", `ew_${"a".repeat(40)}`]) {
      const refused = await post({ key });
      expect([refused.status, refused.json.code]).toEqual([401, "unauthenticated"]);
      expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="edgewise"');
    }
    for (const document of ["oauth-protected-resource", "oauth-protected-resource/mcp", "oauth-authorization-server/mcp"]) {
      expect((await h.fetch("GET", `/.well-known/${document}`, { key: null, user: null })).status).toBe(404);
    }
  });

  it("refuses a key that has expired or was revoked", async () => {
    const [expired, revoked] = [await h.as(["read"]), await h.as(["read"])];
    await rows("update keys set expires_at = 1 where tenant_id = ? and id = (select max(id) - 1 from keys)", h.tenantId);
    await rows("update keys set revoked_at = 1 where tenant_id = ? and id = (select max(id) from keys)", h.tenantId);
    for (const key of [expired, revoked]) expect((await post({ key })).status).toBe(401);
  });

  it("refuses keys from pages of other origins, and takes them from its own", async () => {
    for (const origin of ["https://evil.example", "http://localhost:3000", "null"]) {
      const refused = await post({ headers: { origin } });
      expect([refused.status, refused.json.code]).toEqual([403, "forbidden"]);
      expect((await post({ key: null, headers: { origin } })).status).toBe(401);
    }
    expect((await post({ headers: { origin: "https://edgewise.test" } })).status).toBe(200);
  });

  it("takes one message a request, so that a batch does not pass the rate limit as one", async () => {
    const refused = await post({ body: [LIST, LIST] });
    expect([refused.status, refused.json.detail]).toEqual([400, expect.stringContaining("one message a request")]);
    expect((await post({ body: `\n ${JSON.stringify([LIST])}` })).status).toBe(400);
    expect((await post({ body: "{" })).text).toContain("-32700");
    expect((await post({ body: { ...LIST, params: { _meta: { note: "x".repeat(1_000_000) } } } })).status).toBe(413);
    expect((await post({ body: new Uint8Array([0x22, 0xff, 0x22]) })).json).toMatchObject({ code: "invalid_input" });
  });

  it("counts requests as the API does, and answers with their id", async () => {
    const limited = { limit: async () => ({ success: false }), policy: { quota: 5, windowSeconds: 10 } };
    const counted = await createHarness({ limiters: { key: limited } });
    const refused = await counted.fetch<Problem>("POST", "/mcp", { body: LIST, user: null, headers: BOTH });
    expect([refused.status, refused.headers.get("ratelimit")]).toEqual([429, '"key";r=0;t=10']);
    expect((await post({ headers: { "x-request-id": "request-of-a-test" } })).headers.get("x-request-id")).toBe(
      "request-of-a-test",
    );
  });
});

const READS: [string, Record<string, unknown>][] = [
  ["search", { query: "tea" }],
  ["context", { query: "tea" }],
  ["answer", { question: "What is my second favorite color?" }],
  ["people", {}],
];

describe("permissions", () => {
  it("are those of the API for every tool, the profile and recall", async () => {
    const { json } = await add(h, { userId: "alice", content: "I like tea." });
    const reader = await connect(h, { key: await h.as(["read"]) });
    const writer = await connect(h, { key: await h.as(["write"]) });
    const mayNot = (permission: string) => ({ isError: true, text: `This key lacks the permission "${permission}".` });
    for (const [name, args] of [...READS, ["fetch", { id: json.id }] as const]) {
      expect((await callTool(reader, name, args)).isError, name).toBe(false);
      expect(await callTool(writer, name, args), name).toMatchObject(mayNot("read"));
    }
    const writes: [string, Record<string, unknown>][] = [
      ["remember", { content: "I like coffee." }],
      ["update", { id: json.id, content: "I like rooibos." }],
      ["forget", { id: json.id, dryRun: true }],
      ["forget", { id: json.id }],
      ["forget", { olderThanDays: 0 }],
    ];
    for (const [name, args] of writes) expect(await callTool(reader, name, args), name).toMatchObject(mayNot("write"));
    const denied = { message: expect.stringContaining("lacks the permission") };
    await expect(writer.readResource({ uri: "edgewise://profile" })).rejects.toMatchObject(denied);
    await expect(writer.getPrompt({ name: "recall", arguments: { question: "Tea?" } })).rejects.toMatchObject(denied);
  });

  it("show a key without read nothing but ids and counts", async () => {
    const { json } = await add(h, { userId: "alice", content: "I like tea." });
    const writer = await connect(h, { key: await h.as(["write"]) });
    const again = await callTool(writer, "remember", { content: "I like tea." });
    expect(again.json).toEqual({ id: json.id, created: false });
    expect((await callTool(writer, "update", { id: json.id, content: "I like coffee." })).json).toEqual({ id: json.id });
    for (const dryRun of [true, false])
      expect((await callTool(writer, "forget", { olderThanDays: 0, dryRun })).text).toContain('lacks the permission "read"');
    expect(await callTool(writer, "forget", { id: json.id, dryRun: true })).toMatchObject({ isError: true });
    const gone = await callTool(writer, "forget", { id: json.id });
    expect(gone.json).toEqual({ dryRun: false, matched: 1, forgotten: 1, undoUntil: expect.any(String) });
  });
});

describe("a user token", () => {
  const tokenFor = async (body: Record<string, unknown>) =>
    (await h.fetch<{ id: string; token: string }>("POST", "/v1/tokens", { body: { userId: "alice", ...body }, user: null })).json;

  it("acts for its user and for nobody else, as far as it may", async () => {
    const { id, token } = await tokenFor({});
    const client = await connect(h, { key: token, headers: {} });
    expect(await callTool(client, "remember", { content: "I like tea." })).toMatchObject({ isError: false });
    const { json } = await h.fetch<Page<AuditView>>("GET", "/v1/audit?actorKind=mcp");
    expect(json.items).toMatchObject([{ action: "memory.remembered", userId: "alice", actor: { kind: "mcp", id } }]);
    const other = await connect(h, { key: token, headers: { "x-edgewise-user": "bob" } });
    expect(await callTool(other, "search", { query: "tea" })).toMatchObject({ isError: true });
    const reader = await connect(h, { key: (await tokenFor({ readOnly: true })).token, headers: {} });
    expect((await callTool(reader, "search", { query: "tea" })).text).toContain("I like tea.");
    expect(await callTool(reader, "forget", { olderThanDays: 0, dryRun: false })).toMatchObject({ isError: true });
  });

  it("comes from pages of allowed origins, and is refused if it is for some sessions only", async () => {
    const { token } = await tokenFor({});
    const origin = "https://app.example";
    expect((await post({ key: token, headers: { origin } })).status).toBe(403);
    await h.fetch("PATCH", "/v1/settings", { body: { allowedOrigins: [origin] } });
    expect((await post({ key: token, headers: { origin } })).headers.get("access-control-allow-origin")).toBe(origin);
    const narrow = await tokenFor({ sessions: ["chat-1"] });
    expect((await post({ key: narrow.token })).status).toBe(403);
  });
});

describe("the audit", () => {
  it("says which changes came over MCP, and its chain holds", async () => {
    await add(h, { userId: "alice", content: "I like tea." });
    const client = await connect(h);
    const { json } = await callTool<{ id: string }>(client, "remember", { content: "I like coffee." });
    await callTool(client, "forget", { id: json.id });
    const list = async (kind: string) => (await h.fetch<Page<AuditView>>("GET", `/v1/audit?actorKind=${kind}`)).json.items;
    const [key] = (await h.fetch<Page<{ id: string }>>("GET", "/v1/keys")).json.items;
    const actor = { kind: "mcp", id: key?.id };
    expect(await list("mcp")).toMatchObject([
      { action: "memory.forgotten", objectId: json.id, userId: "alice", actor },
      { action: "memory.remembered", objectId: json.id, userId: "alice", actor },
    ]);
    expect((await list("key")).filter(({ action }) => action === "memory.remembered")).toHaveLength(1);
    expect(await verify(h)).toMatchObject({ intact: true });
  });
});

describe("a failure of the service", () => {
  it("is one fixed sentence with the request id, and neither it nor the log has the user's words", async () => {
    const log = vi.fn();
    const broken = await createHarness({
      replace: () => ({
        log,
        newId: (kind) => {
          throw new Error(`No id of ${kind} for marmalade`);
        },
      }),
    });
    const client = await connect(broken);
    const { text, isError } = await callTool(client, "remember", { content: "I like marmalade." });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Something went wrong here\. The request id finds it in the log\. Request id: [\w-]{36}\.$/);
    const lines = log.mock.calls.map((call) => JSON.stringify(call));
    expect(lines.filter((line) => line.includes("request.failed"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("marmalade"))).toEqual([]);
  });
});
