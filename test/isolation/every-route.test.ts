import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { OAUTH_PATHS } from "#core/oauth-addresses";
import type { Permission } from "#core/permission";
import { app } from "#surfaces/rest/app";
import { type Answer, createHarness, type Harness, type Request } from "#test/harness";
import { type Ids, modelServer, ROUTES, type Route } from "./routes.ts";
import { dump, OF_TENANT, PRIVATE, thingsOf } from "./things.ts";

const REQUEST_ID = "fixed-request-id";
const PERMISSIONS: readonly Permission[] = ["read", "write", "admin"];

type Problem = { status: number; code: string; detail: string; requestId: string; fields?: { path: string; message: string }[] };
type Side = { harness: Harness; ann: Ids; ben: Ids };

const log = vi.spyOn(console, "log");
let ours: Side;
let theirs: Side;
const keyWith: Record<Permission, string> = { read: "", write: "", admin: "" };
const keyWithout: Record<Permission, string> = { read: "", write: "", admin: "" };
/** Of ann's. */
let personal = "";
let expired = "";
let revoked = "";

async function revokedKey({ fetch }: Harness): Promise<string> {
  const { json } = await fetch<{ id: string; key: string }>("POST", "/v1/keys", {
    body: { name: "to be revoked", permissions: PERMISSIONS },
  });
  expect((await fetch("GET", "/v1/keys", { key: json.key })).status).toBe(200);
  expect((await fetch("DELETE", `/v1/keys/${json.id}`)).status).toBe(204);
  return json.key;
}

beforeAll(async () => {
  const [one, two] = [await createHarness(), await createHarness()];
  ours = { harness: one, ann: await thingsOf(one, "ann", "anns"), ben: await thingsOf(one, "ben", "bens") };
  // Another tenant's things have names of their own, so that they name nothing here.
  theirs = { harness: two, ann: await thingsOf(two, `${PRIVATE}-zoe`, "zoes"), ben: await thingsOf(two, "yan", "yans") };
  for (const harness of [one, two]) await harness.fetch("PATCH", "/v1/settings", { body: { upstream: { url: modelServer() } } });
  for (const permission of PERMISSIONS) {
    keyWith[permission] = await one.as([permission]);
    keyWithout[permission] = await one.as(PERMISSIONS.filter((other) => other !== permission));
  }
  personal = await personalKey("ann");
  expired = await one.as(PERMISSIONS);
  await env.DB.prepare("update keys set expires_at = 1 where id = (select max(id) from keys)").run();
  revoked = await revokedKey(one);
  document = (await one.fetch<Document>("GET", "/openapi.json", { key: null })).json;
});

afterAll(() => {
  const lines = log.mock.calls.flat().map(String);
  log.mockRestore();
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes(PRIVATE) || line.includes(OF_TENANT))).toEqual([]);
});

/** Words of the inside that no answer may hold. */
const INTERNAL =
  /sqlite|D1_|drizzle|syntax error|no such (table|column)|constraint|stack|\bat .*\.[jt]s|KEY_LIMITER|STRANGER|VECTORS?_|env\./i;

/** Internal ids of what the app named: of sessions, projects and users. */
const NAMED_INSIDE = /\b(?:ses|prj|usr)_[0-9a-f]{8}-/;

/** Everything that an answer says: its body, its headers, and what its cursors hold. */
function saidBy({ text, headers }: Answer<unknown>): string {
  const cursors = [...text.matchAll(/"nextCursor":"([\w-]+)"/g)].map(([, cursor = ""]) =>
    decodeURIComponent(atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))),
  );
  return [text, JSON.stringify([...headers]), ...cursors].join("\n");
}

