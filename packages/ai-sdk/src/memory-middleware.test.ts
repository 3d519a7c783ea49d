import { Edgewise } from "@edgewise/client";
import { describe, expect, it, vi } from "vitest";
import { memoryMiddleware } from "./memory-middleware.ts";
import type { GenerateResult, ReplyPart } from "./model.ts";
import type { Failed, MemoryOptions } from "./options.ts";
import type { PromptMessage } from "./prompt.ts";

const prompt: PromptMessage[] = [{ role: "user", content: [{ type: "text", text: "Sea?" }] }];
const text = Object.assign({ type: "text" }, { text: "Calm." });
const delta = Object.assign({ type: "text-delta" }, { delta: "Calm." });

/** What the service answers to each request for context, the last of them also to all later ones: a state of memory, or a status. */
type Answers = [...("on" | "off" | number)[], "on" | "off" | number];

function scripted(answers: Answers, more: Partial<MemoryOptions> = {}) {
  const log: string[] = [];
  const failures: Failed[] = [];
  const pending: Promise<void>[] = [];
  let asked = 0;
  const answer: typeof fetch = async (url, init) => {
    const path = new URL(String(url)).pathname.replace(/^\/v1\/(sessions\/[^/]+\/)?/, "");
    log.push(`${init?.method} ${path}`);
    if (path !== "context") return Response.json({ items: [], episodes: [] });
    const state = answers[asked++] ?? answers.at(-1);
    if (typeof state === "number") return Response.json({ code: "internal" }, { status: state });
    return Response.json({ block: "", memory: state });
  };
  const client = new Edgewise({ baseUrl: "http://edgewise.test", token: "t", fetch: answer, maxRetries: 0 });
  const middleware = memoryMiddleware({
    client,
    userId: "alice",
    sessionId: "chat",
    onError: (_, failed) => failures.push(failed),
    waitUntil: (stored) => pending.push(stored),
    ...more,
  });
  const generate = async (content: readonly ReplyPart[] = [text]) => {
    const params = await middleware.transformParams({ params: { prompt } });
    const result: GenerateResult = { content, finishReason: "stop" };
    const given = await middleware.wrapGenerate({ doGenerate: async () => result, params });
    await Promise.all(pending);
    return given;
  };
  const appends = () => log.filter((request) => request === "POST episodes").length;
  const contexts = () => log.filter((request) => request === "POST context").length;
  return { middleware, generate, pending, failures, appends, contexts };
}

describe("memoryMiddleware", () => {
  it.each<[string, Answers, { stored: number; asked: number; told: Failed[] }]>([
    ["is on", ["on"], { stored: 1, asked: 1, told: [] }],
    ["turns out to be on after the reply", [500, "on"], { stored: 1, asked: 2, told: ["retrieving"] }],
    ["turns out to be off after the reply", [500, "off"], { stored: 0, asked: 2, told: ["retrieving"] }],
    ["stays unknown", [500], { stored: 0, asked: 2, told: ["retrieving", "storing"] }],
    ["is off", ["off"], { stored: 0, asked: 1, told: [] }],
  ])("stores only if memory is known to be on: it %s", async (_, answers, expected) => {
    const { generate, appends, contexts, failures } = scripted(answers);
    await generate();
    expect({ stored: appends(), asked: contexts(), told: failures }).toEqual(expected);
  });

  it("asks before it stores a call whose parameters it has not transformed", async () => {
    const { middleware, pending, appends, contexts } = scripted(["off"]);
    await middleware.wrapGenerate({ doGenerate: async () => ({ content: [text], finishReason: "stop" }), params: { prompt } });
    await Promise.all(pending);
    expect([appends(), contexts()]).toEqual([0, 1]);
  });

  it("asks for ten seconds at most after a reply", async () => {
    const late = AbortSignal.abort(new Error("late"));
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(late);
    const { generate, appends, failures } = scripted(["on"]);
    await generate();
    const times = timeout.mock.calls.map(([ms]) => ms);
    timeout.mockRestore();
    expect([times, appends(), failures]).toEqual([[1_500, 10_000], 0, ["retrieving", "storing"]]);
  });

  it("gives the app the model's answer as it is when it has another form, and stores what can be read", async () => {
    const odd = scripted(["on"]);
    // A model of JavaScript, or of another version of the specification.
    const withNull: ReplyPart[] = JSON.parse(JSON.stringify([null, text]));
    expect(await odd.generate(withNull)).toEqual({ content: withNull, finishReason: "stop" });
    expect([odd.appends(), odd.failures]).toEqual([1, []]);

    const none = scripted(["on"]);
    const missing: ReplyPart[] = JSON.parse('{"content":7}').content;
    expect(await none.generate(missing)).toEqual({ content: missing, finishReason: "stop" });
    expect([none.appends(), none.failures]).toEqual([0, ["storing"]]);
  });

  it("passes on a part of a stream that has another form", async () => {
    const { middleware, pending, appends } = scripted(["on"]);
    const parts: ReplyPart[] = [JSON.parse("null"), delta];
    const params = await middleware.transformParams({ params: { prompt } });
    const source = new ReadableStream<ReplyPart>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    const { stream } = await middleware.wrapStream({ doStream: async () => ({ stream: source }), params });
    const passed: ReplyPart[] = [];
    for await (const part of stream) passed.push(part);
    expect(passed).toEqual(parts);
    await Promise.all(pending);
    expect(appends()).toBe(1);
  });
});
