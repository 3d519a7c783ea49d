import { beforeAll, describe, expect, it } from "vitest";
import type { HistoryView, MemoryPageView, MemoryView, RememberedView } from "#domain/memories";
import { createHarness, type Harness } from "#test/harness";
import { nth, rows } from "./requests.ts";

/** What a writer learns of, or does to, a memory that they may not see: nothing, and nothing that opens it. */
let h: Harness;
let carl: string;
beforeAll(async () => {
  h = await createHarness();
  await h.fetch("PUT", "/v1/sessions/g", { body: { participants: ["eve", "dave"] } });
  carl = (await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "eve", name: "Carl" } })).json.id;
});

type Body = Record<string, unknown>;
const post = (body: Body, key?: string) =>
  h.fetch<RememberedView & { code: string; detail: string }>("POST", "/v1/memories", {
    body,
    ...(key === undefined ? {} : { key }),
  });
const get = (id: string, query: string) => h.fetch<MemoryView>("GET", `/v1/memories/${id}?${query}`);
const list = async (query: string) => (await h.fetch<MemoryPageView>("GET", `/v1/memories?${query}`)).json;
const textsOf = async (query: string) => (await list(query)).items.map(({ content }) => content);

/** Eve's, sensitive and about somebody who takes no part: Dave may change it but not see it. */
async function hidden(content: string, extra: Body = {}): Promise<RememberedView> {
  const { status, json } = await post({
    ...{ userId: "eve", sessionId: "g", content, sensitivity: "sensitive", subjects: [carl], metadata: { salary: "a lot" } },
    ...extra,
  });
  expect(status).toBe(201);
  expect((await get(json.id, "userId=dave&sessionId=g")).status).toBe(404);
  return json;
}

