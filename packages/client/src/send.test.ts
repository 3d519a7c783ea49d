import { afterEach, describe, expect, it, vi } from "vitest";
import { EdgewiseConnectionError, EdgewiseTimeoutError } from "./errors.ts";
import type { CallOptions } from "./method.ts";
import { type Fields, parseOperation } from "./operation.ts";
import { createSend, type EdgewiseOptions, type Platform } from "./send.ts";

type Sent = { url: string; init: RequestInit; headers: Headers };
type Reply = Response | Error | ((sent: Sent) => Response | Promise<Response>);

const ADD = parseOperation("memories", "POST!");
const GET = parseOperation("memories", "GET/:memoryId");
const SEARCH = parseOperation("search", "POST");
const CHAT = parseOperation("chat", "POST~/completions");
const DELETE = parseOperation("memories", "DELETE/:memoryId");
const ME: Fields = { userId: "alice" };

afterEach(() => void vi.useRealTimers());

/** A sender whose requests are answered by these replies, the last one for all further requests; it waits for nothing. */
function scripted(replies: readonly Reply[], options: Partial<EdgewiseOptions> = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const platform: Platform = {
    now: () => Date.parse("2026-11-24T00:00:00Z"),
    random: () => 0,
    newKey: () => `key-${sent.length}`,
    wait: async (ms) => void waits.push(ms),
  };
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    const request = { url: String(url), init, headers: new Headers(init.headers) };
    const reply = replies[Math.min(sent.length, replies.length - 1)];
    sent.push(request);
    if (reply instanceof Error) throw reply;
    return typeof reply === "function" ? await reply(request) : (reply ?? ok()).clone();
  };
  const state = { bookmark: null as string | null };
  const send = createSend({ baseUrl: "http://edgewise.test/", token: "ew_1", fetch, ...options }, platform, state);
  const call = (operation = ADD, input: Fields = ME, given: CallOptions = {}) => send(operation, input, given);
  return { sent, waits, state, call };
}

const ok = (headers: Record<string, string> = {}) => Response.json({ id: "mem_1" }, { headers });
const refused = (status: number, headers: Record<string, string> = {}, code = "some_code") =>
  Response.json({ code, detail: "No.", fields: [{ path: "a", message: "b" }] }, { status, headers });
const dropped = new TypeError("fetch failed");
const signalOf = ({ init }: Sent) => init.signal ?? AbortSignal.any([]);
/** A connection that stays silent until the request is given up. */
const silent = (sent: Sent) =>
  new Promise<Response>((_, reject) =>
    signalOf(sent).addEventListener("abort", () => reject(new DOMException("", "AbortError"))),
  );