/** Sends a request and holds every answer to what all answers promise. */
async function send(method: string, path: string, request: Request = {}): Promise<Answer<Problem>> {
  const answer = await ours.harness.fetch<Problem>(method, path, {
    ...request,
    headers: { "x-request-id": REQUEST_ID, ...request.headers },
  });
  // What it defers is a change too.
  await ours.harness.deferred();
  const described = `${method} ${path} ${answer.status} ${answer.text.slice(0, 300)}`;
  expect(answer.status, described).toBeLessThan(500);
  expect(answer.headers.get("x-request-id"), described).toBe(REQUEST_ID);
  expect(answer.headers.get("server-timing"), described).toMatch(/^total;dur=\d+/);
  expect(saidBy(answer)).not.toMatch(NAMED_INSIDE);
  if (answer.status >= 400) {
    expect(answer.headers.get("content-type"), described).toBe("application/problem+json");
    expect(answer.json, described).toMatchObject({
      type: `/docs/errors#${answer.json.code}`,
      status: answer.status,
      requestId: REQUEST_ID,
    });
    expect(answer.text, described).not.toMatch(INTERNAL);
  }
  return answer;
}

/** Routes after which others do not find their things as they were. */
const TAKES_AWAY =
  /^delete |^patch \/v1\/entities|\/(?:approve|cancel|erase|erasures|finish|lifecycle|merge|parts|rebuild|reject|rerun|restore|review|revoke|rotate|undo)$/;
/** All other routes of a suite may have the same things. */
const shared = new Map<string, Promise<Ids>>();

/** Things for one route of a suite. */
async function thingsFor(suite: string, name: string): Promise<Ids> {
  const id = TAKES_AWAY.test(name) ? `${suite}-${name.replaceAll(/\W+/g, "-")}` : suite;
  const made = shared.get(id) ?? thingsOf(ours.harness, id, id);
  shared.set(id, made);
  return await made;
}

const methodOf = (name: string) => (name.split(" ")[0] ?? "").toUpperCase();

function requestOf(route: Route, ids: Ids, key: string | null): Request {
  return {
    key,
    ...(route.body === undefined ? {} : { body: route.body(ids) }),
    ...(route.headers === undefined ? {} : { headers: route.headers(ids) }),
  };
}

/** What a client sees but for the time, of the clock and of the database; the costs in `server-timing` are for admins. */
function seen(answer: Answer<unknown>, admin: boolean) {
  const headers = new Map(answer.headers);
  headers.delete("x-edgewise-bookmark");
  const timing = headers.get("server-timing") ?? "";
  headers.set("server-timing", admin ? "" : timing.replaceAll(/\d+/g, "n"));
  return { status: answer.status, text: answer.text, headers: Object.fromEntries(headers) };
}

