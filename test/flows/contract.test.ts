import { beforeAll, describe, expect, it } from "vitest";
import { encodeCursor, LISTS, type List } from "#core/page";
import { app } from "#surfaces/rest/app";
import { createHarness, type Harness } from "#test/harness";
import type { Problem } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Each path of the app with the methods that its routes have. */
const paths = Map.groupBy(
  // What needs an access token of OAuth refuses a key before it looks at the method (oauth.test.ts).
  app.routes.filter(({ method, path }) => method !== "ALL" && path !== "/oauth/mcp"),
  ({ path }) => path,
);

describe("a wrong method", () => {
  it.each([...paths.keys()])("is 405 with allow: %s", async (path) => {
    const taken = new Set((paths.get(path) ?? []).map(({ method }) => method));
    const wrong = METHODS.filter((method) => !taken.has(method));
    expect(wrong.length).toBeGreaterThan(0);
    for (const method of wrong) {
      const answer = await h.fetch<Problem>(method, path.replaceAll(/:\w+/g, "one"), method === "GET" ? {} : { body: {} });
      expect([answer.status, answer.json.code], method).toEqual([405, "method_not_allowed"]);
      const allow = answer.headers.get("allow")?.split(", ") ?? [];
      expect(allow.filter((name) => name !== "HEAD").toSorted()).toEqual([...taken, "OPTIONS"].toSorted());
      expect(allow.includes("HEAD")).toBe(taken.has("GET"));
      const options = await h.fetch("OPTIONS", path.replaceAll(/:\w+/g, "one"));
      expect([options.status, options.headers.get("allow")]).toEqual([204, answer.headers.get("allow")]);
    }
  });

  it("of a stranger is 401, and of no route 404", async () => {
    expect((await h.fetch("POST", "/v1/jobs", { key: null, body: {} })).status).toBe(401);
    const nowhere = await h.fetch("POST", "/v1/nowhere", { body: {} });
    expect([nowhere.status, nowhere.headers.get("allow")]).toEqual([404, null]);
  });

  it("takes no idempotency key that the right one needs", async () => {
    const headers = { "idempotency-key": "one of mine" };
    expect((await h.fetch("POST", "/v1/settings", { body: {}, headers })).status).toBe(405);
    const right = await h.fetch("POST", "/v1/people", { body: { userId: "ann", name: "Paula" }, headers });
    expect([right.status, right.headers.get("idempotency-replayed")]).toEqual([201, null]);
  });
});

/** What the document says of a request is what the validator does: 400 for what breaks a schema, 422 for what breaks only a rule. */
describe("the OpenAPI document says what the validator says", () => {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    h.fetch<Problem>("POST", path, { body, headers });
  const get = (path: string) => h.fetch<Problem>("GET", path);
  const answered = ({ status, json }: { status: number; json: Problem }) => [status, json.code, json.fields?.[0]?.path];

  it("of an Idempotency-Key: 1 to 200 characters", async () => {
    const body = { userId: "ann", name: "Pauline" };
    expect((await post("/v1/people", body, { "idempotency-key": "" })).status).toBe(400);
    expect((await post("/v1/people", body, { "idempotency-key": "x".repeat(201) })).status).toBe(400);
    expect((await post("/v1/people", body, { "idempotency-key": "x".repeat(200) })).status).toBe(201);
  });

  it("of a cursor: its characters and length are the schema's, whose it is a rule", async () => {
    for (const cursor of ["", "x".repeat(513), "no%20cursor", "%E2%82%AC"])
      expect(answered(await get(`/v1/jobs?cursor=${cursor}`)), cursor).toEqual([400, "invalid_input", "cursor"]);
    for (const cursor of ["x".repeat(512), "WzFd"])
      expect(answered(await get(`/v1/jobs?cursor=${cursor}`)), cursor).toEqual([422, "unprocessable", "cursor"]);
  });

  it.each(["", " ", "1e1", "0x10", "+5", "5.0", "%2010", "null"])("of a whole number: not '%s'", async (limit) => {
    expect(answered(await get(`/v1/jobs?limit=${limit}`))).toEqual([400, "invalid_input", "limit"]);
    expect(answered(await get(`/v1/memories?userId=ann&offset=${limit}`))).toEqual([400, "invalid_input", "offset"]);
  });

  it.each([" ", "\u00a0\u2003\t\n", "\ufeff", "\u3000"])("of a text: it is not blank", async (blank) => {
    expect(answered(await post("/v1/memories", { userId: "ann", content: blank }))).toEqual([400, "invalid_input", "content"]);
    const message = { messages: [{ role: "user", content: blank }] };
    // By a rule, because a message that calls tools may have an empty text.
    expect((await post("/v1/sessions/blank/episodes", { userId: "ann", ...message })).status).toBe(422);
    expect((await post("/v1/extract", { userId: "ann", ...message })).status).toBe(422);
    expect((await post("/v1/facts", { userId: "ann", topic: "color", rank: 1, value: blank })).status).toBe(400);
    expect((await post("/v1/people", { userId: "ann", name: "Pia", notes: blank })).status).toBe(400);
  });

  it("of what excludes each other: in a body by the schema, in a query by a rule", async () => {
    const messages = [{ role: "user", content: "tea" }];
    expect((await post("/v1/context", { userId: "ann", query: "tea", messages })).status).toBe(400);
    expect((await post("/v1/context", { userId: "ann" })).status).toBe(400);
    expect((await post("/v1/audit/erase", { userId: "ann", objectId: "mem_1" })).status).toBe(400);
    expect(answered(await get("/v1/memories?userId=ann&page=1&cursor=WzFd"))).toEqual([422, "unprocessable", "cursor"]);
    expect(answered(await get("/v1/entities?userId=ann"))).toEqual([422, "unprocessable", "sessionId"]);
  });

  it("of a request that breaks a schema and a rule: the schema counts", async () => {
    const answer = await get("/v1/usage?from=1960-01-01&to=never");
    expect(answered(answer)).toEqual([400, "invalid_input", "from"]);
  });
});

