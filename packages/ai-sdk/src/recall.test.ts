import { Edgewise } from "@edgewise/client";
import { describe, expect, it, vi } from "vitest";
import type { Failed, MemoryOptions } from "./options.ts";
import type { PromptMessage } from "./prompt.ts";
import { createRecall } from "./recall.ts";

const user = (words: string): PromptMessage => ({ role: "user", content: [{ type: "text", text: words }] });
const step: PromptMessage[] = [
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "1" }] },
  { role: "tool", content: [{ type: "tool-result", toolCallId: "1" }] },
];

/** A service whose blocks are numbered in the order in which they were asked for. */
function scripted({ status = 200, ...more }: Partial<MemoryOptions> & { status?: number } = {}) {
  const bodies: Record<string, unknown>[] = [];
  const failures: Failed[] = [];
  const answer: typeof fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    init?.signal?.throwIfAborted();
    return Response.json({ block: `block ${bodies.length}`, memory: "on" }, { status });
  };
  const client = new Edgewise({ baseUrl: "http://edgewise.test", token: "t", fetch: answer, maxRetries: 0 });
  const onError = (_: unknown, failed: Failed) => failures.push(failed);
  return { bodies, failures, recall: createRecall({ client, userId: "alice", sessionId: "chat", onError, ...more }) };
}

describe("createRecall", () => {
  it("asks for each turn with its place and its conversation", async () => {
    const place = { projectId: "boat", workspaceId: "work", maxTokens: 300 };
    const { recall, bodies } = scripted(place);
    await recall({ prompt: [{ role: "system", content: "Be brief." }, user("Sea?")] });
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Sea?" },
    ];
    expect(bodies).toEqual([{ userId: "alice", sessionId: "chat", ...place, messages }]);
  });

  it("asks for what is recent where the user sent no words, and for nothing where they sent nothing", async () => {
    const { recall, bodies } = scripted();
    await recall({ prompt: [{ role: "user", content: [{ type: "file", mediaType: "image/png" }] }] });
    expect(await recall({ prompt: [{ role: "system", content: "Greet the user." }] })).toEqual({ block: "", state: "unknown" });
    expect(bodies).toEqual([{ userId: "alice", sessionId: "chat", query: "" }]);
  });

  it("reuses the block in later steps of the turn, and asks anew when the user sends the same again", async () => {
    const { recall, bodies } = scripted();
    const prompt = [user("Sea?")];
    const blocks = [];
    for (const each of [prompt, [...prompt, ...step], [...prompt, ...step, ...step], prompt])
      blocks.push((await recall({ prompt: each })).block);
    expect(blocks).toEqual(["block 1", "block 1", "block 1", "block 2"]);
    expect(bodies).toHaveLength(2);
  });

  it("asks once for a turn that began elsewhere", async () => {
    const { recall, bodies } = scripted();
    expect((await recall({ prompt: [user("Sea?"), ...step] })).block).toBe("block 1");
    expect((await recall({ prompt: [user("Sea?"), ...step, ...step] })).block).toBe("block 1");
    expect(bodies).toHaveLength(1);
  });

  it("does not ask again in a turn whose retrieval has failed", async () => {
    const { recall, bodies, failures } = scripted({ status: 500 });
    expect(await recall({ prompt: [user("Sea?")] })).toEqual({ block: "", state: "unknown" });
    expect(await recall({ prompt: [user("Sea?"), ...step] })).toEqual({ block: "", state: "unknown" });
    expect([bodies.length, failures]).toEqual([1, ["retrieving"]]);
  });

  it("gives up after its time, also while a function of the app's gets a token", async () => {
    const client = new Edgewise({ baseUrl: "http://edgewise.test", token: () => new Promise<string>(() => undefined) });
    const { recall, failures } = scripted({ client, timeoutMs: 20 });
    expect((await recall({ prompt: [user("Sea?")] })).block).toBe("");
    expect(failures).toEqual(["retrieving"]);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 40, 1_234.5])("takes %s ms for a time", async (timeoutMs) => {
    const { recall, failures } = scripted({ timeoutMs });
    expect([await recall({ prompt: [user("Sea?")] }), failures]).toEqual([{ block: "block 1", state: "on" }, []]);
  });

  it.each([-1, Number.NaN])("goes on without memory when its time is %s ms", async (timeoutMs) => {
    const client = new Edgewise({ baseUrl: "http://edgewise.test", token: () => new Promise<string>(() => undefined) });
    const { recall, failures } = scripted({ client, timeoutMs });
    expect([(await recall({ prompt: [user("Sea?")] })).block, failures]).toEqual(["", ["retrieving"]]);
  });

  it("goes on without memory on a page that has no crypto.subtle, and says why", async () => {
    const errors: unknown[] = [];
    const { recall } = scripted({ onError: (error) => errors.push(error) });
    vi.stubGlobal("crypto", {});
    const recalled = await recall({ prompt: [user("Sea?")] }).finally(() => vi.unstubAllGlobals());
    expect([recalled.block, String(errors)]).toEqual(["", expect.stringContaining("https pages")]);
  });

  it("says nothing of a call that was aborted", async () => {
    const { recall, failures } = scripted();
    await recall({ prompt: [user("Sea?")], abortSignal: AbortSignal.abort() });
    expect(failures).toEqual([]);
  });

  it("keeps the last hundred turns only", async () => {
    const { recall, bodies } = scripted();
    for (let i = 0; i <= 100; i += 1) await recall({ prompt: [user(`${i}`)] });
    await recall({ prompt: [user("1"), ...step] });
    expect(bodies).toHaveLength(101);
    await recall({ prompt: [user("0"), ...step] });
    expect(bodies).toHaveLength(102);
  });
});