const routes = Object.entries(ROUTES);
const secured = routes.flatMap(([name, route]) =>
  route.permission === null ? [] : [[name, { ...route, permission: route.permission }] as const],
);

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};
type Operation = {
  security?: unknown[];
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

let document: Document;

const operationOf = (name: string): Operation | undefined => {
  const [method = "", path = ""] = name.split(" ");
  return document.paths[path]?.[method];
};

/** Parameters that name users, of the query and of headers. */
const parametersOf = (name: string): string[] =>
  (operationOf(name)?.parameters ?? [])
    .filter((parameter) => parameter.in !== "path" && NAMES_OF_USERS.includes(parameter.name))
    .map((parameter) => parameter.name);

/** Fields of the body that name users, as the document has them. */
const fieldsOf = (name: string): string[] =>
  Object.values(operationOf(name)?.requestBody?.content ?? {}).flatMap(({ schema }) => fieldsIn(schema));

function fieldsIn(schema: Schema): string[] {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const referred = $ref === undefined ? undefined : document.components.schemas[$ref.split("/").at(-1) ?? ""];
  const parts = [
    ...anyOf,
    ...oneOf,
    ...allOf,
    ...(items === undefined ? [] : [items]),
    ...(referred === undefined ? [] : [referred]),
  ];
  return [
    ...parts.flatMap(fieldsIn),
    ...Object.entries(properties).flatMap(([field, inner]) =>
      NAMES_OF_USERS.includes(field) ? [field] : fieldsIn(inner).map((rest) => `${field}.${rest}`),
    ),
  ];
}

async function documented() {
  const { json } = await ours.harness.fetch<Document>("GET", "/openapi.json", { key: null });
  return Object.entries(json.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );
}

describe("the table of routes", () => {
  it("has every operation of the OpenAPI document and no other", async () => {
    expect((await documented()).map(({ name }) => name).toSorted()).toEqual(Object.keys(ROUTES).toSorted());
  });

  it("has every route that the app serves", () => {
    const served = app.routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    const open = ["get /", "get /docs", "get /openapi.json"];
    // Its tools have tests of their own: mcp.test.ts beside this, and test/flows/mcp-access.test.ts.
    const others = ["post /mcp"];
    // test/flows/oauth.test.ts.
    const oauth = Object.values(OAUTH_PATHS).map((path) => `${path.includes("well-known") ? "get" : "post"} ${path}`);
    const expected = [...Object.keys(ROUTES), ...open, ...others, ...oauth, `get ${OAUTH_PATHS.authorize}`];
    expect([...new Set(served)].toSorted()).toEqual(expected.toSorted());
  });

  it("is checked against a dump that has the words, ids and names of all", async () => {
    const all = await dump();
    for (const part of [PRIVATE, OF_TENANT, ours.ann.memory, theirs.ann.session, ours.ben.key]) expect(all).toContain(part);
  });

  it("says of each operation that needs a key that it does", async () => {
    for (const { name, operation } of await documented())
      expect(operation.security?.length === 0, name).toBe(ROUTES[name]?.permission === null);
  });
});

describe.each(secured)("%s", (name, route) => {
  const method = methodOf(name);

  it("needs a key that is known, in force and not revoked: 401, and nothing changes", async () => {
    const before = await dump();
    const path = route.path(ours.ann);
    const answers = await Promise.all(
      [null, "", "nonsense", `ew_${"a".repeat(40)}`, expired, revoked].map(
        async (key, i) =>
          await send(method, path, { ...requestOf(route, ours.ann, key), headers: { "cf-connecting-ip": `${name} ${i}` } }),
      ),
    );
    for (const answer of answers) {
      expect(seen(answer, false).status).toBe(401);
      expect(answer.text).toBe(answers[0]?.text);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="edgewise"');
    }
    expect(await dump()).toBe(before);
  });

  it("needs its permission: 403 that names it, and nothing changes", async () => {
    const before = await dump();
    const answer = await send(method, route.path(ours.ann), requestOf(route, ours.ann, keyWithout[route.permission]));
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({ code: "forbidden", detail: expect.stringContaining(`"${route.permission}"`) });
    expect(await dump()).toBe(before);
  });

  it("refuses a key from a foreign page: 403 that says what to do instead", async () => {
    const before = await dump();
    for (const origin of ["https://evil.example", "null", "http://edgewise.test"]) {
      const answer = await send(method, route.path(ours.ann), {
        ...requestOf(route, ours.ann, ours.harness.key),
        headers: { origin },
      });
      expect(answer.status).toBe(403);
      expect(answer.json.detail).toContain("from your server");
      // So that the page can read why.
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    }
    expect(await dump()).toBe(before);
  });

  it("answers another tenant's things as what does not exist, and changes nothing of theirs", async () => {
    await expectForeign(theirs.ann, route.otherTenant, {
      user: "nobody-here",
      session: "none-session",
      project: "none-project",
      member: "none-member",
      episode: "epi_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      key: "key_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      job: "job_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      person: "per_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      forgetting: "fgt_01a1f92c-720b-7527-9cd5-76463f8b4abd",
      spare: "per_01a1f92c-720b-7527-9cd5-76463f8b4abd",
      merge: "mrg_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      memory: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      waiting: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abd",
      gone: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abe",
      entity: "ent_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      source: "none-source",
      file: "fil_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      topic: "topic_none",
      import: "imp_none",
      response: "resp_none",
      erasure: "ers_01a1f92c-720b-7527-9cd5-76463f8b4abc",
    });
  });

  it("answers another user's things as what does not exist, and changes nothing of theirs", async () => {
    const { user: _user, key: _key, job: _job, ...things } = ours.ben;
    await expectForeign({ ...ours.ann, ...things }, route.otherUser, {
      ...ours.ann,
      session: "none-session",
      project: "none-project",
      episode: "epi_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      memory: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      waiting: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abd",
      gone: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abe",
      forgetting: "fgt_01a1f92c-720b-7527-9cd5-76463f8b4abd",
      entity: "ent_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      import: "imp_01a1f92c-720b-7527-9cd5-76463f8b4abc",
      source: "none-source",
      file: "fil_01a1f92c-720b-7527-9cd5-76463f8b4abc",
    });
  });

  async function expectForeign(foreign: Ids, naming: Route["otherTenant"], absent: Ids): Promise<void> {
    if (naming === "nothing" || naming === "own") return;
    const key = keyWith[route.permission];
    // A place that is opened is read, and the reading is counted.
    const unchanged = { counts: naming !== "opened" };
    const before = await dump(unchanged);
    const answer = await send(method, route.path(foreign), requestOf(route, foreign, key));
    if (naming === "list") {
      expect(answer.status).toBe(200);
      for (const id of [...Object.values(theirs.ann), ...Object.values(ours.ben)]) {
        if (![ours.ben.key, ours.ben.job, ours.ben.topic, ours.ben.erasure].includes(id))
          expect(answer.text).not.toContain(`"${id}"`);
      }
    } else if (naming === "undecided") {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"outcome":"refused"');
      expect(answer.text).toContain('"code":"not_found"');
      expect(answer.text).not.toContain(PRIVATE);
    } else if (naming === "known") {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(`${PRIVATE} notes`);
    } else if (naming === "opened") {
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).not.toContain(PRIVATE);
    } else if (naming === "forbidden") {
      expect(answer.json).toMatchObject({ status: 403, code: "forbidden" });
    } else {
      expect(answer.status, answer.text).toBe(404);
      expect(answer.json.code).toBe("not_found");
    }
    if (naming === "missing" || naming === "opened") {
      const missing = await send(method, route.path(absent), requestOf(route, absent, key));
      expect(seen(answer, route.permission === "admin")).toEqual(seen(missing, route.permission === "admin"));
    }
    expect(await dump(unchanged)).toBe(before);
  }
});

