import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { sweep, work } from "#domain/lifecycle";
import type { JobRef } from "#ports/jobs";
import { consumeJobs } from "#surfaces/queue";
import { createHarness, type Harness } from "#test/harness";
import { delivered } from "./delivered.ts";
import { chatGptConversation, part, start } from "./import-requests.ts";
import { rows, say } from "./requests.ts";

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
