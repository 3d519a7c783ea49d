import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Db } from "#db/client";
import { createHarness, type Harness, type Request } from "#test/harness";
import { slowClock } from "#test/slow-clock";
import {
  add,
  addAll,
  approveOne,
  change,
  forgetOne,
  get,
  group,
  list,
  pastOf,
  personOf,
  queue,
  rejectOne,
  restoreOne,
} from "./memory-requests.ts";

type Counts = { trips: number; read: number; written: number };

type Asked = { query: string; values: unknown[] };

/** The same database, which tells of each statement that goes into a batch. */
function shownOf(db: Db, observe: (asked: Asked) => void): Db {
  const prepare = (query: string) => {
    const statement = db.$client.prepare(query);
    const bind = (...values: unknown[]) => {
      observe({ query, values });
      return statement.bind(...values);
    };
    return { ...statement, bind };
  };
  const client = new Proxy(db.$client, { get: (target, name) => (name === "prepare" ? prepare : Reflect.get(target, name)) });
  return new Proxy(db, { get: (target, name) => (name === "$client" ? client : Reflect.get(target, name)) });
}

const asked = new Map<string, unknown[]>();
let h: Harness;
const now = slowClock();
let other: Harness;
let bob: string;
beforeAll(async () => {
  h = await createHarness({
    replace: ({ db }) => ({ log: () => undefined, now, db: shownOf(db, ({ query, values }) => void asked.set(query, values)) }),
  });
  other = await createHarness({ replace: () => ({ log: () => undefined, now }) });
  await group(h, "club", ["ann", "ben"]);
  bob = await personOf(h, "bob");
  await personOf(h, "ann");
  await add(h, { userId: "ann", content: "The first of all." });
});

/** What a request cost by the platform's own counters. */
async function costOf(method: string, path: string, request: Request = {}): Promise<Counts> {
  const { status, headers, text } = await h.fetch(method, path, request);
  expect(status, text).toBeLessThan(300);
  const timing = headers.get("server-timing") ?? "";
  const count = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(timing)?.[1]);
  return { trips: count("trips"), read: count("read"), written: count("written") };
}

const adding = (body: object) => costOf("POST", "/v1/memories", { body: { userId: "ann", ...body } });
const reading = (path: string) => costOf("GET", path);

let number = 0;
const words = () => {
  number += 1;
  return `I carved otter number ${number}.`;
};

describe("the budgets of a memory, warm", () => {
  it.each([
    ["about nobody", { subjects: [] }, 9],
    ["about one person", {}, 11],
    ["with a key", { key: "otter" }, 12],
    ["that ends", { type: "event" }, 12],
    ["of a group", { sessionId: "club" }, 11],
    ["learned in a session", { learnedIn: { sessionId: "club" } }, 11],
  ])("adding one %s takes 2 trips, at most 30 rows read, and writes what is counted here", async (_, body, written) => {
    const cost = await adding({ content: words(), ...body });
    expect([cost.trips, cost.written]).toEqual([2, written]);
    expect(cost.read).toBeLessThanOrEqual(30);
  });

  it("saying one again takes 2 trips and writes 4 rows at most", async () => {
    const content = words();
    await adding({ content });
    const cost = await adding({ content });
    expect(cost.trips).toBe(2);
    expect(cost.written).toBeLessThanOrEqual(4);
    expect(cost.read).toBeLessThanOrEqual(45);
  });

  it("a hundred in one call about nobody take 2 trips and write 6 rows each", async () => {
    const memories = Array.from({ length: 100 }, () => ({ content: words(), subjects: [] }));
    const cost = await adding({ memories, content: undefined });
    expect([cost.trips, cost.written]).toEqual([2, 100 * 6 + 3]);
    expect(cost.read).toBeLessThanOrEqual(100 * 14 + 30);
  });

  it("reading takes 1 trip and writes nothing; changing and forgetting take 2, bringing back 3", async () => {
    const { json } = await add(h, { userId: "ann", content: words() });
    const { json: waits } = await add(h, { userId: "ann", content: words(), confidence: 0 });
    const one = `/v1/memories/${json.id}`;
    for (const path of [
      `${one}?userId=ann`,
      `${one}/history?userId=ann`,
      "/v1/memories?userId=ann&limit=5",
      "/v1/memories?userId=ann&limit=5&sessionId=club&text=otter",
      "/v1/memories/review?userId=ann",
      "/v1/memories/review",
      `/v1/people/${bob}/memories?userId=ann`,
    ]) {
      const cost = await reading(path);
      expect([path, cost.trips, cost.written]).toEqual([path, 1, 0]);
    }
    expect((await reading(`${one}?userId=ann`)).read).toBeLessThanOrEqual(21);
    expect((await costOf("PATCH", `${one}?userId=ann`, { body: { content: words() } })).trips).toBe(2);
    expect((await costOf("DELETE", `${one}?userId=ann`)).trips).toBe(2);
    // The third looks for words that went with it.
    expect((await costOf("POST", `${one}/restore?userId=ann`)).trips).toBe(3);
    expect((await costOf("POST", `/v1/memories/${waits.id}/approve`, { body: { userId: "ann" } })).trips).toBe(3);
  });
});

