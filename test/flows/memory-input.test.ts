import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { add, addAll, approveOne, change, contentsOf, fieldsOf, get, group, list, personOf } from "./memory-requests.ts";
import { append, type Problem, rows } from "./requests.ts";

const log = vi.spyOn(console, "log");
let h: Harness;
let other: Harness;
beforeAll(async () => {
  [h, other] = [await createHarness(), await createHarness()];
  await group(h, "club", ["ann", "ben"]);
  await append(h, "diary", { userId: "ann", messages: [{ role: "user", content: "dear diary" }] });
  await append(h, "notes", { userId: "ann", messages: [{ role: "user", content: "a note" }] });
  await append(h, "bens", { userId: "ben", messages: [{ role: "user", content: "Ben's" }] });
});
afterAll(() => log.mockRestore());

const UNKNOWN = "01a1f92c-720b-7527-9cd5-76463f8b4abc";
const ann = (body: Record<string, unknown>) => ({ userId: "ann", content: "Something else.", ...body });
const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
const memoriesOf = async () => (await rows("select count(*) as n from memories"))[0];

describe("what breaks a rule is refused with the field and the rule, and nothing is stored", () => {
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    ["two homes", { ownerId: "ann", sessionId: "club" }, "sessionId", /one of the three/],
    ["an unknown type", { type: "opinion" }, "type", /preference, identity/],
    ["an expiry in the past", { expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt", /past/],
    ["large metadata", { metadata: { a: "x".repeat(8_200) } }, "metadata", /8192 bytes/],
    ["metadata that is large in UTF-8", { metadata: { a: "界".repeat(2_800) } }, "metadata", /8192 bytes/],
    ["metadata nested deep", { metadata: nested(22) }, "metadata", /20 deep/],
    ["metadata nested without end", { metadata: nested(20_000) }, "metadata", /20 deep/],
    ["a scope's id without its type", { scopeId: "1" }, "scopeId", /scopeType/],
    ["an id of the scope global", { scopeType: "global", scopeId: "1" }, "scopeId", /no id/],
    ["an unknown subject", { subjects: [`per_${UNKNOWN}`] }, "subjects[0]", /no such person/],
    ["a subject of no shape", { subjects: ["bob"] }, "subjects[0]", /no such person/],
    ["an unknown speaker", { statedBy: `per_${UNKNOWN}` }, "statedBy", /no such person/],
    ["a private session for a home", { sessionId: "diary" }, "sessionId", /group session/],
    [
      "an unknown episode",
      { learnedIn: { sessionId: "diary", episodeId: `epi_${UNKNOWN}` } },
      "learnedIn.episodeId",
      /no such episode/,
    ],
    ["an unknown memory to replace", { supersedes: `mem_${UNKNOWN}` }, "supersedes", /no such memory/],
    ["an unknown memory to contradict", { contradicts: `mem_${UNKNOWN}` }, "contradicts", /no such memory/],
  ];
  it.each(cases)("%s", async (_, body, path, rule) => {
    const before = await memoriesOf();
    const one = await add(h, ann(body));
    expect([one.status, one.json.code, fieldsOf(one)]).toEqual([422, "unprocessable", [path]]);
    expect(one.json.fields?.[0]?.message).toMatch(rule);
    const { userId: _user, ...draft } = ann(body);
    const many = await addAll(h, ["Is fine.", draft], { userId: "ann" });
    expect([many.status, fieldsOf(many)]).toEqual([422, [`memories[1].${path}`]]);
    expect(await memoriesOf()).toEqual(before);
  });

  it("a shared memory that is not public", async () => {
    for (const sensitivity of ["personal", "sensitive"]) {
      const answer = await add(h, { content: "Is everybody's.", shared: true, sensitivity });
      expect([answer.status, fieldsOf(answer)]).toEqual([422, ["sensitivity"]]);
    }
  });

  it("a subject or a memory of another tenant, as one that does not exist", async () => {
    const stranger = await personOf(other, "eve");
    const theirs = await add(other, { content: "Is theirs.", shared: true });
    for (const [body, path] of [
      [{ subjects: [stranger] }, "subjects[0]"],
      [{ statedBy: stranger }, "statedBy"],
      [{ supersedes: theirs.json.id }, "supersedes"],
      [{ contradicts: theirs.json.id }, "contradicts"],
    ] as const) {
      const answer = await add(h, ann(body));
      expect([answer.status, fieldsOf(answer)]).toEqual([422, [path]]);
    }
    expect((await get(h, theirs.json.id)).status).toBe(404);
  });

  it("an episode of another session, and a session in which the user has no part, as one that does not exist", async () => {
    const { json } = await append(h, "notes", { userId: "ann", messages: [{ role: "user", content: "another note" }] });
    const wrong = await add(h, ann({ learnedIn: { sessionId: "diary", episodeId: json.id } }));
    expect([wrong.status, fieldsOf(wrong)]).toEqual([422, ["learnedIn.episodeId"]]);
    expect((await add(h, ann({ learnedIn: { sessionId: "notes", episodeId: json.id } }))).json.learnedIn).toEqual({
      sessionId: "notes",
      episodeId: json.id,
    });
    for (const body of [{ learnedIn: { sessionId: "bens" } }, { learnedIn: { sessionId: "none" } }, { sessionId: "none" }])
      expect((await add(h, ann(body))).status).toBe(404);
  });

  it("when a memory is changed, too", async () => {
    const { json } = await add(h, ann({ content: "Is to be changed.", metadata: { a: "x".repeat(8_000) } }));
    for (const [body, path] of [
      [{ type: "opinion" }, "type"],
      [{ expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
      [{ scopeId: "1" }, "scopeId"],
      [{ metadata: { b: "x".repeat(300) } }, "metadata"],
      [{ subjects: [`per_${UNKNOWN}`] }, "subjects[0]"],
    ] as const) {
      const answer = await change(h, json.id, body, "userId=ann");
      expect([answer.status, fieldsOf(answer)]).toEqual([422, [path]]);
    }
    expect((await get(h, json.id, "userId=ann")).json.version).toBe(1);
  });
});

describe("what is malformed is refused: 400", () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ content: "" }, "content"],
    [{ content: "   \n" }, "content"],
    [{ content: "x".repeat(4_001) }, "content"],
    [{ content: 5 }, "content"],
    [{ content: null }, "content"],
    [{ confidence: 1.01 }, "confidence"],
    [{ confidence: -0.1 }, "confidence"],
    [{ confidence: "high" }, "confidence"],
    [{ sensitivity: "secret" }, "sensitivity"],
    [{ portable: "yes" }, "portable"],
    [{ pinned: 1 }, "pinned"],
    [{ shared: 1 }, "shared"],
    [{ type: 7 }, "type"],
    [{ key: "" }, "key"],
    [{ key: "a\u0000b" }, "key"],
    [{ key: "\ud800" }, "key"],
    [{ key: "x".repeat(201) }, "key"],
    [{ workspaceId: "\u0007" }, "workspaceId"],
    [{ scopeType: "a\u0000b" }, "scopeType"],
    [{ scopeType: "\udfff" }, "scopeType"],
    [{ scopeType: "x".repeat(41) }, "scopeType"],
    [{ scopeType: "track", scopeId: "\u0000" }, "scopeId"],
    [{ metadata: [] }, "metadata"],
    [{ metadata: "x" }, "metadata"],
    [{ metadata: null }, "metadata"],
    [{ expiresAt: "tomorrow" }, "expiresAt"],
    [{ validFrom: "2026-03-01" }, "validFrom"],
    [{ subjects: "per_1" }, "subjects"],
    [{ subjects: Array.from({ length: 21 }, () => "per_1") }, "subjects"],
    [{ learnedIn: { episodeId: "epi_1" } }, "learnedIn.sessionId"],
    [{ learnedIn: "diary" }, "learnedIn"],
    [{ supersedes: ["mem_1"] }, "supersedes"],
    [{ userId: "" }, "userId"],
    [{ surprise: 1 }, "surprise"],
  ];
  it.each(cases)("%j", async (body, path) => {
    const answer = await add(h, ann(body));
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_input"]);
    expect(fieldsOf(answer)).toContain(path);
  });

  it("whatever is neither one memory nor many", async () => {
    for (const body of ["{", "[]", "null", '{"memories": []}', '{"memories": {}}', '{"content": "x", "memories": []}', "{}"])
      expect((await h.fetch<Problem>("POST", "/v1/memories", { body })).status, body).toBe(400);
  });
});

