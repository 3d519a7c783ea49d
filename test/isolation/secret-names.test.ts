import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Answer, createHarness, type Harness, type Request } from "#test/harness";
import { ANY_NAME, type Path, type Schema, stringFields, withAt } from "#test/string-fields";
import { type Ids, keptResponse, modelServer, ROUTES } from "./routes.ts";

/** Each as it is written, and as it may not be anywhere afterwards. */
const SECRETS = [
  { sent: "sk_live_4eC39HqLyjWDarjtT1zdp7dc", kept: "4eC39HqLyjWDarjtT1zdp7dc" },
  { sent: "4539\u00a01488\u00a00343\u00a06467", kept: "4539\u00a01488" },
  { sent: "my password: hunter2x9", kept: "hunter2x9" },
] as const;
const [{ sent: KEY }] = SECRETS;

type Problem = { code: string; detail: string; fields?: { path: string; message: string }[] };
type Parameter = { in: string; name: string };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

const log = vi.spyOn(console, "log");
let h: Harness;
let ids: Ids;
let document: Document;

beforeAll(async () => {
  h = await createHarness();
  ids = await things();
  document = (await h.fetch<Document>("GET", "/openapi.json")).json;
  await h.fetch("PATCH", "/v1/settings", { body: { upstream: { url: modelServer() } } });
});
afterAll(() => log.mockRestore());

async function things(): Promise<Ids> {
  const [user, session, project, member] = ["ann", "anns-session", "anns-project", "bob"];
  const make = async (method: string, path: string, body: Record<string, unknown>) =>
    (await h.fetch<{ id: string }>(method, path, { body: { userId: user, ...body } })).json.id;
  await make("PUT", `/v1/projects/${project}`, {});
  await make("PUT", `/v1/sessions/${session}`, { participants: [user] });
  const episode = await make("POST", `/v1/sessions/${session}/episodes`, { messages: [{ role: "user", content: "tea" }] });
  const [person, spare, from] = [
    await make("POST", "/v1/people", { name: "Ros" }),
    await make("POST", "/v1/people", { name: "Rob" }),
    await make("POST", "/v1/people", { name: "Roy" }),
  ];
  const gone = await make("POST", "/v1/memories", { content: "grew roses" });
  await h.fetch("DELETE", `/v1/memories/${gone}?userId=${user}`);
  const learned = await make("POST", "/v1/memories", { content: "tea", learnedIn: { sessionId: session, episodeId: episode } });
  const forgotten = await h.fetch<{ forgettingId: string }>("DELETE", `/v1/memories/${learned}?userId=${user}`);
  return {
    ...{ user, session, project, member, episode, person, spare, gone, job: "job_none" },
    forgetting: forgotten.json.forgettingId,
    key: (await h.fetch<{ id: string }>("POST", "/v1/keys", { body: { name: "key" } })).json.id,
    merge: await make("POST", `/v1/people/${person}/merge`, { from }),
    memory: await make("POST", "/v1/memories", { content: "grows roses" }),
    waiting: await make("POST", "/v1/memories", { content: "may grow roses", confidence: 0.1 }),
    entity: await make("POST", "/v1/entities", { projectId: project, type: "tool", name: "Spade" }),
    ...(await documents(project)),
    topic: "garden_tools",
    import: await make("POST", "/v1/imports", { platform: "chatgpt", fileName: "chats.json", sha256: "0".repeat(64) }),
    response: await keptResponse("tea"),
    source: "none-source",
    erasure: "ers_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  };
}

async function documents(projectId: string): Promise<Pick<Ids, "source" | "file">> {
  await h.fetch("PUT", "/v1/sources/anns-source", { body: { userId: "ann", projectId } });
  const body = { userId: "ann", files: [{ path: "roses.md", content: "tea" }] };
  const { json } = await h.fetch<{ items: { id: string }[] }>("POST", "/v1/sources/anns-source/files", { body });
  return { source: "anns-source", file: json.items[0]?.id ?? "" };
}

/** Tables that hold one of the texts, and lines of the log; the pages of the text indexes only they can read. */
async function holding(texts: readonly string[]): Promise<string[]> {
  const { results: tables } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_cf%' and name not like '%_fts%'",
  ).all<{ name: string }>();
  const all = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)));
  const kept = [...tables.map(({ name }, i): [string, unknown] => [name, all[i]?.results])].map(
    ([name, rows]): [string, string] => [name, JSON.stringify(rows)],
  );
  logged += log.mock.calls
    .slice(written)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
  written = log.mock.calls.length;
  return [...kept, ["log", logged]].flatMap(([name = "", text = ""]) => {
    return texts.filter((each) => text.includes(JSON.stringify(each).slice(1, -1))).map((each) => `${name}: ${each}`);
  });
}