/** Fields by which a request names the user for whom it acts, or another in their place; who takes part is named by others. */
const NAMES_OF_USERS = ["userId", "ownerId", "user", "user_id", "x-edgewise-user"];

type Body = Record<string, unknown>;
const asBody = (value: unknown): Body | null => (typeof value === "object" && value !== null ? (value as Body) : null);

/** Where a body names users, as paths of names and indices. */
function namesIn(body: unknown): string[][] {
  return Object.entries(asBody(body) ?? {}).flatMap(([name, value]) =>
    NAMES_OF_USERS.includes(name) ? [[name]] : namesIn(value).map((rest) => [name, ...rest]),
  );
}

/** A copy in which the field of that path has the value, or is left out where that is undefined. */
function withValue(body: Body, [name = "", ...rest]: readonly string[], value: unknown): Body {
  const copy: Body = Array.isArray(body) ? ([...body] as unknown as Body) : { ...body };
  if (rest.length > 0) copy[name] = withValue(asBody(copy[name]) ?? {}, rest, value);
  else if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}

const unnamed = (body: Body): Body => namesIn(body).reduce((rest, path) => withValue(rest, path, undefined), body);

function withoutUser(path: string): string {
  const url = new URL(path, "https://edgewise.test");
  url.searchParams.delete("userId");
  return `${url.pathname}${url.search}`;
}

/** The route's request, naming nobody. */
function unnamedRequest(route: Route, ids: Ids, key: string): [path: string, request: Request] {
  const { body, headers } = route;
  return [
    withoutUser(route.path(ids)),
    { key, user: null, ...(body && { body: unnamed(body(ids)) }), ...(headers && { headers: headers(ids) }) },
  ];
}

const personalKey = async (userId: string) =>
  (await ours.harness.fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "personal", userId } })).json.key;

