import { beforeAll, describe, expect, it } from "vitest";
import { app } from "#surfaces/rest/app";
import { createHarness, type Harness } from "#test/harness";
import type { Problem } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

const detailOf = async (method: string, path: string, body?: unknown) =>
  (await h.fetch<Problem>(method, path, body === undefined ? {} : { body })).json.detail;

describe("`detail` names the nearest field", () => {
  it.each([
    ["POST", "/v1/search", { query: "tea", user_id: "ann" }, "There is no field `user_id`. Did you mean `userId`?"],
    ["POST", "/v1/search", { query: "tea", topK: 5 }, "There is no field `topK`. Did you mean `limit`?"],
    ["POST", "/v1/search", { query: "tea", Limit: 5 }, "There is no field `Limit`. Did you mean `limit`?"],
    ["POST", "/v1/search", { text: "tea" }, "There is no field `text`. Did you mean `query`? `fields` names 2 problems."],
    [
      "POST",
      "/v1/memories",
      { text: "likes tea" },
      "There is no field `text`. Did you mean `content`? `fields` names 2 problems.",
    ],
    [
      "POST",
      "/v1/memories",
      { memories: [{ content: "likes tea", session_id: "s" }] },
      "There is no field `session_id`. Did you mean `sessionId`?",
    ],
    ["GET", "/v1/sessions?page_size=5", undefined, "There is no field `page_size`. Did you mean `limit`?"],
    ["GET", "/v1/sessions?offset=5", undefined, "There is no field `offset`. Did you mean `cursor`?"],
    ["GET", "/v1/jobs?limits=5", undefined, "There is no field `limits`. Did you mean `limit`?"],
    [
      "POST",
      "/v1/sessions/s/episodes",
      { messages: [{ role: "user", content: "tea", message_id: "m" }] },
      "There is no field `message_id`. Did you mean `messageId`?",
    ],
    [
      "POST",
      "/v1/sessions/s/episodes",
      { role: "user", messages: [{ role: "user", content: "tea" }] },
      "There is no field `role`. Did you mean `messages[0].role`?",
    ],
  ])("%s %s %j", async (method, path, body, detail) => {
    expect(await detailOf(method, path, body)).toBe(detail);
  });
});

describe("`detail` says what is wrong and what to do", () => {
  it.each([
    [
      "POST",
      "/v1/search",
      { query: "tea", from: "22.11.2026" },
      '`from`: Send a time as ISO 8601 with a time zone, such as "2026-11-22T10:00:00Z".',
    ],
    [
      "POST",
      "/v1/search",
      { query: "tea", strategy: "hybird" },
      "`strategy`: Send one of `hybrid`, `text`, `semantic`, `recent`, `exact`; `hybrid` is the nearest.",
    ],
    ["POST", "/v1/search", { query: "tea", limit: 1000 }, "`limit`: Send a number of at most 100."],
    ["POST", "/v1/search", {}, "`query` is missing. Send a string."],
    [
      "POST",
      "/v1/search",
      { query: "tea", cursor: 1 },
      expect.stringMatching(/^There is no field `cursor`\. Leave it out; there are `query`, /),
    ],
    ["POST", "/v1/search", [], '`body`: Send a JSON object such as {"query":…}.'],
    ["POST", "/v1/search", "", "`body` is empty. Send a JSON object."],
    ["POST", "/v1/search", '{"query": secret}', expect.stringContaining("`body` is not JSON from line 1, column 11 on.")],
    ["POST", "/v1/search", '{"query":\n  "secret",\n}', expect.stringContaining("`body` is not JSON from line 3, column 1 on.")],
  ])("%s %s %j", async (method, path, body, detail) => {
    const { json, text } = await h.fetch<Problem>(method, path, { body });
    expect([json.code, json.detail]).toEqual(["invalid_input", detail]);
    expect(text).not.toContain("secret");
  });

  it("of a body that does not say that it is JSON", async () => {
    const { json } = await h.fetch<Problem>("POST", "/v1/search", { body: "{}", headers: { "content-type": "text/plain" } });
    expect(json.detail).toContain("Send the header `content-type: application/json`.");
  });

  it("the same for the proxy, in OpenAI's shape", async () => {
    const chat = async (body: unknown) =>
      (await h.fetch<{ error: { message: string; param: string | null } }>("POST", "/v1/chat/completions", { body })).json.error;
    expect(await chat({})).toMatchObject({ message: "`messages` is missing. Send a list.", param: "messages" });
    expect(await chat({ messages: [{ content: "tea" }] })).toMatchObject({ param: "messages[0].role" });
    expect((await chat('{"messages": [}')).message).toContain("line 1, column 15");
  });

  it("never repeats what was sent, nor the name of a field that is long, odd or a secret", async () => {
    const names = ["my private diary", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "a".repeat(41), "ü"];
    for (const name of names) {
      for (const [method, path, body] of [
        ["POST", "/v1/search", { query: "tea", [name]: "walrus" }],
        ["POST", "/v1/sessions/s/episodes", { messages: [{ role: "user", content: "walrus", [name]: 1 }] }],
        ["GET", `/v1/sessions?${encodeURIComponent(name)}=walrus`, undefined],
        ["GET", `/v1/sessions?${encodeURIComponent(name)}=%FF`, undefined],
      ] as const) {
        const { status, text } = await h.fetch(method, path, body === undefined ? {} : { body });
        expect([status, text.includes(name), text.includes("walrus")], text).toEqual([400, false, false]);
      }
    }
  });
});

