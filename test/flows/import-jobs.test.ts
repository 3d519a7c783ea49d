import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { sweep, work } from "#domain/lifecycle";
import type { JobRef } from "#ports/jobs";
import { consumeJobs } from "#surfaces/queue";
import { createHarness, type Harness } from "#test/harness";
import { delivered } from "./delivered.ts";
import { chatChannel, MODEL_ALONE, memoriesOf, memory, modelAt, runDue, said, settings } from "./extraction-requests.ts";
import { chatGptConversation, part, start } from "./import-requests.ts";
import { find, jobsOf, rows, say, textsOf } from "./requests.ts";

let sent: JobRef[] = [];
let skipMs = 0;
let embedded: string[] = [];
let h: Harness;

const replace = (composed: Services): Partial<Services> => ({
  now: () => Date.now() + skipMs,
  log: () => undefined,
  jobs: { send: async (refs) => void sent.push(...refs) },
  embedder: {
    ...composed.embedder,
    embed: async (texts, purpose) => {
      embedded.push(...texts);
      return await composed.embedder.embed(texts, purpose);
    },
  },
});

beforeEach(async () => {
  for (const table of ["jobs", "imports", "tenants"]) await rows(`delete from ${table}`);
  [sent, skipMs, embedded] = [[], 0, []];
  h = await createHarness({ replace });
});

/** Imports as many parts, each with one conversation. */
async function importParts(of: Harness, count: number, extra: Record<string, unknown> = {}): Promise<void> {
  const id = await start(of, { sha: "1", ...extra });
  for (let i = 0; i < count; i += 1)
    await part(of, id, [chatGptConversation(`${of.tenantId}-${count}-${i}`, [`I live in the old town number ${i}.`, "Noted."])]);
}
const openOf = async (of: Harness) =>
  await rows<{ id: string; kind: string; lane: string }>(
    `select id, kind, iif(due_at > 90000000000000, 'later', 'now') as lane from jobs
     where tenant_id = ? and status <> 'done' order by due_at, id`,
    of.tenantId,
  );
const deferred = () => new Promise((resolve) => setTimeout(resolve, 50));
/** Delivers all messages that were sent, as one batch. */
async function deliver(): Promise<void> {
  const { batch } = delivered(sent.splice(0));
  await consumeJobs(batch, { services: h.services(), costs: {} as never });
  await deferred();
}