describe("what is odd is kept as it came", () => {
  it.each([
    ["a\u0000b", "a\ufffdb"],
    ["half \ud83d a pair", "half \ufffd a pair"],
    ["\u001b[31mred\u001b[0m \u0007", "\u001b[31mred\u001b[0m \u0007"],
    ["\u202eright to left", "\u202eright to left"],
    ["👩‍👩‍👧‍👦 𝔘𝔫𝔦", "👩‍👩‍👧‍👦 𝔘𝔫𝔦"],
    ["'; drop table memories; --", "'; drop table memories; --"],
    ["?!…—", "?!…—"],
  ])("%j", async (content, stored) => {
    const { status, json } = await add(h, ann({ content, subjects: [] }));
    expect([status, json.content]).toEqual([201, stored]);
    expect((await get(h, json.id, "userId=ann")).json.content).toBe(stored);
    expect((await add(h, ann({ content, subjects: [] }))).json).toMatchObject({ id: json.id, created: false });
  });

  it("metadata with the names of prototypes, NUL, halves of pairs and numbers of every size", async () => {
    const metadata =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x","":0,"a\\u0000b":"\\u0000","\\ud800":"\\udfff","whole":9007199254740993,"tiny":5e-324,"huge":1.7976931348623157e308,"list":[null,true,[[]]]}';
    const { status, json } = await h.fetch<{ id: string }>("POST", "/v1/memories", {
      body: `{"userId":"ann","content":"Has odd metadata.","metadata":${metadata}}`,
    });
    expect(status).toBe(201);
    const { text } = await get(h, json.id, "userId=ann");
    // A number is what JavaScript makes of it: beyond 2^53 it may be its neighbour.
    const asRead = JSON.stringify(JSON.parse(metadata));
    expect(asRead).toContain('"whole":9007199254740992');
    expect(text).toContain(`"metadata":${asRead}`);
    expect(Object.keys(JSON.parse(asRead))).toContain("__proto__");
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    const merged = await h.fetch("PATCH", `/v1/memories/${json.id}?userId=ann`, { body: '{"metadata":{"__proto__":2}}' });
    expect(merged.text).toContain('"metadata":{"__proto__":2,"constructor"');
    const infinite = await h.fetch<Problem>("POST", "/v1/memories", {
      body: '{"userId":"ann","content":"x","metadata":{"a":[1e999]}}',
    });
    expect([infinite.status, infinite.json.fields?.[0]?.path]).toEqual([422, "metadata"]);
  });

  it("text of four thousand characters of any script is found by its words", async () => {
    const content = "我们在北京的公司昨天讨论了新的项目计划并且决定下个月开始实施".repeat(129).slice(0, 4_000);
    expect((await add(h, ann({ content }))).status).toBe(201);
    expect(contentsOf(await list(h, `userId=ann&text=${encodeURIComponent("北京的公司")}`))).toEqual([content]);
  });
});