describe("a server key", () => {
  // A group's participants name the user who acts: the first of them (keys.test.ts).
  const isUnnamed = ([name, { about }]: (typeof secured)[number]) => about === "user" && name !== "put /v1/sessions/{sessionId}";

  it.each(secured.filter(isUnnamed))(
    "names the user in %s, or is answered with 400, and nothing changes",
    async (name, route) => {
      const before = await dump();
      const [path, request] = unnamedRequest(route, ours.ann, keyWith[route.permission]);
      const answer = await send(methodOf(name), path, request);
      expect(answer.json, answer.text).toMatchObject({ status: 400, code: "invalid_input" });
      expect(answer.json.detail).toContain("Name the user");
      expect(NAMES_OF_USERS).toContain(answer.json.fields?.[0]?.path);
      expect(await dump()).toBe(before);
    },
  );
});

describe("a personal key", () => {
  const named = secured.filter(([, { about }]) => about === "user" || about === "named");

  it.each(named)("names nobody else in %s: 403 wherever the name is, and nothing changes", async (name, route) => {
    const before = await dump();
    const [path, request] = unnamedRequest(route, ours.ann, personal);
    const bodies = [...(route.body === undefined ? [] : [route.body(ours.ann)]), ...(route.otherBodies?.(ours.ann) ?? [])];
    const attempts: [string, Request][] = [
      ...bodies.flatMap((body) =>
        namesIn(body).map((field): [string, Request] => [path, { ...request, body: withValue(unnamed(body), field, "ben") }]),
      ),
      ...parametersOf(name).flatMap((parameter): [string, Request][] => {
        if (parameter === "x-edgewise-user") return [[path, { ...request, headers: { ...request.headers, [parameter]: "ben" } }]];
        return [[`${path}${path.includes("?") ? "&" : "?"}${parameter}=ben`, request]];
      }),
      ...(route.about === "named" ? [[route.path({ ...ours.ann, user: "ben" }), request] as [string, Request]] : []),
    ];
    expect(attempts.length).toBeGreaterThan(0);
    for (const [asked, attempt] of attempts) {
      const answer = await send(methodOf(name), asked, attempt);
      expect(answer.json, `${asked} ${JSON.stringify(attempt.body)} ${answer.text}`).toMatchObject({
        status: 403,
        code: "forbidden",
      });
    }
    // Every field of the schema that names a user was tried.
    const tried = new Set(
      bodies.flatMap((body) => namesIn(body).map((field) => field.filter((part) => !/^\d+$/.test(part)).join("."))),
    );
    expect(fieldsOf(name).filter((field) => !tried.has(field))).toEqual([]);
    expect(await dump()).toBe(before);
  });

  it.each(secured.filter(([, { about }]) => about === "tenant"))(
    "does not %s, which is the whole tenant's",
    async (name, route) => {
      const before = await dump();
      const answer = await send(methodOf(name), route.path(ours.ann), { ...requestOf(route, ours.ann, personal), user: null });
      expect(answer.json, answer.text).toMatchObject({ status: 403, code: "forbidden" });
      expect(await dump()).toBe(before);
    },
  );

  it.each(secured.filter(([, { about }]) => about === "nobody"))("may %s, which is about nobody", async (name, route) => {
    const answer = await ours.harness.fetch(methodOf(name), route.path(ours.ann), {
      ...requestOf(route, ours.ann, personal),
      user: null,
    });
    expect(answer.status, answer.text).toBeLessThan(300);
  });

  it.each(named)("acts for its user in %s, who need not be named", async (name, route) => {
    const own = await thingsFor("personal", name);
    const [path, request] = unnamedRequest(route, own, await personalKey(own.user));
    const answer = await send(methodOf(name), path, request);
    expect(answer.status, answer.text).toBeLessThan(300);
  });
});