describe("a span that ends before it begins", () => {
  const [early, late] = ["2026-03-01T00:00:00Z", "2026-03-01T00:00:00.001Z"];
  const ask = async (path: string, { from, to }: { from: string; to: string }) =>
    path.startsWith("GET")
      ? await h.fetch<Problem>(
          "GET",
          `${path.slice(4)}${path.includes("?") ? "&" : "?"}from=${from}&to=${encodeURIComponent(to)}`,
        )
      : await h.fetch<Problem>("POST", path.slice(5), {
          body: { ...(path.includes("search") ? { userId: "ann", query: "x" } : {}), from, to },
        });

  it.each(["GET /v1/audit", "GET /v1/memories?userId=ann", "POST /v1/search", "POST /v1/jobs/rerun"])(
    "is 422, and one that is empty is not: %s",
    async (path) => {
      const { status, json } = await ask(path, { from: late, to: early });
      expect([status, json.code, json.fields?.map((field) => field.path)]).toEqual([422, "unprocessable", ["to"]]);
      expect((await ask(path, { from: late, to: "2026-03-01T01:00:00.001+01:00" })).status).toBe(200);
    },
  );

  it("is 422 of days", async () => {
    const { status, json } = await ask("GET /v1/usage", { from: "2026-03-02", to: "2026-03-01" });
    expect([status, json.fields?.map((field) => field.path)]).toEqual([422, ["to"]]);
  });
});

describe("a cursor of another list", () => {
  const place = "userId=ann&projectId=boat&limit=1";
  const POSITIONS = [[1], ["a"], [1, "a"], ["a", "", "", "a", 1]];
  let entity: string;
  beforeAll(async () => {
    await h.fetch("PUT", "/v1/projects/boat", { body: { userId: "ann" } });
    await h.fetch("POST", "/v1/sessions/sail/episodes", {
      body: { userId: "ann", projectId: "boat", messages: [{ role: "user", content: "The mast is new." }] },
    });
    const made = await h.fetch<{ id: string }>("POST", "/v1/entities", {
      body: { userId: "ann", projectId: "boat", name: "Mast", type: "thing" },
    });
    entity = made.json.id;
    await h.fetch("PUT", "/v1/sources/logbook", { body: {}, user: null });
  });

  const lists: Record<List, () => [method: "GET" | "POST", path: string, body?: object]> = {
    audit: () => ["GET", "/v1/audit?limit=1"],
    "audit-erase": () => ["POST", "/v1/audit/erase", { objectId: "none" }],
    doctor: () => ["GET", "/v1/doctor?"],
    entities: () => ["GET", `/v1/entities?${place}`],
    erasures: () => ["GET", "/v1/erasures?limit=1"],
    episodes: () => ["GET", "/v1/sessions/sail/episodes?userId=ann"],
    facts: () => ["GET", `/v1/facts?${place}`],
    files: () => ["GET", "/v1/sources/logbook/files?limit=1"],
    forgettings: () => ["GET", "/v1/forgettings?userId=ann&limit=1"],
    imports: () => ["GET", "/v1/imports?userId=ann&limit=1"],
    jobs: () => ["GET", "/v1/jobs?limit=1"],
    "jobs-rerun": () => ["POST", "/v1/jobs/rerun", {}],
    keys: () => ["GET", "/v1/keys?limit=1"],
    memories: () => ["GET", `/v1/memories?${place}`],
    mentions: () => ["GET", `/v1/entities/${entity}/mentions?${place}`],
    people: () => ["GET", "/v1/people?userId=ann"],
    projects: () => ["GET", "/v1/projects?userId=ann"],
    review: () => ["GET", "/v1/memories?status=pending&userId=ann"],
    sessions: () => ["GET", "/v1/sessions?userId=ann"],
    sources: () => ["GET", "/v1/sources?limit=1"],
    topics: () => ["GET", "/v1/topics?limit=1"],
    tree: () => ["GET", "/v1/sources/logbook/tree?limit=1"],
  };

  it.each(LISTS)("is 422 on the list of %s, whatever it holds", async (name) => {
    const [method, path, body] = lists[name]();
    const ask = async (cursor: string | undefined) =>
      body === undefined
        ? await h.fetch<Problem>(method, cursor === undefined ? path : `${path}&cursor=${cursor}`)
        : await h.fetch<Problem>(method, path, { body: { ...body, cursor } });
    expect((await ask(undefined)).status).toBe(200);
    for (const position of POSITIONS) {
      for (const other of LISTS.filter((list) => list !== name)) {
        const { status, json } = await ask(encodeCursor(other, position));
        expect([status, json.fields?.map((field) => field.path)], other).toEqual([422, ["cursor"]]);
      }
    }
  });

  it("is 422 of a real page, too", async () => {
    const { json } = await h.fetch<{ nextCursor: string }>("GET", "/v1/audit?limit=1");
    expect((await h.fetch("GET", `/v1/audit?cursor=${json.nextCursor}`)).status).toBe(200);
    expect((await h.fetch("GET", `/v1/sessions/sail/episodes?userId=ann&cursor=${json.nextCursor}`)).status).toBe(422);
  });
});

