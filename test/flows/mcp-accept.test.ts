import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

type Message = { id: number; result?: { tools?: unknown[]; content?: { text: string }[]; isError?: boolean }; error?: unknown };

/** A JSON-RPC message to `/mcp`, and the answer in whatever form it came. */
async function send(body: unknown, headers: Record<string, string> = {}) {
  const request = { body, headers: { "x-edgewise-user": "alice", ...headers }, user: null };
  const { status, text, headers: answered } = await h.fetch("POST", "/mcp", request);
  const type = (answered.get("content-type") ?? "").split(";")[0];
  const json = type === "text/event-stream" ? /^data: (.*)$/m.exec(text)?.[1] : text;
  return { status, type, message: json === undefined || json === "" ? null : (JSON.parse(json) as Message) };
}

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const call = (name: string, args: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});
/** The same to a server of 2026-07-28, as its client sends it. */
const modern = (message: { method: string; params?: object }) => ({
  ...message,
  params: {
    ...message.params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});
const MODERN = (method: string) => ({ "mcp-protocol-version": "2026-07-28", "mcp-method": method });

describe("what a client accepts", () => {
  it.each([
    ["text/event-stream", "text/event-stream"],
    ["application/json", "application/json"],
    ["application/json;q=0.9, text/plain", "application/json"],
    ["TEXT/EVENT-STREAM; q=1", "text/event-stream"],
    ["application/*", "application/json"],
    ["text/*", "text/event-stream"],
    ["application/json, text/event-stream;q=0", "application/json"],
  ])("%s, is what it gets: %s", async (accept, type) => {
    expect(await send(list, { accept })).toMatchObject({
      status: 200,
      type,
      message: { id: 1, result: { tools: expect.anything() } },
    });
    const answer = await send(modern(list), { accept, ...MODERN("tools/list") });
    expect(answer).toMatchObject({ status: 200, type, message: { id: 1, result: { tools: expect.anything() } } });
  });

  it.each(["application/json, text/event-stream", "*/*", "", "text/html, */*;q=0.8", "text/html", undefined])(
    "%j, gets an answer",
    async (accept) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      expect(await send(list, headers)).toMatchObject({ status: 200, message: { id: 1, result: { tools: expect.anything() } } });
      const answer = await send(modern(list), { ...headers, ...MODERN("tools/list") });
      expect(answer).toMatchObject({ status: 200, message: { id: 1, result: { tools: expect.anything() } } });
    },
  );

  it("is how it learns of an error, and of the arrival of a notification", async () => {
    for (const accept of ["application/json", "text/event-stream"]) {
      const unknown = await send({ ...list, method: "tools/none" }, { accept });
      expect([unknown.type, unknown.message?.error]).toEqual([accept, expect.objectContaining({ code: -32601 })]);
      expect((await send({ jsonrpc: "2.0", method: "notifications/initialized" }, { accept })).status).toBe(202);
    }
  });
});

describe("null", () => {
  it.each([
    ["search", { query: "tea", types: null, about: null, from: null, to: null, limit: null }],
    ["context", { query: "tea", maxTokens: null }],
    ["answer", { question: "What is second on my list?" }],
    ["people", { name: null, limit: null }],
    ["people", null],
    ["remember", { content: "I drink tea.", type: null, key: null, subjects: null, expiresAt: null, forGroup: null }],
    ["forget", { id: null, types: ["task"], olderThanDays: null, dryRun: null }],
  ])("stands for an argument of %s that is left out: %j", async (name, args) => {
    const { message } = await send(call(name, args), { accept: "application/json" });
    expect([message?.result?.isError ?? false, message?.result?.content?.[0]?.text]).toEqual([false, expect.any(String)]);
  });

  it("stands for one of update that is left out, which stays as it is", async () => {
    const stored = await send(call("remember", { content: "I live in Lyon.", key: "identity:home" }));
    const id = /mem_[\w-]+/.exec(stored.message?.result?.content?.[0]?.text ?? "")?.[0];
    const { message } = await send(call("update", { id, content: "I live in Nantes.", key: null, expiresAt: null }));
    expect(message?.result?.content?.[0]?.text).toContain("Updated");
    const memory = await h.fetch<{ key: string }>("GET", `/v1/memories/${id}?userId=alice`);
    expect(memory.json.key).toBe("identity:home");
  });

  it("stands for one that is missing where it is needed, and for params that are left out", async () => {
    const { message } = await send(call("search", { query: null }));
    expect([message?.result?.isError, message?.result?.content?.[0]?.text]).toEqual([true, expect.stringMatching(/`query`/)]);
    expect(await send({ ...list, params: null })).toMatchObject({
      status: 200,
      message: { result: { tools: expect.anything() } },
    });
    expect(await send({ ...list, params: { cursor: null, _meta: null } })).toMatchObject({
      status: 200,
      message: { result: {} },
    });
  });
});