/** All lines of the log, of which so many are written here: to write all each time would take longer than the requests. */
let logged = "";
let written = 0;

async function expectNowhere(): Promise<void> {
  await h.settle();
  expect(await holding(SECRETS.map(({ kept }) => kept))).toEqual([]);
}

/** Bodies of the routes that take one thing or many, for the many. */
const MANY: Readonly<Record<string, Record<string, unknown>>> = {
  episodes: { userId: "ann", episodes: [{ messages: [{ role: "user", content: "tea" }] }] },
  memories: { userId: "ann", memories: [{ content: "drinks tea" }] },
  facts: { userId: "ann", facts: [{ topic: "color", value: "red" }] },
};

function bodyFor(base: Record<string, unknown> | undefined, path: Path, value: string): unknown {
  const root = String(path[0]);
  const whole = base !== undefined && root in base ? base : (MANY[root] ?? base ?? {});
  if (path.at(-1) !== ANY_NAME) return withAt(whole, path, value);
  return withAt(whole, [...path.slice(0, -1), "name"], value);
}

/** The same, with the secret for the name of a member. */
function namedBody(base: Record<string, unknown> | undefined, path: Path, value: string): unknown {
  return withAt(base ?? {}, [...path.slice(0, -1), value], "value");
}

const described = (path: Path) => path.join(".");
const isChat = (name: string) => name === "post /v1/chat/completions" || name === "post /v1/responses";

/** Texts that are stored with a mark in the secret's place or not at all, what is sealed, and what goes on to the model server. */
const TAKEN =
  /^(?:(?:episodes\.0\.)?messages\.0\.(?:content(?:\.0\.\w+)?|text|speaker|name|refusal)|files\.0\.content|upstream\.apiKey)$/;
/** Of a route that reads or deletes, of what a route does not store or stores with a mark, nothing is refused: `nothing is kept` is what counts. */
const STORES_NONE =
  /^(?:get|delete) |^post \/v1\/(?:search|context|answer|entities\/search|sources\/\{sourceId\}\/files\/compare|erasures\/\{erasureId\}\/verify|imports\/\{importId\}\/parts|extract|audit\/erase|jobs\/rerun|lifecycle|doctor|chat\/completions|responses(?:\/.*)?|embeddings)$/;

/** What erases the things that the others are about comes last, the user at the end. */
const ERASES = /^(?:post \/v1\/erasures|delete \/v1\/(?:users|sessions|projects|sources)\/\{\w+\})$/;
const orderOf = (name: string) => (ERASES.test(name) ? (name.includes("{userId}") ? 2 : 1) : 0);
const NAMES = Object.keys(ROUTES).toSorted((a, b) => orderOf(a) - orderOf(b));