describe("a secret", () => {
  const SECRET = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";

  /** Every row of every table, but for the text indexes' own pages, which only they can read. */
  async function dump(): Promise<string> {
    const { results: tables } = await env.DB.prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_cf%' and name not in ('message_fts', 'memory_fts')",
    ).all<{ name: string }>();
    const all = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)));
    return JSON.stringify(all.map(({ results }) => results));
  }

  const places: [string, Record<string, unknown>][] = [
    ["content", { content: `The payment key is ${SECRET}.` }],
    ["content", { content: `The payment key is ${SECRET}.`, confidence: 0.1 }],
    ["key", { key: SECRET }],
    ["workspaceId", { workspaceId: SECRET }],
    ["scopeType", { scopeType: SECRET }],
    ["scopeId", { scopeType: "track", scopeId: SECRET }],
    ["metadata", { metadata: { a: SECRET } }],
    ["metadata", { metadata: { a: [{ b: ["x", { c: SECRET }] }] } }],
    ["metadata", { metadata: { [SECRET]: 1 } }],
    ["metadata", { metadata: { [SECRET]: {} } }],
    ["metadata", { metadata: { a: { [SECRET]: { b: 1 } } } }],
    ["metadata", { metadata: { password: "hunter2hunter2" } }],
    ["metadata", { metadata: { passwords: { password: ["correct-horse-9"] } } }],
  ];
  it.each(places)("in %s is refused, named by its kind only, and nowhere stored or logged: %j", async (path, body) => {
    log.mockClear();
    const { json: old } = await add(h, { userId: "ann", content: "Is safe." });
    const answers = [
      await add(h, ann(body), { headers: { "idempotency-key": crypto.randomUUID() } }),
      await change(h, old.id, body, "userId=ann"),
    ];
    const waits = await add(h, { userId: "ann", content: `Waits ${crypto.randomUUID()}`, confidence: 0.1 });
    answers.push(await approveOne(h, waits.json.id, { userId: "ann", ...body }));
    for (const answer of answers) {
      expect([answer.status, fieldsOf(answer)]).toEqual([422, [path]]);
      expect(answer.json.fields?.[0]?.message).toMatch(/^Secrets are never stored, and this holds one: [a-z ]+\.$/);
    }
    const decided = await h.fetch("POST", "/v1/memories/review", {
      body: { userId: "ann", decisions: [{ id: waits.json.id, action: "approve", ...body }] },
    });
    expect(decided.text).toContain("unprocessable");
    const everywhere = [...answers.map(({ text }) => text), decided.text, JSON.stringify(log.mock.calls), await dump()].join(
      "\n",
    );
    for (const secret of [SECRET, "hunter2", "correct-horse"]) expect(everywhere).not.toContain(secret);
  });
});
