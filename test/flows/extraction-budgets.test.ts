import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { compose } from "#compose";
import type { Costs } from "#core/costs";
import type { JobView } from "#domain/jobs";
import { work } from "#domain/lifecycle";
import { createHarness, type Harness } from "#test/harness";
import { slowClock } from "#test/slow-clock";
import { jobOf, MODEL_ALONE, memory, said, settings } from "./extraction-requests.ts";
import { list } from "./memory-requests.ts";
import { append, say } from "./requests.ts";

let h: Harness;
const now = slowClock();
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined, now }) });
  await settings(h, { extraction: "rules" });
  for (const text of ["Hello", "I prefer tea without milk"]) await say(h, "warm", text, { userId: "ann" });
  await h.settle();
});

type Counts = Pick<Costs, "trips" | "statements" | "rowsRead" | "rowsWritten">;

/** What a job costs, by the platform's own counters. */
async function costOf(kind: string, how: { answer?: string; id?: string; end?: null } = {}): Promise<Counts> {
  const id = how.id ?? (await jobOf(h, kind)).id;
  const composed = compose(env as unknown as Parameters<typeof compose>[0], { waitUntil: () => undefined });
  const chatModel = { model: "m", complete: async () => ({ kind: "text" as const, text: how.answer ?? said([]), usage: null }) };
  const services = { ...composed.services, log: () => undefined, chatModel, jobs: { send: async () => undefined } };
  const outcomes = await work(services, [{ tenantId: h.tenantId, jobId: id }]);
  if (how.end !== null) expect(outcomes.map(({ status }) => status)).toEqual(["done"]);
  const { trips, statements, rowsRead, rowsWritten } = composed.costs;
  return { trips, statements, rowsRead, rowsWritten };
}

/** Platform's limit of statements in one invocation. */
const STATEMENTS = 1_000;

describe("the cost of taking knowledge, lease, embedding and end of the job included", () => {
  const atMost = (cost: Counts, limit: { trips: number; written: number; read: number }) => {
    expect(cost.trips).toBeLessThanOrEqual(limit.trips);
    expect(cost.rowsWritten).toBeLessThanOrEqual(limit.written);
    expect(cost.rowsRead).toBeLessThanOrEqual(limit.read);
  };

  it("of an episode that says nothing, and of one that says something", async () => {
    await say(h, "s", "What is the weather like?", { userId: "ann" });
    atMost(await costOf("episodes.index"), { trips: 7, written: 6, read: 60 });
    await say(h, "s", "I prefer dark mode", { userId: "ann" });
    atMost(await costOf("episodes.index"), { trips: 9, written: 20, read: 100 });
  });

  it("of a hundred episodes of which each tenth says something", async () => {
    const episodes = Array.from({ length: 100 }, (_, i) => ({
      messages: [{ role: "user", content: i % 10 === 0 ? `I prefer tea number ${i}` : `What about the weather ${i}?` }],
    }));
    await append(h, "long", { userId: "ann", episodes });
    atMost(await costOf("episodes.index"), { trips: 16, written: 310, read: 2_700 });
  });

  it("of a hundred that each change what a key holds, which is more than one run may do", async () => {
    const name = (i: number) => `Vil${String.fromCharCode(97 + Math.floor(i / 10))}${String.fromCharCode(97 + (i % 10))}`;
    const episodes = Array.from({ length: 100 }, (_, i) => ({
      messages: [{ role: "user", content: `I live in ${name(i)}`, occurredAt: new Date(Date.UTC(2020, 0, 1 + i)).toISOString() }],
    }));
    await append(h, "moves", { userId: "nomad", episodes });
    const { id } = await jobOf(h, "episodes.index");
    const job = async () => (await h.fetch<JobView>("GET", `/v1/jobs/${id}`)).json;
    for (let runs = 1; (await job()).status !== "done"; runs += 1) {
      const cost = await costOf("episodes.index", { id, end: null });
      expect(cost.statements).toBeLessThan(STATEMENTS / 1.5);
      expect(runs).toBeLessThan(10);
    }
    const home = (await list(h, "userId=nomad")).json.items.map(({ content, version }) => [content, version]);
    expect(home).toEqual([[`I live in ${name(99)}`, 100]]);
    expect((await job()).result).toEqual({ by: "rules", episodes: 100, stored: 1, changed: 99 });
  });

  const word = (i: number) => `${String.fromCharCode(98 + Math.floor(i / 20))}${String.fromCharCode(97 + (i % 20))}na`;
  const many = (count: number, text: (word: string) => string) =>
    Array.from({ length: count }, (_, i) => text(word(i))).join(" ");

  it.each([
    ["people", many(200, (name) => `My cousin ${name[0]?.toUpperCase()}${name.slice(1)} is nice.`)],
    [
      "favourites and homes",
      many(100, (name) => `My favorite ${name}s is ${name}. I live in ${name[0]?.toUpperCase()}${name.slice(1)}.`),
    ],
    ["homes", many(400, (name) => `I live in ${name[0]?.toUpperCase()}${name.slice(1)}.`)],
  ])("of one message that says more than one run may store: %s", async (name, text) => {
    await settings(h, { extraction: "rules" });
    await append(h, `many ${name}`, { userId: `many ${name}`, messages: [{ role: "user", content: text }] });
    const cost = await costOf("episodes.index");
    expect(cost.statements).toBeLessThan(STATEMENTS / 1.5);
    const result = (await jobOf(h, "episodes.index")).result;
    expect(Number(result?.overtaken ?? 0) + Number(result?.tooMany ?? 0)).toBeGreaterThan(50);
    // "Nena" is a girl in Spanish, so that "I live in Nena" may say more than one thing, and has no key.
    const homes = (await list(h, `userId=many ${name}&type=identity`)).json.items.filter(({ key }) => key !== null);
    expect(homes.map(({ content, version }) => [content, version])).toEqual(
      name === "homes" ? [["I live in Utna", 1]] : name === "people" ? [] : homes.map(({ content }) => [content, 1]),
    );
  });

  it("of a model's reading", async () => {
    await settings(h, MODEL_ALONE);
    const text = "We sail on the lake every summer, and Lea comes too";
    await say(h, "s", text, { userId: "ann" });
    atMost(await costOf("episodes.index"), { trips: 8, written: 8, read: 60 });
    const answer = said([memory(text, { quote: text, subjects: ["speaker"] })]);
    atMost(await costOf("episodes.extract", { answer }), { trips: 10, written: 20, read: 300 });
  });
});