describe("a memory that the writer may not see", () => {
  it("gives nothing of itself to what takes its key, and stays as hidden as it was", async () => {
    const before = await hidden("Carl earns a lot", { key: "salary" });
    const dave = (await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=dave")).json.id;
    const { status, json } = await post({ userId: "dave", sessionId: "g", key: "salary", content: "x", sensitivity: "public" });
    expect([status, json.id === before.id]).toEqual([201, false]);
    expect(json).toMatchObject({ created: true, version: 1, key: "salary", metadata: {}, subjects: [] });
    const [row] = await rows("select sensitivity, superseded_by > 0 as replaced from memories where public_id = ?", before.id);
    expect(row).toEqual({ sensitivity: "sensitive", replaced: 1 });
    const again = await post({ userId: "dave", sessionId: "g", key: "salary", content: "y", subjects: [dave] });
    expect([again.json.id, again.json.metadata, again.json.version]).toEqual([json.id, {}, 2]);
    for (const id of [before.id, json.id]) {
      const past = await h.fetch<HistoryView>("GET", `/v1/memories/${id}/history?userId=dave&sessionId=g`);
      expect(past.text).not.toContain("earns a lot");
    }
  });

  it("is another than what says the same again: not a word of how often, by whom, or what was decided about it", async () => {
    const before = await hidden("Carl is choosing a boat");
    await post({ userId: "eve", sessionId: "g", content: "Carl is choosing a boat", subjects: [carl] });
    const { json } = await post({ userId: "dave", sessionId: "g", content: "Carl is choosing a boat", subjects: [carl] });
    expect(json).toMatchObject({ created: true, version: 1, status: "approved", metadata: {}, sensitivity: "public" });
    expect([json.seen.count, json.id === before.id]).toEqual([1, false]);
    expect((await get(json.id, "userId=dave&sessionId=g")).status).toBe(200);
    expect((await get(before.id, "userId=dave&sessionId=g")).status).toBe(404);
  });

  it("cannot be replaced by its id, and is not named as what replaced another", async () => {
    const secret = await hidden("Carl has moved out", { key: "home" });
    const { status, json } = await post({ userId: "dave", sessionId: "g", content: "z", supersedes: secret.id });
    expect([status, json.code]).toEqual([422, "unprocessable"]);
    const open = (await post({ userId: "eve", sessionId: "g", content: "Carl lives here" })).json;
    const asOf = new Date().toISOString();
    await hidden("Carl lives elsewhere", { supersedes: open.id, validFrom: "2199-01-01T00:00:00Z" });
    const seen = await get(open.id, `userId=dave&sessionId=g&asOf=${asOf}`);
    expect([seen.status, seen.json.supersededBy]).toEqual([200, null]);
  });
});

it("words that get a key keep what was strict about them", async () => {
  await post({ userId: "alice", key: "drink", content: "I drink tea" });
  const strict = { userId: "alice", content: "I take antidepressants", sensitivity: "sensitive", portable: false };
  await post(strict);
  const { json } = await post({ userId: "alice", key: "drink", content: "I take antidepressants" });
  expect(json).toMatchObject({ sensitivity: "sensitive", portable: false });
  const alice = (await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=alice")).json.id;
  expect(await textsOf(`userId=zed&person=${alice}`)).toEqual([]);
});

describe("a filter discloses no more than a view", () => {
  it("of the key, the session or the scope of what somebody else said", async () => {
    const bob =
      (await h.fetch("PUT", "/v1/users/bob", { body: {} })) && (await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=bob"));
    await h.fetch("POST", "/v1/sessions/therapy/episodes", {
      body: { userId: "ann", messages: [{ role: "user", content: "hello" }] },
    });
    await post({
      ...{
        userId: "ann",
        content: "Bob whistles",
        subjects: [bob.json.id],
        key: "crush:bob",
        learnedIn: { sessionId: "therapy" },
        sensitivity: "public",
        portable: true,
      },
      ...{ scopeType: "paper", scopeId: "diary" },
    });
    const about = `userId=bob&person=${bob.json.id}`;
    const [seen] = (await list(about)).items;
    expect(seen).toMatchObject({
      content: "Bob whistles",
      key: null,
      learnedIn: null,
      scopeType: null,
      scopeId: null,
      statedBy: null,
    });
    expect((await list(`${about}&learnedIn=therapy`)).stats?.total).toBe(0);
    expect((await list(`${about}&key=crush:bob`)).stats?.total).toBe(0);
    expect(await textsOf("userId=ann&key=crush:bob")).toEqual(["Bob whistles"]);
    expect(await textsOf("userId=ann&learnedIn=therapy")).toEqual(["Bob whistles"]);
    expect(await textsOf(`userId=ann&ownerId=ann&person=${bob.json.id}`)).toEqual(["Bob whistles"]);
    expect(await textsOf(`${about}&ownerId=ann`)).toEqual([]);
    expect(await textsOf(`userId=ann&person=${bob.json.id}&others=true`)).toEqual([]);
  });
});

describe("who repeats what waits", () => {
  it("approves it when it is theirs, and not when it is the group's", async () => {
    const own = { userId: "ida", content: "Perhaps sails", confidence: 0.2 };
    await post(own);
    expect((await post({ ...own, confidence: 1 })).json.status).toBe("approved");
    const groups = { sessionId: "g", content: "Perhaps rows", metadata: { by: "eve" } };
    const waits = await post({ userId: "eve", ...groups, confidence: 0.2 });
    const { json } = await post({ userId: "dave", sessionId: "g", content: "Perhaps rows" }, await h.as(["read", "write"]));
    expect(json.metadata).toEqual({});
    const [row] = await rows("select status from memories where public_id = ?", waits.json.id);
    expect(row).toEqual({ status: "pending" });
  });
});

describe("what has expired and was not swept yet", () => {
  it("makes room for what is said now, by words and by key", async () => {
    for (const body of [{ content: "The bridge is closed" }, { content: "Ten people come", key: "guests" }]) {
      const first = await post({ userId: "jon", ...body, expiresAt: "2199-01-01T00:00:00Z" });
      await rows("update memories set expires_at = 1000 where public_id = ?", first.json.id);
      const { status, json } = await post({ userId: "jon", ...body });
      expect([status, json.created]).toEqual([201, true]);
      expect((await get(json.id, "userId=jon")).status).toBe(200);
      expect((await get(first.json.id, "userId=jon")).status).toBe(404);
      expect(await rows("select deleted_because as why from memories where public_id = ?", first.json.id)).toEqual([
        { why: "expired" },
      ]);
    }
  });
});

describe("the same words", () => {
  it("about different people are different memories", async () => {
    const person = async (name: string) =>
      (await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "kim", name } })).json.id;
    const [mia, dana] = [await person("Mia"), await person("Dana")];
    const say = (subjects?: string[]) => post({ userId: "kim", content: "Is vegetarian", subjects });
    const ids = [(await say([mia])).json.id, (await say([dana])).json.id];
    expect(new Set(ids).size).toBe(2);
    expect([(await say([mia])).json.id, (await say([dana])).json.id]).toEqual(ids);
    expect(await textsOf(`userId=kim&person=${dana}`)).toEqual(["Is vegetarian"]);
    const both = { userId: "lea", memories: [mia, dana].map((id) => ({ content: "Sings", subjects: [id] })) };
    const { json } = await h.fetch<{ items: RememberedView[] }>("POST", "/v1/memories", { body: both });
    expect(json.items.map(({ created }) => created)).toEqual([true, true]);
  });
});