describe("a page", () => {
  it("reads rows by its size, however many memories there are, however deep it is", async () => {
    const subjects = [bob];
    const fill = async () => {
      const memories = () => Array.from({ length: 100 }, () => ({ content: words(), subjects }));
      expect((await addAll(h, memories(), { userId: "filler" })).status).toBe(201);
    };
    const paths = async () => {
      const page = async (query: string) => {
        const { json } = await list(h, `${query}&limit=50&stats=false`);
        return `${query}&limit=5&stats=false&cursor=${json.nextCursor}`;
      };
      const person = `userId=filler&person=${bob}`;
      return [
        "userId=filler&limit=5&stats=false",
        `${person}&limit=5&stats=false`,
        "userId=filler&limit=5&stats=false&text=otter",
        await page("userId=filler"),
        await page(person),
      ];
    };
    const measure = async () => {
      const costs: number[] = [];
      for (const query of await paths()) costs.push((await reading(`/v1/memories?${query}`)).read);
      return costs;
    };
    await fill();
    const few = await measure();
    await fill();
    await fill();
    expect(await measure()).toEqual(few);
    expect(Math.max(...few)).toBeLessThanOrEqual(5 * 30 + 60);
    const twice = (await reading("/v1/memories?userId=filler&limit=10&stats=false")).read;
    expect(twice).toBeLessThanOrEqual(2 * (few[0] ?? 0));
  });
});

describe("other people's memories", () => {
  const measure = async () => {
    const content = words();
    const { json } = await add(h, { userId: "quiet", content });
    const costs = {
      again: await costOf("POST", "/v1/memories", { body: { userId: "quiet", content } }),
      get: await reading(`/v1/memories/${json.id}?userId=quiet`),
      history: await reading(`/v1/memories/${json.id}/history?userId=quiet`),
      list: await reading("/v1/memories?userId=quiet&limit=5&stats=true"),
      text: await reading("/v1/memories?userId=quiet&limit=5&text=otter&stats=true"),
      group: await reading("/v1/memories?userId=quiet&sessionId=quiet-club&limit=5&stats=true"),
      queue: await reading("/v1/memories/review?userId=quiet"),
      change: await costOf("PATCH", `/v1/memories/${json.id}?userId=quiet`, { body: { content: words() } }),
      forget: await costOf("DELETE", `/v1/memories/${json.id}?userId=quiet`),
      restore: await costOf("POST", `/v1/memories/${json.id}/restore?userId=quiet`),
      add: await costOf("POST", "/v1/memories", { body: { userId: "quiet", content: words(), key: words() } }),
    };
    // Takes away what measuring has added.
    for (const { id } of (await list(h, "userId=quiet&limit=2")).json.items)
      await env.DB.batch(
        ["memories where id", "memory_subjects where memory_id", "memory_versions where memory_id", "memory_fts where rowid"]
          .map((where) => env.DB.prepare(`delete from ${where} = (select id from memories where public_id = ?)`).bind(id))
          .reverse(),
      );
    return costs;
  };

  it("cost nobody anything, be they another user's or another tenant's", async () => {
    await group(h, "quiet-club", ["quiet", "ben"]);
    await addAll(h, Array.from({ length: 6 }, words), { userId: "quiet" });
    await add(h, { userId: "quiet", content: words(), confidence: 0 });
    // A scan of a range reads one row beyond its end, if there is one: let there be one from the start.
    for (const stranger of [h, other]) {
      await add(stranger, { userId: "loud", content: words() });
      await add(stranger, { userId: "loud", content: words(), confidence: 0 });
    }
    await measure();
    const alone = await measure();
    const crowd = (confidence: number) => Array.from({ length: 100 }, () => ({ content: words(), confidence }));
    for (const stranger of [h, other])
      for (const confidence of [1, 1, 0])
        expect((await addAll(stranger, crowd(confidence), { userId: "loud" })).status).toBe(201);
    expect(await measure()).toEqual(alone);
  });
});

