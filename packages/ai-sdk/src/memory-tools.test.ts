import { Edgewise } from "@edgewise/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryTools } from "./memory-tools.ts";

type Tools = ReturnType<typeof memoryTools>;
type Call = { abortSignal?: AbortSignal };
const RUNS: [string, (tools: Tools, call?: Call) => Promise<unknown>][] = [
  ["remember", ({ remember }, call) => remember.execute({ statement: "I sail." }, call)],
  ["recall", ({ recall }, call) => recall.execute({ query: "sailing" }, call)],
  ["forget", ({ forget }, call) => forget.execute({ id: "mem_1", content: "I sail." }, call)],
];

function scripted(fetch: typeof globalThis.fetch) {
  const client = new Edgewise({ baseUrl: "http://edgewise.test", token: "t", fetch });
  return memoryTools({ client, userId: "alice" });
}

/** Waits like a service that does not answer. */
const silent: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));

describe.each(RUNS)("%s", (_, run) => {
  afterEach(() => vi.restoreAllMocks());

  it("ends with the call that it belongs to", async () => {
    const leaving = new AbortController();
    const running = run(scripted(silent), { abortSignal: leaving.signal });
    leaving.abort(new Error("left"));
    await expect(running).rejects.toThrow("left");
  }, 2_000);

  it("ends after five seconds, also while a function of the app's gets a token", async () => {
    const late = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(late.signal);
    const client = new Edgewise({ baseUrl: "http://edgewise.test", token: () => new Promise<string>(() => undefined) });
    const running = run(memoryTools({ client, userId: "alice" }));
    late.abort(new Error("late"));
    await expect(running).rejects.toThrow("late");
    expect(timeout.mock.calls).toEqual([[5_000]]);
  }, 2_000);

  it("is tried once", async () => {
    let tries = 0;
    const failing = scripted(async () => {
      tries += 1;
      return Response.json({ code: "internal" }, { status: 503 });
    });
    await expect(run(failing)).rejects.toThrow();
    expect(tries).toBe(1);
  });
});
