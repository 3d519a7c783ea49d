import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import type { Db } from "#db/client";
import type { UsageView } from "#domain/usage";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { set } from "./context-requests.ts";
import { add } from "./memory-requests.ts";
import { chat, setUpstream } from "./proxy-requests.ts";
import { nth, rows } from "./requests.ts";

/** Two batches one after the other take longer than a chat waits for memory. */
const SLOW_BATCH_MS = 900;
/** By now even what came too late has ended. */
const ENDED_MS = 2_000;

const upstream = chatChannel();
let replaced: Partial<Services> = {};
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined, ...replaced }) });
  await setUpstream(h, { url: upstream.url });
  await set(h, { extraction: "off" });
  await add(h, { userId: "alice", content: "My cat is called Miso", type: "relationship" });
  await h.settle();
});
beforeEach(() => upstream.reset());

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const contextsCounted = async () => {
  await h.settle();
  const { contexts, tokensInjected } = (await h.fetch<UsageView>("GET", "/v1/usage")).json.totals;
  return { contexts, tokensInjected };
};
const recalled = () => rows<{ at: number | null }>("select recalled_at as at from memories where tenant_id = ?", h.tenantId);

async function askWith(services: Partial<Services>, headers: Record<string, string> = {}): Promise<string | null> {
  replaced = services;
  const answer = await chat(h, `What is my cat called? ${crypto.randomUUID()}`, { headers });
  replaced = {};
  expect(answer.status).toBe(200);
  return answer.headers.get("x-edgewise-memory");
}

/** Every read takes long, in a batch or alone. */
function slowly(db: Db): Db {
  const slowAlone = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get: (target, name) => {
        if (name === "bind") return (...values: unknown[]) => slowAlone(target.bind(...values));
        return name === "all" ? () => pause(SLOW_BATCH_MS).then(() => target.all()) : Reflect.get(target, name);
      },
    });
  const client = new Proxy(db.$client, {
    get: (target, name) => {
      if (name === "prepare") return (query: string) => slowAlone(target.prepare(query));
      if (name !== "batch") return Reflect.get(target, name);
      return (statements: D1PreparedStatement[]) => pause(SLOW_BATCH_MS).then(() => target.batch(statements));
    },
  });
  return new Proxy(db, { get: (target, name) => (name === "$client" ? client : Reflect.get(target, name)) });
}

describe("a chat whose memory is slow", () => {
  it("because of the database goes on without it, and nothing of it is counted as returned", async () => {
    expect(await askWith({ db: slowly(h.services().db) })).toBe("skipped; reason=timeout");
    await pause(ENDED_MS);
    expect(await contextsCounted()).toEqual({ contexts: 0, tokensInjected: 0 });
    expect(await recalled()).toEqual([{ at: null }]);
  });

  it("because of the embedder has what words find", async () => {
    const { embedder } = h.services();
    const hanging = { ...embedder, nature: "semantic" as const, embed: () => new Promise<never>(() => undefined) };
    expect(await askWith({ embedder: hanging })).toMatch(/^injected; items=/);
    expect(nth(await upstream.requests(), 0).body.messages[0]?.content).toContain("Miso");
  });

  it("because of the vector index after the embedder has it too, and in a project as well", async () => {
    await h.fetch("PUT", "/v1/projects/cats", { body: { userId: "alice", name: "Cats" } });
    const { embedder, vectors } = h.services();
    const late = {
      embedder: {
        ...embedder,
        nature: "semantic" as const,
        embed: async (texts: readonly string[], purpose: "query" | "document") => {
          await pause(500);
          return await embedder.embed(texts, purpose);
        },
      },
      vectors: { ...vectors, query: () => new Promise<never>(() => undefined) },
    };
    for (const headers of [undefined, { "x-edgewise-project": "cats" }])
      expect(await askWith(late, headers)).toMatch(/^injected; items=/);
  });

  it("is counted once it is returned", async () => {
    const before = await contextsCounted();
    expect(await askWith({})).toMatch(/^injected; items=/);
    const after = await contextsCounted();
    expect([after.contexts - before.contexts, after.tokensInjected > before.tokensInjected]).toEqual([1, true]);
    expect(await recalled()).toEqual([{ at: expect.any(Number) }]);
  });
});