// From here on there are many things, so that comparing all of them takes long.
describe("a key with one permission", () => {
  it.each(secured)("may %s", async (name, route) => {
    const own = await thingsFor("allowed", name);
    const answer = await send(methodOf(name), route.path(own), requestOf(route, own, keyWith[route.permission]));
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(answer.text).not.toContain('"working":false');
    const timing = answer.headers.get("server-timing");
    if (route.permission === "admin") expect(timing).toContain("trips=");
    else expect(timing).toMatch(/^total;dur=\d+$/);
  });
});

describe("an idempotency key", () => {
  /** Another server answers them. */
  const passedOn = ["chat/completions", "responses", "responses/{responseId}/cancel"].map((path) => `post /v1/${path}`);
  const posts = secured.filter(([name]) => methodOf(name) === "POST" && !passedOn.includes(name));
  const WORDS = /xylophone|marmalade|roses|Rosie|tulips|tea|wood|green|garden/i;

  it("is taken by each POST that changes something, and by no other", async () => {
    const takes = (await documented()).filter(({ operation }) =>
      operation.parameters?.some(({ in: place, name }) => place === "header" && name === "idempotency-key"),
    );
    const asks = [
      "search",
      "context",
      "answer",
      "extract",
      "entities/search",
      "embeddings",
      "tokens",
      "erasures/{erasureId}/verify",
      "sources/{sourceId}/files/compare",
      // Sent again, it adds nothing: messages are known by their ids.
      "imports/{importId}/parts",
    ].map((path) => `post /v1/${path}`);
    const expected = posts.map(([name]) => name).filter((name) => !asks.includes(name));
    expect(takes.map(({ name }) => name).sort()).toEqual(expected.sort());
  });

  it.each(posts)("of %s keeps no content", async (name, route) => {
    const own = await thingsFor("kept", name);
    const request = requestOf(route, own, keyWith[route.permission]);
    const twice = { ...request, headers: { ...request.headers, "idempotency-key": name } };
    const first = await send("POST", route.path(own), twice);
    const { results } = await env.DB.prepare("select response_body as body from idempotency where key = ?").bind(name).all();
    expect(JSON.stringify(results)).not.toMatch(WORDS);
    const again = await send("POST", route.path(own), twice);
    const isKept = results.length > 0 && name !== "post /v1/keys";
    expect([first.status, again.status]).toEqual(isKept ? [first.status, first.status] : [first.status, expect.any(Number)]);
    expect(again.headers.get("idempotency-replayed")).toBe(isKept ? "true" : null);
    if (isKept) expect(again.text).not.toMatch(WORDS);
  });
});

describe("a key without read", () => {
  it.each(secured)("gets nothing back from %s that users said", async (name, route) => {
    const own = await thingsFor("blind", name);
    const request = requestOf(route, own, keyWithout.read);
    // First what changes nothing, which could answer with what is there.
    const idle = route.body !== undefined && "userId" in route.body(own) ? { userId: own.user } : {};
    for (const body of route.body === undefined ? [undefined] : [idle, route.body(own)]) {
      const answer = await send(methodOf(name), route.path(own), { ...request, ...(body && { body }), user: null });
      if (route.permission === "read") expect(answer.status, answer.text).toBe(body === idle ? 400 : 403);
      expect(answer.text).not.toContain(PRIVATE);
      expect(JSON.stringify([...answer.headers])).not.toContain(PRIVATE);
    }
  });
});

describe("names are each tenant's own", () => {
  it.each(routes.filter(([, route]) => route.otherTenant === "own"))("%s makes a thing of one's own", async (name, route) => {
    const theirRows = async () => {
      const { results } = await env.DB.prepare(
        "select (select count(*) from audit a where a.tenant_id = t.id) as audited, (select json_group_array(name) from users u where u.tenant_id = t.id) as users, (select json_group_array(title || next_seq) from sessions s where s.tenant_id = t.id) as sessions from tenants t where t.id = ?",
      )
        .bind(theirs.harness.tenantId)
        .all();
      return JSON.stringify(results);
    };
    const before = await theirRows();
    const answer = await send(methodOf(name), route.path(theirs.ben), requestOf(route, theirs.ben, keyWith.write));
    expect(answer.status).toBeLessThan(300);
    expect(await theirRows()).toBe(before);
  });
});

