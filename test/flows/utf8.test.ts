import { beforeAll, describe, expect, it } from "vitest";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { setUpstream } from "./proxy-requests.ts";
import { nth, type Problem, rows } from "./requests.ts";

const upstream = chatChannel();
let h: Harness;
beforeAll(async () => {
  h = await createHarness();
  await setUpstream(h, { url: upstream.url });
});

/** The text in Latin-1: each character is one byte. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const users = async () =>
  await rows<{ name: string }>("select external_id as name from users where tenant_id = ? order by id", h.tenantId);

const INVALID: readonly [string, Uint8Array<ArrayBuffer>][] = [
  ["Latin-1", latin1('{"userId": "Jos\u00e9", "name": "x"}')],
  ["half a character", latin1('{"userId": "Jos\u00c3"}')],
  ["a surrogate", latin1('{"userId": "Jos\u00ed\u00a0\u0080"}')],
  ["an overlong form", latin1('{"userId": "Jos\u00c1\u00a1"}')],
  ["a byte that is in no UTF-8", latin1('{"userId": "Jos\u00ff"}')],
];

describe("10: UTF-8 is decoded strictly", () => {
  it.each(INVALID)("a body with %s is a 400, and makes no user", async (_, body) => {
    const before = await users();
    for (const [method, path] of [
      ["PUT", "/v1/projects/p"],
      ["POST", "/v1/sessions/s/episodes"],
      ["POST", "/v1/memories"],
      ["POST", "/v1/search"],
      ["PATCH", "/v1/settings"],
      ["POST", "/v1/chat/completions"],
    ] as const) {
      const headers = { "idempotency-key": `${method} ${path}`, "content-type": "application/json; charset=iso-8859-1" };
      const { status, json } = await h.fetch<Problem>(method, path, { body, headers });
      expect([path, status, json.code, json.fields?.map((field) => field.path)]).toEqual([path, 400, "invalid_input", ["body"]]);
      expect(json.fields?.[0]?.message).toContain("UTF-8");
    }
    expect(await users()).toEqual(before);
    expect(await upstream.requests()).toEqual([]);
  });

  it("two names that differ in one byte beyond UTF-8 do not become one user", async () => {
    for (const name of ["Jos\u00e9y", "Jos\u00e8y"]) {
      const body = latin1(`{"userId": "${name}", "messages": [{"role": "user", "content": "hi"}]}`);
      expect((await h.fetch("POST", "/v1/sessions/two/episodes", { body })).status).toBe(400);
    }
    for (const name of ["José", "Josè", "Жозе", "👩\u200d🚀"]) {
      const body = new TextEncoder().encode(JSON.stringify({ userId: name, name: "mine" }));
      expect((await h.fetch("PUT", `/v1/projects/${encodeURIComponent(`of ${name}`)}`, { body })).status).toBe(201);
    }
    expect((await users()).map(({ name }) => name)).toEqual(expect.arrayContaining(["José", "Josè", "Жозе", "👩\u200d🚀"]));
  });

  it("a byte order mark before the body is passed over", async () => {
    const body = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('{"name": "marked"}')]);
    expect((await h.fetch("PUT", "/v1/users/marked", { body })).json).toMatchObject({ name: "marked" });
  });

  it.each([
    ["/v1/sessions/%FF?userId=ann", "path"],
    ["/v1/sessions/Jos%E9?userId=ann", "path"],
    ["/v1/sessions/%ED%A0%80?userId=ann", "path"],
    ["/v1/sessions/100%?userId=ann", "path"],
    ["/v1/sessions?userId=Jos%E9", "userId"],
    ["/v1/sessions?userId=ann&cursor=%FF", "cursor"],
    ["/v1/memories?userId=ann&text=100%", "text"],
    ["/v1/sessions?%FF=1", "query"],
  ])("%s is a 400 that names its part", async (path, field) => {
    const { status, json } = await h.fetch<Problem>("GET", path);
    expect([status, json.fields?.map((one) => one.path)]).toEqual([400, [field]]);
  });

  it("an id in a path or a query is any text in UTF-8, percent signs and pluses too", async () => {
    for (const name of ["100%", "%FF", "a+b", "a b", "é", "👩\u200d🚀", "a/b?c#d&e=f"]) {
      const made = await h.fetch("PUT", `/v1/sessions/${encodeURIComponent(name)}`, { body: { userId: name } });
      expect([name, made.status]).toEqual([name, 201]);
      const listed = await h.fetch<{ items: { id: string }[] }>("GET", `/v1/sessions?userId=${encodeURIComponent(name)}`);
      expect(JSON.stringify(listed.json)).toContain(JSON.stringify(name));
    }
  });

  it("an id may hold neither half a surrogate pair nor the character that stands for lost bytes", async () => {
    for (const userId of ["Jos\ud800", "Jos\udfff", "Jos\ufffd"]) {
      const { status, json } = await h.fetch<Problem>("PUT", "/v1/projects/halves", { body: { userId, name: "x" } });
      expect([status, json.fields?.map((field) => field.path)]).toEqual([400, ["userId"]]);
    }
    const said = { userId: "ann", messages: [{ role: "user", content: "cut in half: \ud83d" }] };
    expect((await h.fetch("POST", "/v1/sessions/cut/episodes", { body: said })).status).toBe(201);
  });

  it("an Idempotency-Key is ASCII, so that no two become one", async () => {
    const headers = { "idempotency-key": "clé" };
    const { status, json } = await h.fetch<Problem>("POST", "/v1/memories", { body: { userId: "ann", content: "x" }, headers });
    expect([status, json.fields?.map((field) => field.path)]).toEqual([400, ["Idempotency-Key"]]);
  });

  it("a chat in UTF-8 goes to the model server byte by byte", async () => {
    await upstream.reset();
    const text =
      '{ "model": "echo", "messages": [{"role": "user", "content": "Grüße, 世界 👩\u200d🚀 \\u00e9 1.0"}], "seed": 9007199254740993 }';
    const headers = { "x-edgewise-memory": "off" };
    expect((await h.fetch("POST", "/v1/chat/completions", { body: new TextEncoder().encode(text), headers })).status).toBe(200);
    expect(nth(await upstream.requests(), -1).text).toBe(text);
  });
});
