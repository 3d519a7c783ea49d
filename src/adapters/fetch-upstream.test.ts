import { describe, expect, it } from "vitest";
import { AppError } from "#core/errors";
import type { UpstreamRequest } from "#ports/upstream";
import { createFetchUpstream } from "./fetch-upstream.ts";

const HOSTS = ["api.openai.com", "http://127.0.0.1", "http://models.local:8080"];

type Call = { url: string; init: RequestInit };

function setUp(answer: () => Response | Promise<Response> = () => new Response("{}")) {
  const calls: Call[] = [];
  const upstream = createFetchUpstream({
    hosts: HOSTS,
    fetch: async (url, init = {}) => {
      calls.push({ url: String(url), init });
      return await answer();
    },
  });
  return { upstream, calls };
}

const request = (more: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  tenantId: 1,
  base: "https://api.openai.com/v1",
  apiKey: "sk-tenant",
  path: "/chat/completions",
  method: "POST",
  body: "{}",
  signal: new AbortController().signal,
  ...more,
});

describe("what may be called", () => {
  it.each([
    "https://api.openai.com/v1",
    "https://api.openai.com:443/v1",
    "https://API.OPENAI.COM/v1",
    "https://ａpi.openai.com/v1",
    "http://127.0.0.1:11434/v1",
    "http://127.0.0.1/v1",
    "http://models.local:8080/v1",
  ])("%s", (base) => {
    expect(setUp().upstream.refusal(base)).toBeNull();
  });
});

describe("what may not be called", () => {
  it.each([
    "http://api.openai.com/v1",
    "https://api.openai.com:8443/v1",
    "https://api.openai.com./v1",
    "https://evil.api.openai.com/v1",
    "https://api.openai.com.evil.example/v1",
    "https://api-openai.com/v1",
    "https://api.openai.com@evil.example/v1",
    "https://api.openai.com:443@evil.example/v1",
    "https://user:secret@api.openai.com/v1",
    "https://user@api.openai.com/v1",
    "https://evil.example/api.openai.com",
    "https://evil.example\\@api.openai.com/v1",
    "https://аpi.openai.com/v1",
    "https://xn--pi-7kc.openai.com/v1",
    "https://api.openai.com/v1?to=evil",
    "https://api.openai.com/v1#x",
    "https://127.0.0.1/v1",
    "https://localhost/v1",
    "http://localhost:8787/v1",
    "http://127.0.0.2/v1",
    "http://models.local.:8080/v1",
    "http://10.0.0.1/v1",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/v1",
    "http://[::ffff:127.0.0.1]/v1",
    "http://0.0.0.0/v1",
    "http://models.local/v1",
    "http://models.local:8081/v1",
    "https://models.local:8080/v1",
    "ftp://127.0.0.1/v1",
    "file:///etc/passwd",
    "data:text/plain,hello",
    "javascript:alert(1)",
    "//api.openai.com/v1",
    "api.openai.com/v1",
    "",
    "https://",
  ])("%s", async (base) => {
    const { upstream, calls } = setUp();
    expect(upstream.refusal(base)).toEqual(expect.any(String));
    await expect(upstream.send(request({ base }))).rejects.toMatchObject({ code: "forbidden" });
    expect(calls).toEqual([]);
  });

  it("other spellings of an address that is listed are that address", () => {
    const { upstream } = setUp();
    for (const base of ["http://2130706433/v1", "http://0x7f.1/v1", "http://127.1/v1"]) expect(upstream.refusal(base)).toBeNull();
    const strict = createFetchUpstream({ hosts: ["api.openai.com"], fetch });
    for (const base of ["http://2130706433/v1", "https://0x7f.1/v1", "http://127.0.0.1/v1"])
      expect(strict.refusal(base)).toEqual(expect.any(String));
  });
});