describe.each(NAMES)("9: a secret in any string of %s", (name) => {
  const [method = "", template = ""] = name.split(" ");
  const route = ROUTES[name];
  beforeAll(async () => {
    const waiting = { userId: ids.user, content: `may grow roses for ${name}`, confidence: 0.1 };
    ids.waiting = (await h.fetch<{ id: string }>("POST", "/v1/memories", { body: waiting })).json.id;
    // An erasure waits for the lease of a job that runs when it comes.
    if (ERASES.test(name)) await h.settle();
  });

  const operation = () => document.paths[template]?.[method] ?? {};
  const send = async (request: Request, path = route?.path(ids) ?? ""): Promise<Answer<Problem>> => {
    const headers = { ...route?.headers?.(ids), ...request.headers };
    const answer = await h.fetch<Problem>(method.toUpperCase(), path, { ...request, headers });
    expect(answer.status, answer.text).toBeLessThan(500);
    return answer;
  };
  const body = () => route?.body?.(ids);
  const valid = (): Request => (body() === undefined ? {} : { body: body() });

  const expectRefused = ({ status, json, text }: Answer<Problem>, what: string) => {
    for (const { kept } of SECRETS) expect(text).not.toContain(kept);
    // Each decision is refused by itself.
    if (name === "post /v1/memories/review" && status === 200) return expect(text).toMatch(/"refused".*Secrets are never stored/);
    expect([what, status], text).toEqual([what, expect.toSatisfy((code: number) => code === 422 || code === 400)]);
    expect(json.fields?.length, text).toBeGreaterThan(0);
    // What is no address, no zone or no message at all is refused as such before its letters are looked at.
    if (status === 422 && !/^(timeZone|allowedOrigins|upstream\.url|(episodes\.0\.)?messages\.0\.content\.0)/.test(what))
      expect(json.fields?.[0]?.message, what).toMatch(/^Secrets are never stored/);
  };

  it("of the body is refused, or stored without it", async () => {
    const schema = operation().requestBody?.content["application/json"]?.schema;
    const fields = schema === undefined ? [] : stringFields(schema, document.components.schemas);
    expect(
      fields.length > 0 || body() === undefined || Object.values(body() ?? {}).every((each) => typeof each !== "string"),
    ).toBe(true);
    for (const field of fields) {
      for (const { sent } of SECRETS) {
        const answer = await send({ body: bodyFor(body(), field, sent) });
        if (!STORES_NONE.test(name) && !TAKEN.test(described(field))) expectRefused(answer, described(field));
        if (field.at(-1) !== ANY_NAME) continue;
        const named = await send({ body: namedBody(body(), field, sent) });
        if (!isChat(name)) expectRefused(named, `the name of ${described(field)}`);
      }
    }
    await expectNowhere();
  });

  it("of its path and query is refused or not stored", async () => {
    for (const parameter of operation().parameters ?? []) {
      const path = route?.path(ids) ?? "";
      const [route_, query = ""] = path.split("?");
      for (const { sent } of SECRETS) {
        const encoded = encodeURIComponent(sent);
        if (parameter.in === "path") {
          const at = template.split("/").indexOf(`{${parameter.name}}`);
          const parts = (route_ ?? "").split("/").map((part, i) => (i === at ? encoded : part));
          const answer = await send(valid(), [parts.join("/"), query].filter((part) => part !== "").join("?"));
          if (!STORES_NONE.test(name)) expectRefused(answer, parameter.name);
        } else if (parameter.in === "query") {
          const named = new URLSearchParams(query);
          named.set(parameter.name, sent);
          const answer = await send(valid(), `${route_}?${named}`);
          if (!STORES_NONE.test(name)) expectRefused(answer, parameter.name);
        }
      }
    }
    await expectNowhere();
  });

  it("of its headers is refused or not stored", async () => {
    const own = (operation().parameters ?? [])
      .filter((parameter) => parameter.in === "header")
      .map((parameter) => parameter.name);
    for (const header of new Set([
      ...own,
      "idempotency-key",
      "x-request-id",
      "if-match",
      "x-edgewise-bookmark",
      "user-agent",
      "origin",
    ])) {
      for (const sent of [KEY, "4539-1488-0343-6467", "password:hunter2x9"]) {
        const answer = await send({ ...valid(), headers: { [header]: sent } });
        if (header.startsWith("x-edgewise-") && isChat(name) && header !== "x-edgewise-bookmark") expectRefused(answer, header);
        expect(answer.headers.get("x-request-id")).not.toBe(sent);
      }
    }
    expect(await holding([KEY, "4539-1488-0343-6467", "hunter2x9"])).toEqual([]);
  });
});

it("9: audit details copy no secret that an older release took for a name", async () => {
  const member = { userId: "ann" };
  await h.fetch("PUT", "/v1/projects/older", { body: member });
  await h.fetch("PUT", "/v1/projects/older/members/carl?userId=ann");
  await env.DB.prepare("update users set external_id = ? where tenant_id = ? and external_id = 'carl'")
    .bind(KEY, h.tenantId)
    .run();
  const removed = await h.fetch("DELETE", `/v1/projects/older/members/${KEY}?${new URLSearchParams(member)}`);
  expect(removed.status).toBeLessThan(300);
  expect(await holding([KEY])).toEqual([`users: ${KEY}`]);
  const { text } = await h.fetch("GET", "/v1/audit?limit=1");
  expect(text).toContain('"memberId":"[redacted:stripe_key]"');
  expect((await h.fetch("POST", "/v1/audit/erase", { body: { userId: KEY } })).status).toBe(200);
  expect(await holding([KEY])).toEqual([`users: ${KEY}`]);
});