describe("input", () => {
  const withBody = routes.flatMap(([name, route]) =>
    route.body === undefined || route.isFile ? [] : [[name, { ...route, body: route.body }] as const],
  );

  it.each(withBody)("%s refuses what is not JSON", async (name, route) => {
    for (const body of ["{", "", "{'a': 1}", "[1,", "\u0000", '{"a": \u2028}']) {
      const answer = await send(methodOf(name), route.path(ours.ann), { body });
      expect(answer.status, JSON.stringify(body)).toBe(400);
      expect(answer.json).toMatchObject({ code: "invalid_input", fields: [{ path: expect.any(String) }] });
    }
  });

  it.each(withBody)("%s refuses JSON that is no object", async (name, route) => {
    for (const body of ["null", "1", '"text"', "[]", "true"]) {
      expect((await send(methodOf(name), route.path(ours.ann), { body })).json, body).toMatchObject({ code: "invalid_input" });
    }
  });

  it.each(withBody)("%s refuses JSON that does not say that it is JSON", async (name, route) => {
    const request = { body: JSON.stringify(route.body(ours.ann)), headers: { "content-type": "text/plain" } };
    const answer = await send(methodOf(name), route.path(ours.ann), request);
    expect(answer.json).toMatchObject({ code: "invalid_input" });
  });

  it.each(withBody.filter(([, route]) => route.passesOn === undefined))(
    "%s names a field that it does not know",
    async (name, route) => {
      const answer = await send(methodOf(name), route.path(ours.ann), { body: { ...route.body(ours.ann), surprise: 1 } });
      expect(answer.json).toMatchObject({ code: "invalid_input" });
      expect(JSON.stringify(answer.json.fields)).toContain("surprise");
    },
  );

  it.each(withBody)("%s names each field of the wrong type", async (name, route) => {
    const valid = route.body(ours.ann);
    for (const field of Object.keys(valid).filter((name) => ![...(route.passesOn ?? []), ...(route.raw ?? [])].includes(name))) {
      for (const wrong of [{ not: "this" }, [[]], 1.5e300]) {
        const answer = await send(methodOf(name), route.path(ours.ann), { body: { ...valid, [field]: wrong } });
        expect(answer.status, `${field} ${answer.text}`).toBe(400);
        expect(answer.json.code).toBe("invalid_input");
        expect(
          answer.json.fields?.some(({ path }) => path.startsWith(field)),
          `${field} ${answer.text}`,
        ).toBe(true);
      }
    }
  });

  it.each(withBody)("%s refuses a body of more than 1,000,000 bytes, or its own limit: 413", async (name, route) => {
    const { maxBytes = 1_000_000 } = route;
    const body = JSON.stringify({ ...route.body(ours.ann), padding: "x".repeat(maxBytes) });
    const answer = await send(methodOf(name), route.path(ours.ann), { body });
    expect(answer.status).toBe(413);
    expect(answer.json).toMatchObject({ code: "payload_too_large", detail: expect.stringContaining(` ${maxBytes} `) });
  });

  it("names parameters that are unknown or wrong", async () => {
    for (const { name, operation } of await documented()) {
      const route = ROUTES[name];
      const parameters = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === "query")
        .map((parameter) => parameter.name);
      if (route === undefined || parameters.length === 0) continue;
      const path = route.path(ours.ann);
      const ask = async (extra: string) =>
        await send(
          methodOf(name),
          `${path}${path.includes("?") ? "&" : "?"}${extra}`,
          requestOf(route, ours.ann, ours.harness.key),
        );
      const unknown = await ask("surprise=1");
      expect(unknown.status, name).toBe(400);
      expect(JSON.stringify(unknown.json.fields)).toContain("surprise");
      for (const [parameter, values] of Object.entries({
        cursor: ["!", "%F0%9F", ""],
        order: ["up"],
        status: ["odd"],
      })) {
        for (const value of parameters.includes(parameter) ? values : []) {
          const answer = await ask(`${parameter}=${value}`);
          expect(answer.json, `${name} ${parameter}=${value}`).toMatchObject({
            code: "invalid_input",
            fields: [{ path: parameter }],
          });
        }
      }
      // Of the right form, and of no list.
      for (const cursor of parameters.includes("cursor") ? ["bm9uc2Vuc2U", "W10"] : []) {
        expect((await ask(`cursor=${cursor}`)).json, `${name} ${cursor}`).toMatchObject({
          code: "unprocessable",
          fields: [{ path: "cursor" }],
        });
      }
      for (const limit of parameters.includes("limit") && !path.includes("limit") ? ["0", "101", "-1", "1.5", "abc", ""] : []) {
        expect((await ask(`limit=${limit}`)).json, `${name} ${limit}`).toMatchObject({
          code: "invalid_input",
          fields: [{ path: "limit" }],
        });
      }
    }
  });
});

