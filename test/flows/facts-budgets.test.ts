import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness, type Request } from "#test/harness";
import { slowClock } from "#test/slow-clock";
import { appendText, COLORS } from "./fact-requests.ts";
import { append } from "./requests.ts";

let h: Harness;
const now = slowClock();
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined, now }) });
});

type Counts = { trips: number; read: number; written: number };

async function costOf(method: string, path: string, request: Request = {}): Promise<Counts> {
  const { status, headers, text } = await h.fetch(method, path, request);
  if (status >= 300) throw new Error(`${status} ${text}`);
  const timing = headers.get("server-timing") ?? "";
  const count = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(timing)?.[1]);
  return { trips: count("trips"), read: count("read"), written: count("written") };
}

const place = { userId: "reader", sessionId: "river" };
/** An answer's own cost: what is counted after it is not in its header, or in another's. */
const answerCost = async (question: string, extra = {}) => {
  const cost = await costOf("POST", "/v1/answer", { body: { question, ...place, ...extra } });
  await h.settle();
  return cost;
};
const pageCost = () => costOf("GET", "/v1/facts?userId=reader&sessionId=river&topic=color&limit=5");
const oneCost = () => costOf("GET", "/v1/facts/color/2?userId=reader&sessionId=river");
const SECOND = "What's my second favorite color?";
const appendCost = (text: string) =>
  costOf("POST", "/v1/sessions/river/episodes", { body: { userId: "reader", messages: [{ role: "user", content: text }] } });

describe("warm", () => {
  beforeAll(async () => {
    await appendText(h, "river", COLORS, { userId: "reader" });
    await h.fetch("PUT", "/v1/projects/banks", { body: { userId: "reader" } });
    await appendText(h, "banked", "Hello there", { userId: "reader", projectId: "banks" });
    await answerCost(SECOND);
  });

  it("a question that is none of ours costs nothing", async () => {
    expect(await answerCost("How long is the river, and why?")).toEqual({ trips: 0, read: 0, written: 0 });
  });

  it("an answer takes one trip and writes nothing before it is given", async () => {
    for (const question of [SECOND, "List my favorite colors", "And the third?", "What's my first favorite tv show?"]) {
      const { trips, written, read } = await answerCost(question);
      expect([trips, written], question).toEqual([1, 0]);
      // Sixty, and at most four for each of the user's latest messages about lists.
      expect(read, question).toBeLessThanOrEqual(60 + 4 * 2);
    }
    expect((await answerCost(SECOND, { sessionId: "banked" })).trips).toBe(1);
    expect((await pageCost()).trips).toBe(1);
    expect((await oneCost()).trips).toBe(1);
  });

  it("an append with a list takes the same two trips, and rows for the list alone", async () => {
    const without = await appendCost("Hello to my river");
    const cost = await appendCost("My favorite colors are 1) Blue, 2) Green, 3) Black");
    expect([without.trips, cost.trips]).toEqual([2, 2]);
    // Three ranks, the list's own row, and the session's last topic.
    expect(cost.written - without.written).toBe(5);
  });

  it("facts are written in one trip", async () => {
    const body = { ...place, topic: "candy", rank: 1, value: "Toffee" };
    expect((await costOf("POST", "/v1/facts", { body })).trips).toBe(1);
    expect((await costOf("DELETE", "/v1/facts?userId=reader&sessionId=river&topic=candy")).trips).toBe(1);
  });
});

describe("rows read", () => {
  const measure = async () => ({
    answer: await answerCost(SECOND),
    list: await answerCost("List my favorite colors"),
    banked: await answerCost(SECOND, { sessionId: "banked" }),
    page: await pageCost(),
    one: await oneCost(),
  });

  it("are the same however much others and other tenants hold, and bounded by the user's latest messages about lists", async () => {
    // A scan of a range reads one row beyond its end, if there is one: let there be one from the start.
    await appendText(h, "l0", COLORS, { userId: "loud" });
    await appendText(h, "river", "My favorite zebras are 1) one, 2) two", { userId: "reader" });
    const other = await createHarness({ replace: () => ({ log: () => undefined, now }) });
    const nouns = Array.from({ length: 60 }, (_, i) => `${"abcdefghij"[i % 10]}${"klmnopqrst"[Math.floor(i / 10)]}inkle`);
    const much = (userId: string) => ({
      userId,
      episodes: nouns.map((noun) => ({
        messages: [{ role: "user", content: `My favorite ${noun}s are 1) one, 2) two, 3) three` }],
      })),
    });
    await append(h, "river", much("reader"));
    await append(h, "sea", much("reader"));
    const alone = await measure();
    // Messages about lists in two sessions, each with its session and its episode.
    expect(alone.answer.read).toBeLessThanOrEqual(200 + 4 * 125);
    await append(h, "loud", much("loud"));
    await append(other, "river", much("reader"));
    for (const who of [h, other])
      for (const session of ["l1", "l2", "l3"]) await appendText(who, session, COLORS, { userId: "loud" });
    expect(await measure()).toEqual(alone);
  });
});
