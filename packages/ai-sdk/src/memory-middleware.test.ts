import { Edgewise } from "@edgewise/client";
import { describe, expect, it } from "vitest";
import { memoryMiddleware } from "./memory-middleware.ts";
import type { CallOptions, GenerateResult } from "./model.ts";
import type { MemoryOptions } from "./options.ts";
import { withMemory } from "./with-memory.ts";

const PROMPT: CallOptions["prompt"] = [{ role: "user", content: [{ type: "text", text: "Sea?" }] }];

/** One call of a model over a service whose answers to `context` are scripted; what was appended, and what was reported. */
async function call({ contexts, content = [{ type: "text", text: "Yes." }], ...more }: Scripted) {
  const appended: unknown[] = [];
  const failures: string[] = [];
  const stored: Promise<void>[] = [];
  const answer: typeof fetch = async (url, init) => {
    if (String(url).endsWith("/v1/context")) {
      const next = contexts.shift();
      if (next === "late")
        return await new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("late"))));
      return Response.json({ block: "", memory: next });
    }
    appended.push(JSON.parse(String(init?.body ?? "null")));
    return Response.json({ items: [] });
  };
  const client = new Edgewise({ baseUrl: "http://edgewise.test", token: "t", fetch: answer, maxRetries: 0 });
  const onError = (_: unknown, failed: string) => failures.push(failed);
  const options: MemoryOptions = {
    client,
    userId: "alice",
    sessionId: "chat",
    onError,
    waitUntil: (p) => stored.push(p),
    ...more,
  };
  const { transformParams, wrapGenerate } = memoryMiddleware(options);
  const params = await transformParams({ params: { prompt: PROMPT } });
  const result = { content, finishReason: "stop" } as unknown as GenerateResult;
  const got = await wrapGenerate({ doGenerate: async () => result, params });
  await Promise.all(stored);
  const appends = appended.filter((body) => typeof body === "object" && body !== null && "episodes" in body).length;
  return { appends, failures, isPassedOn: got === result, left: contexts.length };
}

type Scripted = Partial<MemoryOptions> & { contexts: ("on" | "off" | "late")[]; content?: unknown };

describe("memoryMiddleware", () => {
  it("stores nothing while memory is off, also where the answer that says so comes late", async () => {
    expect((await call({ contexts: ["on"] })).appends).toBe(1);
    expect((await call({ contexts: ["off"] })).appends).toBe(0);
    expect(await call({ contexts: ["late", "off"], timeoutMs: 5 })).toMatchObject({
      appends: 0,
      left: 0,
      failures: ["retrieving"],
    });
    expect(await call({ contexts: ["late", "on"], timeoutMs: 5 })).toMatchObject({ appends: 1, left: 0 });
  });

  it.each([
    [Number.POSITIVE_INFINITY, []],
    [Number.NaN, []],
    [-1, []],
  ])("does not fail a chat with timeoutMs %d", async (timeoutMs, failures) => {
    expect(await call({ contexts: ["on", "on"], timeoutMs })).toMatchObject({ isPassedOn: true, failures });
  });

  it("passes an answer on whose form it does not know", async () => {
    expect(await call({ contexts: ["on"], content: [null] })).toMatchObject({
      isPassedOn: true,
      appends: 0,
      failures: ["storing"],
    });
  });
});

describe("withMemory", () => {
  it("needs to know whose memory it is", () => {
    const model = { specificationVersion: "v3" } as Parameters<typeof withMemory>[0];
    const client = new Edgewise({ baseUrl: "http://edgewise.test", token: "t" });
    expect(() => withMemory(model, { client, userId: "", sessionId: "chat" })).toThrow("withMemory needs userId.");
  });
});