describe("a guess at what a key holds", () => {
  it("waits beside what is known, and takes its place when it is approved", async () => {
    const known = (await post({ userId: "mo", key: "language", content: "Speaks German" })).json;
    const guess = (await post({ userId: "mo", key: "language", content: "Speaks Dutch", confidence: 0.1 })).json;
    expect([guess.status, guess.created, guess.id === known.id]).toEqual(["pending", true, false]);
    expect((await post({ userId: "mo", key: "language", content: "Speaks Dutch", confidence: 0.2 })).json).toMatchObject({
      id: guess.id,
      created: false,
      status: "pending",
    });
    expect(await textsOf("userId=mo")).toEqual(["Speaks German"]);
    await h.fetch("POST", `/v1/memories/${guess.id}/approve`, { body: { userId: "mo" } });
    const { items } = await list("userId=mo");
    expect(items.map(({ content, key }) => [content, key])).toEqual([["Speaks Dutch", "language"]]);
    const past = (await h.fetch<HistoryView>("GET", `/v1/memories/${guess.id}/history?userId=mo`)).json;
    expect(past.supersedes.map(({ id }) => id)).toEqual([known.id]);
  });

  it("leaves what is known when it is rejected", async () => {
    await post({ userId: "nia", key: "pet", content: "Has a dog" });
    const guess = (await post({ userId: "nia", key: "pet", content: "Has a snake", confidence: 0.1 })).json;
    await h.fetch("POST", `/v1/memories/${guess.id}/reject`, { body: { userId: "nia" } });
    expect(await textsOf("userId=nia")).toEqual(["Has a dog"]);
  });
});

it("identifiers in metadata wait for review as those in the words do", async () => {
  const { json } = await post({ userId: "ora", content: "Bank details", metadata: { iban: "DE89 3704 0044 0532 0130 00" } });
  expect(json).toMatchObject({ status: "pending", piiRisk: 2 });
});

it("a repeat with the same idempotency key for another user is another request", async () => {
  const made = async (userId: string) => (await post({ userId, content: "Owns a kite" })).json.id;
  const ids = [await made("pia"), await made("quin")];
  for (const [i, userId] of ["pia", "quin"].entries()) await h.fetch("DELETE", `/v1/memories/${nth(ids, i)}?userId=${userId}`);
  const headers = { "idempotency-key": "same" };
  expect((await h.fetch("POST", `/v1/memories/${ids[0]}/restore?userId=pia`, { headers })).status).toBe(204);
  expect((await h.fetch("POST", `/v1/memories/${ids[0]}/restore?userId=quin`, { headers })).status).toBe(409);
});

it("costs no more to name somebody of whom others have said much", async () => {
  const { json: zoe } = await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "rob", name: "Zoe" } });
  const costOf = async (run: () => ReturnType<Harness["fetch"]>) =>
    Number(/read=(\d+)/.exec((await run()).headers.get("server-timing") ?? "")?.[1]);
  const find = () => h.fetch("POST", "/v1/search", { body: { userId: "sam", query: "what does Zoe like?" } });
  const page = () => h.fetch("GET", `/v1/memories?userId=sam&person=${zoe.id}`);
  await find();
  const say = async (user: string) => {
    const memories = Array.from({ length: 100 }, (_, i) => ({
      ...{ content: `Zoe likes thing ${user} ${i}`, subjects: [zoe.id], sensitivity: "sensitive" },
    }));
    expect((await h.fetch("POST", "/v1/memories", { body: { userId: user, memories } })).status).toBe(201);
  };
  for (let i = 0; i < 4; i += 1) await say(`teller-${i}`);
  const before = [await costOf(find), await costOf(page)];
  for (let i = 4; i < 8; i += 1) await say(`teller-${i}`);
  expect([await costOf(find), await costOf(page)]).toEqual(before);
});