describe("jobs of an import run behind all others", () => {
  it("one of a tenant at a time is on its way, and its end brings the next one forward", async () => {
    await importParts(h, 5, { extraction: "off" });
    await deferred();
    expect(sent).toHaveLength(1);
    expect((await openOf(h)).map(({ lane }) => lane)).toEqual(["now", "later", "later", "later", "later"]);
    for (let left = 4; left >= 0; left -= 1) {
      await deliver();
      expect([(await openOf(h)).length, sent.length]).toEqual([left, left === 0 ? 0 : 1]);
    }
    const [state] = await rows("select count(*) as n from episodes where tenant_id = ? and vector_model is not null", h.tenantId);
    expect(state).toEqual({ n: 5 });
  });

  it("a live job of the same batch of messages is done first", async () => {
    await importParts(h, 1);
    await say(h, "live", "the live message");
    await deferred();
    expect(sent.map(({ jobId }) => jobId)).toHaveLength(2);
    await deliver();
    expect(embedded.findIndex((text) => text.includes("live message"))).toBe(0);
  });

  it("the sweep takes the live jobs of both tenants, whatever is waiting, and one of the import", async () => {
    const other = await createHarness({ replace });
    await importParts(h, 40);
    await say(h, "live", "the live message of mine");
    await say(other, "live", "the live message of another");
    sent = [];
    skipMs = 400_000;
    await sweep(h.services());
    expect(embedded.filter((text) => text.includes("the live message"))).toHaveLength(2);
    expect((await openOf(h)).filter(({ lane }) => lane === "later").length).toBeGreaterThanOrEqual(38);
  });

  it("waits while the tenant has a backlog, and the sweep brings it forward afterwards", async () => {
    await rows(
      `with recursive n (value) as (select 1 union all select value + 1 from n where value < 600)
       insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
       select ?1, 'job_' || value, 'entities.remove', '{"entities":[]}', 'pending', 0, ?2, 0 from n`,
      h.tenantId,
      Date.now(),
    );
    await importParts(h, 1);
    await deferred();
    expect(sent).toEqual([]);
    await rows("delete from jobs where kind = 'entities.remove'");
    expect(await sweep(h.services())).toMatchObject({ broughtForward: 1 });
    expect(sent).toHaveLength(1);
  });

  it("what was cut off while a part was being stored runs by itself", async () => {
    await importParts(h, 1);
    await rows(
      "update jobs set due_at = 95617584000000 + ?, lease_token = null where tenant_id = ?",
      Date.now() + 600_000,
      h.tenantId,
    );
    expect(await sweep(h.services())).toMatchObject({ broughtForward: 0 });
    skipMs = 700_000;
    expect(await sweep(h.services())).toMatchObject({ broughtForward: 1 });
  });

  it("are shown as due when they were written", async () => {
    await importParts(h, 2);
    const { json } = await h.fetch<{ items: { dueAt: string }[] }>("GET", "/v1/jobs");
    for (const { dueAt } of json.items) expect(dueAt.slice(0, 3)).toBe("202");
  });

  it("are known to the doctor, so that no other job does the same", async () => {
    await importParts(h, 3);
    const { json } = await h.fetch<{ invariants: { name: string; findings?: number; found?: number }[] }>("POST", "/v1/doctor", {
      body: {},
    });
    expect(JSON.stringify(json)).not.toContain('"episodesReindexed":3');
    expect(await rows("select id from jobs where tenant_id = ? and kind = 'episodes.index'", h.tenantId)).toEqual([]);
  });
});

describe("what reads the episodes of an import", () => {
  const extractedOf = async () => await rows("select distinct extracted from episodes where tenant_id = ?", h.tenantId);
  const statement = ["I live in Graz and I am allergic to peanuts.", "Noted."];

  async function importWith(extraction: string, texts: readonly string[] = statement): Promise<void> {
    const id = await start(h, { sha: extraction.length.toString(), extraction });
    await part(h, id, [chatGptConversation(`${h.tenantId}-${extraction}`, texts)]);
    await h.settle();
  }

  it("off: nothing, not even when its vectors are made again", async () => {
    await importWith("off");
    expect(await extractedOf()).toEqual([{ extracted: "off" }]);
    await rows("update episodes set vector_model = null where tenant_id = ?", h.tenantId);
    await h.fetch("POST", "/v1/doctor", { body: {} });
    await h.settle();
    expect(await extractedOf()).toEqual([{ extracted: "off" }]);
    expect(await rows("select id from memories where tenant_id = ?", h.tenantId)).toEqual([]);
  });

  it.each([
    ["off", 0],
    // With the mark of the list's end.
    ["rules", 4],
  ])("%s: the values of lists that are stored are %i", async (extraction, count) => {
    await importWith(extraction, ["My favorite colors are 1) Blue, 2) Green, 3) Black", "Noted."]);
    expect(await rows("select value from facts where tenant_id = ?", h.tenantId)).toHaveLength(count);
  });

  it("rules: the rules", async () => {
    await importWith("rules");
    expect(await extractedOf()).toEqual([{ extracted: "rules" }]);
    expect((await rows("select id from memories where tenant_id = ?", h.tenantId)).length).toBeGreaterThan(0);
  });

  it("a request to forget that was made long ago forgets nothing now", async () => {
    const body = { userId: "me", content: "I live in Graz", type: "identity" };
    await h.fetch("POST", "/v1/memories", { body });
    await importWith("rules", ["Please forget that I live in Graz.", "Done."]);
    expect(await rows("select status from memories where tenant_id = ? and content = 'I live in Graz'", h.tenantId)).toEqual([
      { status: "approved" },
    ]);
    expect(await rows("select id from jobs where tenant_id = ? and kind = 'episodes.forget'", h.tenantId)).toEqual([]);
  });

  it("a run takes what a few seconds allow, and the rest is left to its next message", async () => {
    const id = await start(h, { sha: "99", extraction: "off" });
    await part(
      h,
      id,
      Array.from({ length: 3 }, (_, i) => chatGptConversation(`${h.tenantId}-big-${i}`, ["word ".repeat(50_000), "ok"])),
    );
    await deferred();
    const clock = { calls: 0 };
    const slow = { ...h.services(), now: () => Date.now() + 3_000 * clock.calls++ };
    const [job] = sent;
    expect(job === undefined ? [] : await work(slow, [job])).toMatchObject([{ status: "unfinished" }]);
    const [{ result } = { result: "" }] = await rows<{ result: string }>(
      "select result from jobs where id = ?",
      job?.jobId ?? "",
    );
    expect(JSON.parse(result).done).toBeGreaterThan(0);
  });
});