describe("repetition", () => {
  it.each([408, 429, 500, 502, 503, 504])("repeats %i twice, waiting longer each time", async (status) => {
    const { call, sent, waits } = scripted([refused(status)]);
    await expect(call()).rejects.toMatchObject({ status, code: "some_code", detail: "No.", message: "No." });
    expect(waits).toEqual([500, 1000]);
    expect(sent).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 409, 412, 413, 422])("does not repeat %i", async (status) => {
    const { call, sent } = scripted([refused(status)]);
    await expect(call()).rejects.toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });

  it("repeats a dropped connection, and answers what the repetition was answered", async () => {
    const { call, sent } = scripted([dropped, ok()]);
    expect((await call()).data).toEqual({ id: "mem_1" });
    expect(sent).toHaveLength(2);
  });

  it("reports a connection that stays dropped", async () => {
    const error = await scripted([dropped])
      .call()
      .catch((each: unknown) => each);
    expect(error).toBeInstanceOf(EdgewiseConnectionError);
    expect(error).toMatchObject({ cause: dropped, message: expect.stringContaining("http://edgewise.test") });
  });

  it("repeats an answer that breaks off", async () => {
    const broken = () =>
      new Response(new ReadableStream({ start: (controller) => controller.error(dropped) }), {
        headers: { "content-type": "application/json" },
      });
    expect((await scripted([broken, ok()]).call()).data).toEqual({ id: "mem_1" });
  });

  it("repeats a conflict only if the service says when", async () => {
    const { call, waits } = scripted([refused(409, { "retry-after": "3" }), ok()]);
    await call();
    expect(waits).toEqual([3000]);
  });

  it("repeats no more often although the service says when", async () => {
    const { call, sent } = scripted([refused(429, { "retry-after": "1" })]);
    await expect(call()).rejects.toMatchObject({ status: 429, retryAfterMs: 1000 });
    expect(sent).toHaveLength(3);
  });

  it("does not repeat what waits for the operator", async () => {
    const { call, sent } = scripted([refused(500, {}, "misconfigured")]);
    await expect(call()).rejects.toMatchObject({ code: "misconfigured" });
    expect(sent).toHaveLength(1);
  });

  it("repeats as often as the call says, else as the client does", async () => {
    const { call, sent } = scripted([refused(500)], { maxRetries: 1 });
    await expect(call()).rejects.toThrow();
    expect(sent).toHaveLength(2);
    await expect(call(ADD, ME, { maxRetries: 0 })).rejects.toThrow();
    expect(sent).toHaveLength(3);
  });

  it.each([
    dropped,
    refused(408),
    refused(500),
    refused(502, { "retry-after": "1" }),
    refused(503, { "x-should-retry": "true" }),
  ])("does not repeat what the model is paid for again, unless nothing was done (%#)", async (reply) => {
    const { call, sent } = scripted([reply]);
    await expect(call(CHAT)).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });

  it.each([refused(429), refused(503, { "retry-after": "1" }), refused(409, { "retry-after": "1" })])(
    "repeats a chat where nothing was done (%#)",
    async (reply) => {
      const { call, sent } = scripted([reply, ok()]);
      await call(CHAT);
      expect(sent).toHaveLength(2);
    },
  );

  const gone = refused(404, {}, "not_found");
  const one = { memoryId: "mem_1" };

  it.each([dropped, refused(502)])("takes a removal as done if it is not there after a lost answer (%#)", async (lost) => {
    const { data, response } = await scripted([lost, refused(429), gone]).call(DELETE, one);
    expect([data, response.status]).toEqual([undefined, 404]);
  });

  it("reports what was not there to remove, or to read, or whose service is not found", async () => {
    await expect(scripted([gone]).call(DELETE, one)).rejects.toMatchObject({ status: 404 });
    await expect(scripted([refused(429), gone]).call(DELETE, one)).rejects.toMatchObject({ status: 404 });
    await expect(scripted([dropped, gone]).call(GET, one)).rejects.toMatchObject({ status: 404 });
    const page = new Response("<html>", { status: 404 });
    await expect(scripted([dropped, page]).call(DELETE, one)).rejects.toMatchObject({ code: "unexpected_answer" });
  });

  it("has one idempotency key for each call, where the operation takes one", async () => {
    const { call, sent } = scripted([dropped, ok()]);
    await call();
    await call();
    await call(ADD, ME, { idempotencyKey: "order-4711" });
    await call(SEARCH);
    await call(GET, { memoryId: "mem_1" });
    expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual([
      "key-0",
      "key-0",
      "key-2",
      "order-4711",
      null,
      null,
    ]);
  });
});

