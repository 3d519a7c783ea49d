import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "#test/harness";
import { createHarness, type Harness } from "#test/harness";
import { aroundBatches } from "#test/interruption";
import { add, group, personOf } from "./memory-requests.ts";
import { nth, rows } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

const TIMES = 50;
type Send = (i: number) => Promise<Answer<object>>;

/** All at once; whoever is told when to try again does so, as a client would. Answers how many were made at once and in the end. */
async function atOnce(send: Send, times = TIMES): Promise<{ first: number; answered: number; done: number }> {
  const first = await Promise.all(Array.from({ length: times }, (_, i) => send(i)));
  const answered = first.flatMap((answer, i) => (answer.status < 300 ? [] : [{ answer, i }]));
  for (const { answer } of answered)
    expect([answer.status, answer.headers.get("retry-after"), answer.json]).toMatchObject([409, "1", { retryAfter: 1 }]);
  const later: number[] = [];
  for (const { i } of answered) later.push((await send(i)).status);
  const done = times - answered.length + later.filter((status) => status < 300).length;
  return { first: times - answered.length, answered: answered.length, done };
}

describe("fifty at once all succeed or say when to try again:", () => {
  it("upserts of one key, each of which is a version", async () => {
    const userId = "upserter";
    const { first, answered, done } = await atOnce((i) => add(h, { userId, key: "counter", content: `The counter says ${i}.` }));
    expect([first + answered, done]).toEqual([TIMES, TIMES]);
    expect(await rows("select version from memories where tenant_id = ? and key = 'counter'", h.tenantId)).toEqual([
      { version: TIMES },
    ]);
    const [{ n } = { n: 0 }] = await rows<{ n: number }>(
      "select count(*) as n from memory_versions v join memories m on m.id = v.memory_id where m.tenant_id = ? and m.key = 'counter'",
      h.tenantId,
    );
    expect(n).toBe(TIMES - 1);
  });

  it("changes of one memory without If-Match", async () => {
    const { json } = await add(h, { userId: "changer", content: "Says nothing yet." });
    const change = (i: number) =>
      h.fetch<object>("PATCH", `/v1/memories/${json.id}?userId=changer`, { body: { metadata: { [`by${i}`]: i } } });
    expect((await atOnce(change)).done).toBe(TIMES);
    const [row] = await rows<{ version: number; metadata: string }>(
      "select version, metadata from memories where public_id = ?",
      json.id,
    );
    expect([row?.version, Object.keys(JSON.parse(row?.metadata ?? "{}")).length]).toEqual([TIMES + 1, TIMES]);
  });

  it("of which those with one If-Match are one, and the others 412", async () => {
    const { json } = await add(h, { userId: "matcher", content: "Says nothing yet." });
    const headers = { "if-match": '"1"' };
    const answers = await Promise.all(
      Array.from({ length: TIMES }, (_, i) =>
        h.fetch("PATCH", `/v1/memories/${json.id}?userId=matcher`, { body: { content: `Says ${i}.` }, headers }),
      ),
    );
    const counts = Map.groupBy(answers, ({ status }) => status);
    expect([counts.get(200)?.length, counts.get(412)?.length]).toEqual([1, TIMES - 1]);
  });

  it("the same words, which are one memory said fifty times", async () => {
    expect((await atOnce(() => add(h, { userId: "repeater", content: "Says it again." }))).done).toBe(TIMES);
    const [row] = await rows("select seen_count as n from memories where content = 'Says it again.'");
    expect(row).toEqual({ n: TIMES });
  });

  it("facts of one slot", async () => {
    const done = await atOnce((i) =>
      h.fetch("POST", "/v1/facts", { body: { userId: "asserter", topic: "color", value: `shade ${i}` } }),
    );
    expect(done.first).toBe(TIMES);
  });

  it("episodes that open one session", async () => {
    const messages = (i: number) => [{ role: "user", content: `message ${i}` }];
    const { done } = await atOnce((i) =>
      h.fetch("POST", "/v1/sessions/opened-at-once/episodes", { body: { userId: "opener", messages: messages(i) } }),
    );
    expect(done).toBe(TIMES);
    const [row] = await rows(
      "select count(*) as n from episodes e join sessions s on s.id = e.session_id where s.tenant_id = ? and s.external_id = 'opened-at-once'",
      h.tenantId,
    );
    expect(row).toEqual({ n: TIMES });
  });

  it("titles of one session", async () => {
    await group(h, "titled", ["titler"]);
    const { first } = await atOnce((i) =>
      h.fetch("PUT", "/v1/sessions/titled", { body: { userId: "titler", title: `Title ${i}` } }),
    );
    expect(first).toBe(TIMES);
  });

  it("aliases and notes of one person, names of one user", async () => {
    const person = await personOf(h, "aliased");
    const alias = (i: number) => h.fetch<object>("PUT", `/v1/people/${person}/aliases/Name%20${i}?userId=aliased`);
    expect((await atOnce(alias, 20)).done).toBe(20);
    const note = (i: number) =>
      h.fetch<object>("PATCH", `/v1/people/${person}`, { body: { userId: "aliased", notes: `Note ${i}` } });
    expect((await atOnce(note)).done).toBe(TIMES);
    expect((await atOnce((i) => h.fetch("PUT", "/v1/users/aliased", { body: { name: `Aliased ${i}` } }))).done).toBe(TIMES);
  });

  it("settings", async () => {
    const { done } = await atOnce((i) => h.fetch("PATCH", "/v1/settings", { body: { maxTokens: 1000 + i } }));
    expect(done).toBe(TIMES);
  });

  it("entities of one name, and changes of one", async () => {
    await h.fetch("PUT", "/v1/projects/workshop", { body: { userId: "maker" } });
    const body = (i: number) => ({ userId: "maker", projectId: "workshop", type: "tool", name: "Lathe", notes: `Turns ${i}.` });
    expect((await atOnce((i) => h.fetch("POST", "/v1/entities", { body: body(i) }))).done).toBe(TIMES);
    const { items } = (await h.fetch<{ items: { id: string }[] }>("GET", "/v1/entities?userId=maker&projectId=workshop")).json;
    const { id } = nth(items, 0);
    const { done } = await atOnce((i) =>
      h.fetch("PATCH", `/v1/entities/${id}`, { body: { userId: "maker", notes: `Bores ${i}.` } }),
    );
    expect(done).toBe(TIMES);
  });
});