it("a compressed body is refused as compressed, on every route that takes one", async () => {
  const zipped = new Uint8Array(
    await new Response(new Blob(['{"query":"x"}']).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  );
  for (const coding of ["gzip", "GZIP", "br", "identity, deflate", "zstd"]) {
    for (const path of ["/v1/search", "/v1/jobs/rerun", "/v1/chat/completions"]) {
      const headers = { "content-encoding": coding, "content-type": "application/json" };
      const { status, json } = await h.fetch<Problem>("POST", path, { body: zipped, headers });
      expect([status, json.fields?.[0]?.path, json.fields?.[0]?.message]).toEqual([
        400,
        "content-encoding",
        expect.stringContaining("Compressed bodies are not taken"),
      ]);
    }
  }
  const plain = { body: {}, headers: { "content-encoding": "identity" } };
  expect((await h.fetch("POST", "/v1/jobs/rerun", plain)).status).toBe(200);
});

it.each(["1e9", "0x10", "1.5", "ten", ""])("a limit of %j is told to be a whole number in decimal digits", async (limit) => {
  const { status, json } = await h.fetch<Problem>("GET", `/v1/jobs?limit=${limit}`);
  expect([status, json.fields]).toEqual([400, [{ path: "limit", message: "A whole number in decimal digits." }]]);
});

it("a secret that jobs' errors are searched for is no name that is stored", async () => {
  const secret = `sk_live_${"4eC39HqLyjWDarjtT1zdp7dc"}`;
  expect((await h.fetch("POST", "/v1/jobs/rerun", { body: { error: secret } })).status).toBe(200);
  expect((await h.fetch("PUT", `/v1/users/${secret}`, { body: { name: "Ann" } })).status).toBe(422);
  const headers = { "idempotency-key": secret };
  expect((await h.fetch("POST", "/v1/jobs/rerun", { body: {}, headers })).status).toBe(422);
});

it("a server key that names nobody gets that error, whatever else is wrong", async () => {
  const person = `per_${crypto.randomUUID()}`;
  for (const [method, path, body] of [
    ["POST", `/v1/people/${person}/merge`, { from: person }],
    ["POST", "/v1/people/bad/merge", { from: "bad" }],
    ["POST", "/v1/people/merges/bad/undo", {}],
    ["GET", "/v1/people/bad", undefined],
    ["GET", "/v1/sessions/sail/episodes/bad", undefined],
    ["DELETE", "/v1/sessions/sail/episodes/bad", undefined],
    ["GET", "/v1/sessions/sail/episodes?cursor=WzFd", undefined],
    ["GET", "/v1/entities", undefined],
    ["GET", "/v1/entities/bad", undefined],
    ["GET", "/v1/entities/bad/mentions", undefined],
    ["DELETE", "/v1/entities/bad", undefined],
    ["GET", "/v1/people?cursor=WzFd", undefined],
    ["GET", "/v1/facts?topic=no-such-topic", undefined],
    ["GET", "/v1/memories/bad", undefined],
    ["GET", "/v1/memories/bad/history", undefined],
    ["GET", "/v1/memories?person=bad", undefined],
    ["POST", "/v1/entities/search", { query: "x" }],
  ] as const) {
    const { status, json } = await h.fetch<Problem>(method, path, { user: null, ...(body === undefined ? {} : { body }) });
    expect([status, json.detail, json.fields?.map((field) => field.path)], `${method} ${path}`).toEqual([
      400,
      expect.stringContaining("Name the user"),
      ["userId"],
    ]);
  }
});