describe("a list of hosts", () => {
  const allows = (host: string, base: string) => createFetchUpstream({ hosts: [host], fetch }).refusal(base) === null;

  it.each([
    ["api.openai.com", "https://api.openai.com/v1", "https://api.openai.com:8443/v1"],
    ["API.OpenAI.com:443", "https://api.openai.com/v1", "https://api.openai.com:8443/v1"],
    ["gw:8443", "https://gw:8443/v1", "https://gw/v1"],
    ["gw:8443", "https://gw:8443/v1", "http://gw:8443/v1"],
    ["https://gw.example.com:443", "https://gw.example.com/v1", "https://gw.example.com:9200/v1"],
    ["http://proxy.internal:80", "http://proxy.internal/v1", "http://proxy.internal:6379/v1"],
    ["http://proxy.internal:80/", "http://proxy.internal:80/v1", "http://proxy.internal:6379/v1"],
    ["https://gw.example.com", "https://gw.example.com:9200/v1", "http://gw.example.com:9200/v1"],
    ["http://models.local:8080", "http://models.local:8080/v1", "http://models.local/v1"],
    ["bücher.example", "https://BÜCHER.example/v1", "https://buecher.example/v1"],
    ["http://bücher.example:8080", "http://xn--bcher-kva.example:8080/v1", "http://bücher.example/v1"],
    ["[::1]:8787", "https://[::1]:8787/v1", "https://[::1]/v1"],
    ["http://[::1]", "http://[0:0::1]:11434/v1", "https://[::1]/v1"],
  ])("with %s has %s and not %s", (host, listed, unlisted) => {
    expect([allows(host, listed), allows(host, unlisted)]).toEqual([true, false]);
  });

  it.each([
    ...[
      "http://",
      "://",
      "https://gw.example.com/v1",
      "gw.example.com/v1",
      "https://gw?x",
      "https://gw#x",
      "me@gw",
      "https://me:it@gw",
    ],
    ...["*.example.com", "ftp://gw", "gw:port", "gw:99999", "two words", "https:gw", "//gw", "data:gw"],
  ])("with %s cannot be read, and says which variable it is and not what it holds", (host) => {
    const make = () => createFetchUpstream({ hosts: ["api.openai.com", host], fetch });
    expect(make).toThrow(
      expect.objectContaining({ code: "misconfigured", message: expect.stringMatching(/^UPSTREAM_HOSTS: .* 2 /) }),
    );
    expect(make).not.toThrow(expect.objectContaining({ message: expect.stringContaining(host) }));
  });
});

describe("a request", () => {
  it("goes below the base, with the tenant's key and no other credential", async () => {
    const { upstream, calls } = setUp();
    const headers = {
      Authorization: "Bearer ew_client",
      COOKIE: "a=b",
      accept: "text/event-stream",
      "Content-Type": "text/plain",
    };
    await upstream.send(request({ base: "https://api.openai.com/v1/", headers }));
    const [call] = calls;
    expect([call?.url, call?.init.method, call?.init.redirect, call?.init.body]).toEqual([
      "https://api.openai.com/v1/chat/completions",
      "POST",
      "manual",
      "{}",
    ]);
    expect([...new Headers(call?.init.headers)]).toEqual([
      ["accept", "text/event-stream"],
      ["authorization", "Bearer sk-tenant"],
      ["content-type", "application/json"],
    ]);
  });

  it("without a key carries none", async () => {
    const { upstream, calls } = setUp();
    await upstream.send({ ...request({ apiKey: null, path: "/models", method: "GET" }), headers: { authorization: "Bearer x" } });
    expect(new Headers(calls[0]?.init.headers).has("authorization")).toBe(false);
  });

  it.each([200, 400, 401, 429, 500, 503])("is answered as the server answers: %i", async (status) => {
    const { upstream } = setUp(() => new Response("as it is", { status }));
    const answer = await upstream.send(request());
    expect([answer.status, await answer.text()]).toEqual([status, "as it is"]);
  });

  it.each([301, 302, 303, 307, 308])("follows no redirect: %i", async (status) => {
    const { upstream, calls } = setUp(() => new Response(null, { status, headers: { location: "http://169.254.169.254/" } }));
    await expect(upstream.send(request())).rejects.toMatchObject({ code: "upstream_failed" });
    expect(calls).toHaveLength(1);
  });

  it("that cannot be sent gives an error in our words, without the key", async () => {
    const { upstream } = setUp(() => Promise.reject(new TypeError("connect ECONNREFUSED sk-tenant")));
    const error = await upstream.send(request()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "upstream_failed", message: "The model server could not be reached." });
  });

  it("is ended by its signal, as what it is", async () => {
    const gone = new AbortController();
    const { upstream, calls } = setUp(() => {
      gone.abort(new DOMException("gone", "AbortError"));
      return Promise.reject(gone.signal.reason);
    });
    await expect(upstream.send(request({ signal: gone.signal }))).rejects.toMatchObject({ name: "AbortError" });
    expect(calls[0]?.init.signal?.reason).toBe(gone.signal.reason);
  });

  it("has an end, in time and in bytes", async () => {
    const limits = { maxBytes: 10, silenceMs: 5, totalMs: 60_000 };
    const withAnswer = (fetch: typeof globalThis.fetch) => createFetchUpstream({ hosts: HOSTS, fetch, limits }).send(request());
    const never: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))));
    await expect(withAnswer(never)).rejects.toMatchObject({ code: "upstream_failed", kind: "timeout" });
    const long = await withAnswer(async () => new Response("more than ten bytes", { status: 418, headers: { "x-a": "b" } }));
    expect([long.status, long.headers.get("x-a")]).toEqual([418, "b"]);
    await expect(long.text()).rejects.toMatchObject({ code: "upstream_failed" });
    const silent = await withAnswer(async () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })));
    await expect(silent.text()).rejects.toMatchObject({ code: "upstream_failed", kind: "timeout" });
  });
});