describe("the token", () => {
  /** Accepts only this token. */
  const accepts =
    (token: string): Reply =>
    ({ headers }) =>
      headers.get("authorization") === `Bearer ${token}` ? ok() : refused(401);

  it("is asked for once for all calls", async () => {
    const token = vi.fn(async () => "a");
    const { call } = scripted([accepts("a")], { token });
    await Promise.all([call(), call()]);
    await call();
    expect(token).toHaveBeenCalledTimes(1);
  });

  it("is asked for again when it is refused, once for calls at the same time", async () => {
    const token = vi.fn(() => `token-${token.mock.calls.length}`);
    const { call } = scripted([accepts("token-2")], { token, maxRetries: 0 });
    await Promise.all([call(), call(), call()]);
    expect(token).toHaveBeenCalledTimes(2);
  });

  it("is asked for again once a call", async () => {
    const token = vi.fn(() => "wrong");
    const { call, sent } = scripted([accepts("right")], { token });
    await expect(call()).rejects.toMatchObject({ status: 401 });
    expect(sent).toHaveLength(2);
  });

  it("is asked for again by the next call if it could not be had", async () => {
    const token = vi.fn().mockRejectedValueOnce(new Error("offline")).mockResolvedValue("a");
    const { call } = scripted([accepts("a")], { token });
    await expect(call()).rejects.toThrow("offline");
    await call();
  });

  it("is waited for no longer than an attempt may take, and asked for again by the next call", async () => {
    vi.useFakeTimers();
    const token = vi.fn(() => (token.mock.calls.length === 1 ? new Promise<string>(() => undefined) : "a"));
    const { call, sent } = scripted([accepts("a")], { token, timeoutMs: 1000 });
    const failed = expect(call()).rejects.toThrow("`token` did not answer within 1000 ms.");
    await vi.advanceTimersByTimeAsync(1000);
    await failed;
    expect(sent).toHaveLength(0);
    await call();
  });

  it("is waited for no longer than the caller does", async () => {
    const reason = new Error("The user left.");
    const leaving = new AbortController();
    const { call } = scripted([ok()], { token: () => new Promise(() => undefined) });
    const running = call(ADD, ME, { signal: leaving.signal });
    leaving.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  it.each(["ew_A\new_B", "ew_é", "ew_\u2026"])("is not shown by the error of one that cannot be sent (%#)", async (token) => {
    for (const given of [token, async () => token]) {
      const { call, sent } = scripted([ok()], { token: given });
      const error = await call().catch((each: unknown) => each);
      expect(error).toEqual(new TypeError("`token` must be visible ASCII."));
      expect(error).not.toHaveProperty("cause");
      expect(sent).toHaveLength(0);
    }
  });

  it("may end with the line break of its file", async () => {
    const { call, sent } = scripted([ok()], { token: "ew_1\n" });
    await call();
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer ew_1");
  });

  it("is not sent where anybody may call", async () => {
    const { call, sent } = scripted([ok()]);
    await call(parseOperation("health", "GET-"), {});
    expect(sent[0]?.headers.get("authorization")).toBeNull();
  });

  it("is not carried to another address", async () => {
    const { call, sent } = scripted([new Response(null, { status: 302, headers: { location: "https://elsewhere.test/" } })]);
    await expect(call()).rejects.toMatchObject({
      code: "unexpected_answer",
      detail: expect.stringContaining("Redirects are not followed"),
    });
    expect(sent.map(({ url, init }) => [url, init.redirect])).toEqual([["http://edgewise.test/v1/memories", "manual"]]);
  });
});

describe("ending a call", () => {
  it("rejects with the reason of its signal, before, during and between attempts", async () => {
    const reason = new Error("The user left.");
    await expect(scripted([ok()]).call(ADD, ME, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

    const during = new AbortController();
    const waiting = scripted([silent]);
    const running = waiting.call(ADD, ME, { signal: during.signal, maxRetries: 0 });
    await vi.waitUntil(() => waiting.sent.length === 1);
    during.abort(reason);
    await expect(running).rejects.toBe(reason);

    const before = new AbortController();
    const token = async () => {
      before.abort(reason);
      return "ew_1";
    };
    const unsent = scripted([silent], { token });
    await expect(unsent.call(ADD, ME, { signal: before.signal })).rejects.toBe(reason);
    expect(unsent.sent).toHaveLength(0);

    const between = new AbortController();
    const { call, sent, waits } = scripted([
      () => {
        between.abort(reason);
        return refused(500);
      },
    ]);
    await expect(call(ADD, ME, { signal: between.signal })).rejects.toBe(reason);
    expect([sent.length, waits]).toEqual([1, []]);
  });

  it("gives an attempt up after its time, and repeats it", async () => {
    vi.useFakeTimers();
    const { call, sent } = scripted([silent], { timeoutMs: 1000 });
    const outcome = call().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(3000);
    const error = await outcome;
    expect(error).toBeInstanceOf(EdgewiseTimeoutError);
    expect(error).toMatchObject({ message: "http://edgewise.test did not answer within 1000 ms." });
    expect(sent).toHaveLength(3);
  });

  it("waits 30 seconds, for a model 10 minutes, and with Infinity as long as it takes", async () => {
    vi.useFakeTimers();
    const endsAfter = async (operation: typeof ADD, given: CallOptions, ms: number) => {
      let error: unknown;
      void scripted([silent])
        .call(operation, ME, { maxRetries: 0, ...given })
        .catch((each: unknown) => {
          error = each;
        });
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(error).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      return error;
    };
    expect(await endsAfter(ADD, {}, 30_000)).toBeInstanceOf(EdgewiseTimeoutError);
    expect(await endsAfter(CHAT, {}, 600_000)).toBeInstanceOf(EdgewiseTimeoutError);
    expect(await endsAfter(CHAT, { timeoutMs: 2000 }, 2000)).toBeInstanceOf(EdgewiseTimeoutError);
    expect(await endsAfter(ADD, { timeoutMs: Number.POSITIVE_INFINITY }, 3_600_000)).toBeUndefined();
  });

  it("leaves no timer behind", async () => {
    vi.useFakeTimers();
    await scripted([ok()]).call();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("what is sent and received", () => {
  it("is JSON with the headers of client and call", async () => {
    const { call, sent } = scripted([ok()], { headers: { "x-app": "1", "x-b": "client" } });
    await call(ADD, { userId: "alice", content: "é", key: undefined }, { headers: { "x-b": "call" }, ifMatch: 3 });
    await call(GET, { memoryId: "mem_1" }, { ifMatch: 'W/"4"', query: { workspaceId: "w" } });
    expect(sent[0]?.init).toMatchObject({ method: "POST", body: '{"userId":"alice","content":"é"}' });
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
      authorization: "Bearer ew_1",
      "content-type": "application/json",
      "idempotency-key": "key-0",
      "if-match": '"3"',
      "x-app": "1",
      "x-b": "call",
    });
    expect(sent[1]?.url).toBe("http://edgewise.test/v1/memories/mem_1?workspaceId=w");
    expect(sent[1]?.headers.get("if-match")).toBe('W/"4"');
    expect(sent[1]?.headers.get("content-type")).toBeNull();
  });

  it("carries the latest bookmark, although answers overtake each other", async () => {
    const bookmark = (value: string) => ok({ "x-edgewise-bookmark": value });
    const { call, sent, state } = scripted([bookmark("00-02"), bookmark("00-01"), ok(), ok()]);
    for (let i = 0; i < 3; i++) await call();
    expect(sent.map(({ headers }) => headers.get("x-edgewise-bookmark"))).toEqual([null, "00-02", "00-02"]);
    state.bookmark = "00-09";
    await call();
    expect(sent[3]?.headers.get("x-edgewise-bookmark")).toBe("00-09");
  });

  it("is nothing for 204", async () => {
    expect((await scripted([new Response(null, { status: 204 })]).call()).data).toBeUndefined();
  });

  it("is an error with the id of the request", async () => {
    const { call } = scripted([refused(422, { "x-request-id": "req-1" })]);
    await expect(call()).rejects.toMatchObject({
      name: "EdgewiseError",
      requestId: "req-1",
      fields: [{ path: "a", message: "b" }],
      retryAfterMs: null,
    });
  });

  it("is an error of a model server behind the service", async () => {
    const answer = Response.json({ error: { message: "No such model.", code: "model_not_found" } }, { status: 404 });
    await expect(scripted([answer]).call()).rejects.toMatchObject({ code: "model_not_found", detail: "No such model." });
  });

  it.each([
    [
      { code: "x", detail: "No.", fields: { a: 1 } },
      { code: "x", detail: "No.", fields: [] },
    ],
    [{ fields: [null, "a", { path: "a" }, { path: "a", message: "b" }] }, { fields: [{ path: "a", message: "b" }] }],
    [
      { code: 7, detail: { a: 1 }, error: "No." },
      { code: "unexpected_answer", detail: expect.stringContaining("400") },
    ],
    [
      { code: null, error: { code: 3, message: "No." } },
      { code: "unexpected_answer", detail: "No." },
    ],
    ["No.", { code: "unexpected_answer", fields: [] }],
    [null, { code: "unexpected_answer", fields: [] }],
  ])("is an error of the declared types whatever is in it: %j", async (body, expected) => {
    await expect(scripted([Response.json(body, { status: 400 })]).call()).rejects.toMatchObject(expected);
  });

  it("is an error if another server answers", async () => {
    const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
    const { call, sent } = scripted([page]);
    await expect(call()).rejects.toMatchObject({ code: "unexpected_answer", detail: expect.stringContaining("text/html") });
    expect(sent).toHaveLength(1);
  });
});