it("gives up with retry-after when others always come first, after small waits with jitter", async () => {
  const waits: number[] = [];
  let beaten: string | null = null;
  const beating = await createHarness({
    replace: ({ db }) => ({
      random: () => 0.5,
      wait: async (milliseconds) => void waits.push(milliseconds),
      db: aroundBatches(db, async (run) => {
        const results = await run();
        if (beaten !== null) await rows("update memories set version = version + 1 where public_id = ?", beaten);
        return results;
      }),
    }),
  });
  const userId = "beaten";
  const { id } = (await add(beating, { userId, key: "place", content: "Comes first." })).json;
  beaten = id;
  for (const answer of [
    await add(beating, { userId, key: "place", content: "Comes second." }),
    await beating.fetch<{ code: string; retryAfter: number }>("PATCH", `/v1/memories/${id}?userId=${userId}`, {
      body: { content: "Comes third." },
    }),
  ]) {
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([409, "1"]);
    expect(answer.json).toMatchObject({ code: "conflict", retryAfter: 1 });
  }
  expect(waits).toHaveLength(22);
  expect(waits.slice(0, 4)).toEqual([4, 8, 16, 32]);
  beaten = null;
  expect((await add(beating, { userId, key: "place", content: "Comes second." })).status).toBe(200);
});