const routes = app.routes.filter(({ method }) => method !== "ALL");

describe("an address that is not quite right", () => {
  const filled = (path: string) => path.replaceAll(/:(\w+)/g, "private-name");
  const template = (path: string) => path.replaceAll(/:(\w+)/g, "{$1}");

  // The name of a model may contain slashes, so that more addresses are right.
  const exact = routes.filter(({ path }) => path.startsWith("/v1/") && path !== "/v1/models/:model");

  it.each(exact)("$method $path is said for it", async ({ method, path }) => {
    const wrong = [
      `${filled(path)}/`,
      filled(path).replace("/v1/", "/v1//"),
      filled(path).replace("/v1/", "/"),
      `/v1${filled(path)}`,
    ];
    for (const address of wrong) {
      const { status, json, text, headers } = await h.fetch<Problem>(method, address, { user: null });
      expect([address, status, headers.get("location")]).toEqual([address, 404, null]);
      if (method === "HEAD") continue;
      expect(json.detail).toMatch(/^There is no such route\. Did you mean \/v1\//);
      // A literal path may stand where a parameter does: /v1/people/me.
      expect(json.detail).toContain(template(path).split("{")[0] ?? "");
      expect(text).not.toContain("private-name");
    }
  });

  it("is said in OpenAI's shape where a client of OpenAI's has left out /v1", async () => {
    const { json } = await h.fetch<{ error?: { message: string } }>("POST", "/chat/completions", { body: { messages: [] } });
    expect(json.error?.message).toContain("Did you mean /v1/chat/completions?");
  });

  it("of nothing is answered by the list of routes", async () => {
    expect(await detailOf("GET", "/v1/xylophones")).toBe("There is no such route. GET /openapi.json lists them all.");
  });

  it.each([
    ["/v1/memory", "/v1/memories"],
    ["/v1/serch", "/v1/search"],
    ["/v2/memories", "/v1/memories"],
    ["/v1/episodes", "/v1/sessions/{sessionId}/episodes"],
  ])("%s is understood as %s", async (path, meant) => {
    expect(await detailOf("POST", path)).toBe(`There is no such route. Did you mean ${meant}? GET /openapi.json lists them all.`);
  });

  it("with a wrong method is 405 with `allow`", async () => {
    const { status, json, headers } = await h.fetch<Problem>("PUT", "/v1/search", { body: {} });
    expect([status, headers.get("allow"), json.detail]).toEqual([
      405,
      "OPTIONS, POST",
      "This path does not take that method. It takes OPTIONS, POST.",
    ]);
  });
});

describe("`type` is a page of the docs", () => {
  // scripts/guides/guide.test.ts tests that the page has a part for every code.
  it("which every problem names by its code", async () => {
    const { json } = await h.fetch("GET", "/v1/sessions/none");
    expect(json).toMatchObject({ type: "/docs/errors#not_found", code: "not_found" });
  });
});