describe("what is no route", () => {
  it("is answered as a problem", async () => {
    for (const [method, path] of [
      ["GET", "/nowhere"],
      ["GET", "/v1/nowhere"],
      ["GET", "/v1/sessions/"],
      ["GET", "/v1/../v1/nowhere"],
    ] as const) {
      const answer = await send(method, path);
      expect(answer.status, path).toBe(404);
      expect(answer.json.code).toBe("not_found");
    }
    for (const [method, path] of [
      ["POST", "/v1/health"],
      ["DELETE", "/v1/settings"],
      ["PUT", "/v1/sessions/a%2Fb/episodes"],
    ] as const) {
      const answer = await send(method, path);
      expect(answer.status, path).toBe(405);
      expect(answer.json.code).toBe("method_not_allowed");
    }
    expect((await send("GET", "/v1/nowhere", { key: null })).status).toBe(401);
    expect((await send("GET", "/nowhere", { key: null })).status).toBe(404);
  });
});

/** They need no table that is gone, or do without it. */
const UNSHAKEN = [
  ...["get /v1/keys", "get /v1/health/deep", "get /v1/models", "get /v1/models/{model}"],
  ...["post /v1/chat/completions", "post /v1/responses", "post /v1/embeddings"],
  ...["get /v1/responses/{responseId}", "delete /v1/responses/{responseId}", "post /v1/responses/{responseId}/cancel"],
  ...["get /v1/responses/{responseId}/input_items", "get /v1/erasures", "get /v1/erasures/{erasureId}"],
  // Without its length, an upload is refused before anything is looked up.
  "put /v1/sources/{sourceId}/files",
];

describe("when the database fails", () => {
  it.each(secured)("%s answers one fixed sentence, and the log tells no words", async (name, route) => {
    const tables = ["sessions", "projects", "users", "jobs", "settings", "audit", "topics", "usage"];
    const from = log.mock.calls.length;
    await env.DB.batch(tables.map((table) => env.DB.prepare(`alter table ${table} rename to away_${table}`)));
    const answer = await ours.harness
      .fetch<Problem>(methodOf(name), route.path({ ...ours.ann, user: `${PRIVATE}-ann` }), {
        ...requestOf(route, { ...ours.ann, user: `${PRIVATE}-ann` }, ours.harness.key),
        headers: { "x-request-id": REQUEST_ID },
      })
      .finally(() => env.DB.batch(tables.map((table) => env.DB.prepare(`alter table away_${table} rename to ${table}`))));
    expect(answer.text).not.toMatch(INTERNAL);
    const lines = log.mock.calls.slice(from).flat().map(String);
    expect(lines.join("\n")).not.toContain(PRIVATE);
    if (answer.status !== 500) return expect(UNSHAKEN, answer.text).toContain(name);
    expect(answer.json).toMatchObject({
      code: "internal",
      detail: "Something went wrong here. The request id finds it in the log.",
      requestId: REQUEST_ID,
    });
    expect(lines.some((line) => line.includes("request.failed") && line.includes(REQUEST_ID))).toBe(true);
  });
});