describe("an import that a model reads", () => {
  let channel = chatChannel();
  let read: Harness;
  beforeEach(async () => {
    channel = chatChannel();
    read = await createHarness({ replace: () => ({ log: () => undefined, chatModel: modelAt(channel) }) });
  });
  const conversation = chatGptConversation("sailing", ["we like sailing on the lake of Garda in summer", "Noted."]);
  const learned = memory("Sails on the lake of Garda", { quote: "we like sailing on the lake of Garda in summer" });
  const sourcesOf = async () => (await memoriesOf(read)).map(({ metadata }) => JSON.parse(metadata).source);

  it("asks it behind all other work, and learns as of then from the episodes", async () => {
    await settings(read, MODEL_ALONE);
    await channel.answer(said([learned]));
    const id = await start(read, { sha: "2", extraction: "model" });
    const { json } = await part(read, id, [conversation]);
    await read.settle();
    expect((await jobsOf(read)).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["episodes.import", "episodes.extractLater"]),
    );
    const [found, ...others] = await memoriesOf(read);
    expect([found?.content, others]).toEqual(["Sails on the lake of Garda", []]);
    expect(new Date(found?.valid_from ?? 0).toISOString()).toBe("2025-03-01T09:00:00.500Z");
    const [session] = await rows<{ name: string }>(
      "select external_id as name from sessions where id = ?",
      found?.learned_in ?? 0,
    );
    expect(session?.name).toBe(json.items[0]?.sessionId);
    expect(await rows("select extracted from episodes where tenant_id = ?", read.tenantId)).toEqual([{ extracted: "model" }]);
    await part(read, id, [conversation]);
    await read.settle();
    expect((await channel.requests()).length).toBe(1);
  });

  it("never asks it without `model`, and not if the tenant's settings allow the rules only", async () => {
    await settings(read, MODEL_ALONE);
    await part(read, await start(read, { sha: "3" }), [conversation]);
    await read.settle();
    await settings(read, { extraction: "rules" });
    const another = chatGptConversation("another", ["we like skiing on the mountain of Zermatt in winter"]);
    await part(read, await start(read, { sha: "4", extraction: "model" }), [another]);
    await read.settle();
    expect([await channel.requests(), await sourcesOf()]).toEqual([[], expect.not.arrayContaining(["model"])]);
  });

  it("is not lost while it does not answer, and what it says is learned later", async () => {
    await settings(read, MODEL_ALONE);
    await channel.misbehave(...Array.from({ length: 12 }, () => ({ status: 503 })));
    await part(read, await start(read, { sha: "5", extraction: "model" }), [conversation]);
    const runAll = async () => {
      await rows("update jobs set due_at = 0 where tenant_id = ? and status = 'pending'", read.tenantId);
      await runDue(read);
    };
    for (let run = 0; run < 3; run += 1) await runAll();
    expect((await channel.requests()).length).toBeGreaterThan(0);
    expect(await sourcesOf()).toEqual([]);
    expect(textsOf(await find(read, "lake Garda"))).toContain("we like sailing on the lake of Garda in summer");
    await channel.reset();
    await channel.answer(said([learned]));
    await runAll();
    expect(await sourcesOf()).toEqual(["model"]);
  });
});
