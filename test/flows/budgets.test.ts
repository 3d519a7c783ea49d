import { beforeAll, describe, expect, it } from "vitest";
import { plantDocument } from "#test/documents";
import { createHarness, type Harness, type Request } from "#test/harness";
import { slowClock } from "#test/slow-clock";
import { append, rows, say } from "./requests.ts";

type Counts = { trips: number; read: number; written: number; embeddings: number; vectors: number };

let h: Harness;
const now = slowClock();
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined, now }) });
});

/** What a request cost by the platform's own counters, which an admin's answers carry. */
async function costOf(method: string, path: string, request: Request = {}): Promise<Counts> {
  const { status, headers } = await h.fetch(method, path, request);
  expect(status).toBeLessThan(300);
  const timing = headers.get("server-timing") ?? "";
  const count = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(timing)?.[1]);
  return {
    trips: count("trips"),
    read: count("read"),
    written: count("written"),
    embeddings: count("embeddings"),
    vectors: count("vectors"),
  };
}

const WORDS = "the otter swims under the old stone bridge at dawn";
let message = 0;
const exchange = () => {
  message += 1;
  return {
    messages: [
      { role: "user", content: `${WORDS} ${message}`, messageId: `u${message}` },
      { role: "assistant", content: `An answer about the otter ${message}`, messageId: `a${message}` },
    ],
  };
};

const appendOne = (userId: string, session: string) =>
  costOf("POST", `/v1/sessions/${session}/episodes`, { body: { userId, ...exchange() } });
const searchAs = (userId: string, strategy = "hybrid") =>
  costOf("POST", "/v1/search", { body: { userId, query: "otter bridge", strategy, limit: 5 } });

/** Somebody else's episodes with the very same words, as many as make a difference if anything read them. */
async function crowd(other: Harness, userId: string): Promise<void> {
  for (const session of ["c1", "c2", "c3", "c4"]) {
    const { status } = await append(other, `${userId} ${session}`, { userId, episodes: Array.from({ length: 100 }, exchange) });
    expect(status).toBe(201);
  }
}

describe("the budgets of docs/benchmarks.md, warm", () => {
  beforeAll(async () => {
    for (let i = 0; i < 8; i += 1) await appendOne("reader", "river");
    await h.fetch("PUT", "/v1/projects/banks", { body: { userId: "reader" } });
    await h.settle();
    await searchAs("reader");
  });

  it("an append to a session takes 2 trips, 12 rows written and 20 read at most", async () => {
    const cost = await appendOne("reader", "river");
    expect(cost.trips).toBe(2);
    expect(cost.written).toBeLessThanOrEqual(12);
    expect(cost.read).toBeLessThanOrEqual(20);
  });

  const sentence = "The otter looked at the stones for a while and then swam on under the bridge. ";
  const exchangeOf = (id: string, characters: number) => ({
    messages: [
      { role: "user", content: "Tell me about the otter, please.", messageId: `q${id}` },
      { role: "assistant", content: sentence.repeat(40).slice(0, characters), messageId: `l${id}` },
    ],
  });

  it("so does one with an answer of 1,900 characters, in a project too", async () => {
    await append(h, "banked", { userId: "reader", projectId: "banks", ...exchange() });
    for (const session of ["river", "banked"]) {
      const body = { userId: "reader", ...exchangeOf(session, 1_900) };
      const cost = await costOf("POST", `/v1/sessions/${session}/episodes`, { body });
      expect([cost.trips, cost.written]).toEqual([2, 12]);
      expect(cost.read).toBeLessThanOrEqual(20);
    }
  });

  it("an append writes seven rows and one for each passage and each messageId", async () => {
    const messages = Array.from({ length: 8 }, (_, i) => ({ role: "user", content: `short ${i}`, messageId: `eight-${i}` }));
    const cost = await costOf("POST", "/v1/sessions/river/episodes", { body: { userId: "reader", messages } });
    expect([cost.trips, cost.written]).toEqual([2, 7 + 8 + 8]);
  });

  it("an append is not dearer in a long session", async () => {
    const short = await appendOne("reader", "river");
    for (let i = 0; i < 3; i += 1) await append(h, "river", { userId: "reader", episodes: Array.from({ length: 60 }, exchange) });
    expect(await appendOne("reader", "river")).toEqual(short);
  });

  it.each(["hybrid", "text", "semantic", "recent"])("a search takes 2 trips and writes nothing: %s", async (strategy) => {
    const cost = await searchAs("reader", strategy);
    expect([cost.trips, cost.written]).toEqual([2, 0]);
    expect([cost.embeddings, cost.vectors].every((count) => count <= 1)).toBe(true);
  });

  it.each([
    "/v1/sessions/river/episodes?userId=reader&limit=5",
    "/v1/sessions/river?userId=reader",
    "/v1/sessions?userId=reader",
    "/v1/projects?userId=reader",
    "/v1/projects/banks?userId=reader",
    "/v1/users/reader",
    "/v1/jobs?limit=5",
    "/v1/keys",
    "/v1/settings",
  ])("a page takes 1 trip and writes nothing: %s", async (path) => {
    const cost = await costOf("GET", path);
    expect([cost.trips, cost.written]).toEqual([1, 0]);
  });

  it("a page reads rows by its size and not by the length of the history", async () => {
    const before = await costOf("GET", "/v1/sessions/river/episodes?userId=reader&limit=5&order=desc");
    await append(h, "river", { userId: "reader", episodes: Array.from({ length: 80 }, exchange) });
    expect(await costOf("GET", "/v1/sessions/river/episodes?userId=reader&limit=5&order=desc")).toEqual(before);
  });
});