describe("the plans", () => {
  /** What a statement makes by itself, or the request brings along: one row, or as many as the call names. */
  const OWN =
    /^SCAN (?:r|v|w|j|gu|s[xy]|others|page|found|chain|reader|r[got]|json_each|v[st]|CONSTANT ROW|\d+-ROW VALUES CLAUSE|\(subquery-\d+\))(?: |$)/;

  it("of all that the verbs ask find their rows by space, person or id: none scans a table", async () => {
    asked.clear();
    const said = (body: object) => add(h, { userId: "ann", ...body });
    const { json: first } = await said({ content: words(), subjects: [bob], learnedIn: { sessionId: "club" }, key: "planned" });
    await said({ content: words(), key: "planned" });
    const { json: second } = await said({ content: words(), supersedes: first.id });
    await said({ content: words(), contradicts: second.id, sessionId: "club" });
    await add(h, { content: words(), shared: true });
    await get(h, second.id, "userId=ann");
    await pastOf(h, second.id, "userId=ann&sessionId=club");
    for (const filter of [
      "",
      "sessionId=club",
      `person=${bob}`,
      "text=otter",
      `text=otter&person=${bob}`,
      "type=task",
      "key=planned",
      "learnedIn=club",
      "page=2",
      "status=pending",
      "status=rejected",
      "scopeType=global",
      "asOf=2199-01-01T00:00:00Z",
    ])
      expect((await list(h, `userId=ann&stats=true&${filter}`)).status, filter).toBe(200);
    await list(h, `userId=ann&cursor=${(await list(h, "userId=ann&limit=1")).json.nextCursor}`);
    await queue(h);
    await change(h, second.id, { content: words(), subjects: [bob] }, "userId=ann");
    await forgetOne(h, second.id, "userId=ann");
    await restoreOne(h, second.id, "userId=ann");
    const { json: waits } = await said({ content: words(), confidence: 0, supersedes: second.id });
    await approveOne(h, waits.id, { userId: "ann" });
    const { json: bad } = await said({ content: words(), confidence: 0 });
    await rejectOne(h, bad.id, { userId: "ann" });

    expect(asked.size).toBeGreaterThan(40);
    const scans: string[] = [];
    for (const [query, values] of asked) {
      const { results } = await env.DB.prepare(`explain query plan ${query}`)
        .bind(...values)
        .all<{ detail: string }>();
      for (const { detail } of results) {
        const byText =
          /^SCAN (?:f|memory_fts|j|json_each|vs|vt) VIRTUAL TABLE/.test(detail) &&
          !/memory_fts VIRTUAL TABLE INDEX 0:$/.test(detail);
        if (detail.startsWith("SCAN") && !byText && !OWN.test(detail)) scans.push(`${detail} in ${query.slice(0, 200)}`);
        if (detail.includes("memories_review")) expect(query).toContain("m.tenant_id = ?1 and m.status = 'pending'");
      }
    }
    expect(scans).toEqual([]);
  });
});