describe("documents", () => {
  const asked = { userId: "librarian", query: "otter bridge", limit: 5 };
  const passagesOf = (count: number) => Array.from({ length: count }, (_, i) => `${WORDS}, page ${i}`);

  it("cost one query of vectors more where there are any, no trip, and nothing for those of other spaces", async () => {
    const own = await createHarness({ replace: () => ({ log: () => undefined, now }) });
    const stranger = await createHarness();
    const costIn = async (of: Harness) => {
      const { headers } = await of.fetch("POST", "/v1/search", { body: { ...asked, strategy: "semantic" } });
      const timing = headers.get("server-timing") ?? "";
      const count = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(timing)?.[1]);
      return { trips: count("trips"), read: count("read"), written: count("written"), vectors: count("vectors") };
    };
    await say(own, "shelf", WORDS, { userId: "librarian" });
    await own.fetch("PUT", "/v1/projects/annex", { body: { userId: "librarian" } });
    await own.settle();
    await costIn(own);
    const without = await costIn(own);
    await plantDocument(own, { source: "annex", path: "a.md", projectId: "annex", passages: passagesOf(40) });
    await plantDocument(stranger, { source: "library", path: "a.md", passages: passagesOf(40) });
    expect(await costIn(own)).toEqual(without);
    await plantDocument(own, { source: "library", path: "a.md", passages: passagesOf(1) });
    const one = await costIn(own);
    expect([one.written, one.vectors - without.vectors]).toEqual([0, 1]);
    // The settings are read again once their copy is old.
    expect(one.trips).toBeLessThanOrEqual(3);
    await plantDocument(own, { source: "library", path: "a.md", passages: passagesOf(40), revision: 2, readRevision: 2 });
    const many = await costIn(own);
    // For each match its row in the index by word, and itself with its file, its source and the lookup of its id.
    expect(many.read - one.read).toBeLessThanOrEqual(40 * 12);
  });
});

describe("other people's rows", () => {
  const USER = "quiet";
  const measure = async () => ({
    hybrid: await searchAs(USER),
    text: await searchAs(USER, "text"),
    recent: await searchAs(USER, "recent"),
    page: await costOf("GET", `/v1/sessions/pond/episodes?userId=${USER}&limit=5`),
    list: await costOf("GET", `/v1/sessions?userId=${USER}`),
    forget: await costOf(
      "DELETE",
      `/v1/sessions/pond/episodes/${(await say(h, "pond", "to be forgotten", { userId: USER })).json.id}?userId=${USER}`,
    ),
    append: await appendOne(USER, "pond"),
  });

  /** Takes away what measuring has added. */
  const undo = async () => {
    const [last] = await rows<{ id: string }>(
      "select e.public_id as id from episodes e join sessions s on s.id = e.session_id where s.external_id = 'pond' order by e.id desc limit 1",
    );
    await h.fetch("DELETE", `/v1/sessions/pond/episodes/${last?.id}?userId=${USER}`);
  };

  it("cost a reader nothing, be they another user's or another tenant's", async () => {
    const other = await createHarness({ replace: () => ({ log: () => undefined, now }) });
    for (let i = 0; i < 6; i += 1) await appendOne(USER, "pond");
    await h.settle();
    await searchAs(USER);
    // A scan of a range reads one row beyond its end, if there is one: let there be one from the start.
    for (const stranger of [h, other]) await say(stranger, "edge", WORDS, { userId: "loud" });
    const alone = await measure();
    await undo();
    expect(alone.hybrid.read).toBeLessThanOrEqual(280);
    expect(alone.forget.read).toBeLessThanOrEqual(40);
    await crowd(h, "loud");
    await crowd(other, "stranger");
    expect(await measure()).toEqual(alone);
  });
});

describe("lists", () => {
  const listCost = async (path: string) => (await costOf("GET", path)).read;

  it("of projects read no more when the user has more of them", async () => {
    const make = async (from: number, to: number) => {
      for (let i = from; i < to; i += 1) await h.fetch("PUT", `/v1/projects/list-${i}`, { body: { userId: "lister" } });
    };
    await make(0, 6);
    const few = await listCost("/v1/projects?userId=lister&limit=3");
    await make(6, 20);
    expect(await listCost("/v1/projects?userId=lister&limit=3")).toBe(few);
  });

  it("of failed jobs read nothing of the jobs that did not fail", async () => {
    const none = await listCost("/v1/jobs?status=failed&limit=1");
    for (let i = 0; i < 10; i += 1) await appendOne("lister", "jobs");
    await h.settle();
    expect(await listCost("/v1/jobs?status=failed&limit=1")).toBe(none);
  });

  it("of sessions read no more when the user has more of them", async () => {
    for (let i = 0; i < 6; i += 1) await appendOne("chatty", `chat-${i}`);
    const few = await listCost("/v1/sessions?userId=chatty&limit=3");
    for (let i = 6; i < 20; i += 1) await appendOne("chatty", `chat-${i}`);
    expect(await listCost("/v1/sessions?userId=chatty&limit=3")).toBe(few);
  });
});
