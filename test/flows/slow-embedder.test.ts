import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { newCosts } from "#core/costs";
import { backOffMs, LEASE_MS } from "#domain/jobs";
import { sweep, work } from "#domain/lifecycle";
import type { JobRef } from "#ports/jobs";
import { consumeJobs } from "#surfaces/queue";
import { createHarness, type Harness } from "#test/harness";
import { delivered } from "./delivered.ts";
import { settings } from "./extraction-requests.ts";
import { append, nth, rows, say } from "./requests.ts";

const SLICE = 256;
const SLOW_MS = LEASE_MS / 2 + 1_000;

let skipMs = 0;
/** What each call of the embedder was asked for. */
let calls: string[][] = [];
let sent: JobRef[] = [];
let during: (texts: readonly string[]) => Promise<unknown> | unknown = () => undefined;
let model: string | null = null;
let h: Harness;

const replace = ({ embedder }: Services): Partial<Services> => ({
  now: () => Date.now() + skipMs,
  log: () => undefined,
  jobs: { send: async (refs) => void sent.push(...refs) },
  embedder: {
    ...embedder,
    model: model ?? embedder.model,
    embed: async (texts, purpose) => {
      calls.push([...texts]);
      await during(texts);
      return await embedder.embed(texts, purpose);
    },
  },
});

beforeEach(async () => {
  await rows("delete from jobs");
  [skipMs, calls, sent, during, model] = [0, [], [], () => undefined, null];
  h = await createHarness({ replace });
  await settings(h, { extraction: "off" });
});

const slowly = () => {
  skipMs += SLOW_MS;
};
const sizes = () => calls.map(({ length }) => length);

type Row = JobRef & { kind: string; status: string; attempts: number; dueAt: number; error: string | null };
const jobs = () =>
  rows<Row>(
    `select tenant_id as tenantId, id as jobId, kind, status, attempts, due_at as dueAt, error from jobs
     where tenant_id = ? order by id`,
    h.tenantId,
  );
const statuses = async () => (await jobs()).map(({ status, attempts }) => `${status} ${attempts}`);
const refs = async () => (await jobs()).map(({ tenantId, jobId }) => ({ tenantId, jobId }));
const run = async () => (await work(h.services(), await refs())).map(({ status }) => status);

/** Jobs of a hundred passages each, 300 with none that is twice. */
async function threeHundred(): Promise<void> {
  for (const hundred of [0, 1, 2]) {
    await append(h, "long", {
      episodes: Array.from({ length: 100 }, (_, i) => ({ messages: [{ role: "user", content: `word ${hundred * 100 + i}` }] })),
    });
  }
  sent = [];
}

async function stamped(): Promise<number> {
  const [row] = await rows<{ n: number }>(
    "select count(*) as n from episodes where tenant_id = ? and vector_model is not null",
    h.tenantId,
  );
  return row?.n ?? -1;
}

describe("a slow embedder", () => {
  it("is asked slice by slice, and a failure half-way keeps what was done", async () => {
    await threeHundred();
    during = () => {
      if (calls.length === 2) throw new Error("out of breath");
    };
    await sweep(h.services());
    expect([sizes(), await stamped(), await statuses()]).toEqual([
      [SLICE, 300 - SLICE],
      SLICE,
      ["pending 1", "pending 1", "pending 1"],
    ]);

    const failed = nth(calls, 1);
    calls = [];
    skipMs = backOffMs(1) + 1_000;
    await sweep(h.services());
    expect(calls).toEqual([failed]);
    expect([await stamped(), await statuses()]).toEqual([300, ["done 2", "done 2", "done 2"]]);
  });

  it("takes an episode that is larger than a slice whole", async () => {
    const long = "a b c d e f g. ".repeat(4_000);
    for (let i = 0; i < 2; i += 1) await say(h, "large", [long, long]);
    await run();
    expect([sizes().length, sizes().every((size) => size > SLICE), await stamped()]).toEqual([2, true, 2]);
  });

  it("has its jobs handed on unfinished by half the lease, with their attempts, and none is done twice", async () => {
    await threeHundred();
    during = slowly;
    expect(await run()).toEqual(["unfinished", "unfinished", "unfinished"]);
    expect([sizes(), await stamped(), await statuses()]).toEqual([[SLICE], SLICE, ["pending 0", "pending 0", "pending 0"]]);
    for (const job of await jobs()) {
      expect([job.error, job.dueAt <= Date.now() + skipMs]).toEqual([null, true]);
    }
    expect(await run()).toEqual(["done", "done", "done"]);
    expect([new Set(calls.flat()).size, calls.flat().length, await statuses()]).toEqual([
      300,
      300,
      ["done 1", "done 1", "done 1"],
    ]);
  });

  it("that is just in time is not interrupted", async () => {
    await threeHundred();
    during = () => {
      skipMs += LEASE_MS / 2 - 5_000;
    };
    expect(await run()).toEqual(["done", "done", "done"]);
  });

  it("has groups that were not started in time put back unasked, fresh jobs going first", async () => {
    for (const text of ["failed before", "fresh"]) await say(h, "turns", text);
    await rows("update jobs set attempts = 1, error = 'Error' where id = ?", nth(await jobs(), 0).jobId);
    during = slowly;
    expect((await run()).sort()).toEqual(["done", "unfinished"]);
    expect([calls, await statuses(), nth(await jobs(), 0).error]).toEqual([[["fresh"]], ["pending 1", "done 1"], "Error"]);
  });

  it("does not make a job that another consumer has taken pending again", async () => {
    await threeHundred();
    during = async () => {
      slowly();
      await rows("update jobs set lease_token = 'another', attempts = 2 where tenant_id = ?", h.tenantId);
    };
    await run();
    expect(await statuses()).toEqual(["running 2", "running 2", "running 2"]);
  });

  it("is asked for one group of a tenant at a time, and for tenants side by side", async () => {
    const other = await createHarness({ replace });
    for (const tenant of [h, other]) for (const text of ["a", "b", "c"]) await say(tenant, "busy", `${tenant.tenantId} ${text}`);
    await rows("update jobs set attempts = 1");
    const active = new Map<string, number>();
    let most = 0;
    const both = Promise.withResolvers<void>();
    during = async ([text]) => {
      const tenant = text?.split(" ")[0] ?? "";
      active.set(tenant, (active.get(tenant) ?? 0) + 1);
      most = Math.max(most, active.get(tenant) ?? 0);
      if (active.size === 2) both.resolve();
      await both.promise;
      await new Promise((resolve) => setTimeout(resolve, 5));
      active.set(tenant, (active.get(tenant) ?? 0) - 1);
    };
    expect(await sweep(h.services())).toMatchObject({ jobs: 6, failed: 0 });
    expect([most, calls.length]).toEqual([1, 6]);
  });

  it("is not reported by the sweep as a failure, which continues with it the next time", async () => {
    await threeHundred();
    during = slowly;
    expect(await sweep(h.services())).toMatchObject({ jobs: 3, failed: 0 });
    expect(await sweep(h.services())).toMatchObject({ jobs: 3, failed: 0 });
    expect(await statuses()).toEqual(["done 1", "done 1", "done 1"]);
  });
});

describe("the queue", () => {
  it("gets a fresh message for what is unfinished, and the old one acknowledged", async () => {
    await threeHundred();
    during = slowly;
    const first = delivered(await refs());
    await consumeJobs(first.batch, { services: h.services(), costs: newCosts() });
    expect([first.fates, sent]).toEqual([["ack", "ack", "ack"], await refs()]);
    const second = delivered(sent);
    sent = [];
    await consumeJobs(second.batch, { services: h.services(), costs: newCosts() });
    expect([second.fates, sent, await stamped()]).toEqual([["ack", "ack", "ack"], [], 300]);
  });

  it("delivers again when the fresh message cannot be sent", async () => {
    await threeHundred();
    during = slowly;
    const { batch, fates } = delivered(await refs());
    const services = { ...h.services(), jobs: { send: () => Promise.reject(new Error("full")) } };
    await consumeJobs(batch, { services, costs: newCosts() });
    expect(fates).toEqual(["retry in 0 s", "retry in 0 s", "retry in 0 s"]);
  });
});

it("a re-embedding that is unfinished goes on where it was, and hands on once", async () => {
  await append(h, "long", {
    episodes: Array.from({ length: 100 }, (_, i) => ({
      messages: [0, 1, 2].map((part) => ({ role: "user", content: `lesson ${i} ${part}` })),
    })),
  });
  await say(h, "long", "lesson of the last");
  const ours = () => calls.flat().filter((text) => text.startsWith("lesson"));
  await h.settle();
  await sweep(h.services());
  await rows("delete from jobs");
  [calls, model, during] = [[], "another@512", slowly];
  await sweep(h.services());
  await rows("delete from jobs where kind = 'memories.reembed'");
  expect([ours().length, await statuses()]).toEqual([255, ["pending 0"]]);
  await run();
  expect([ours().length, await statuses()]).toEqual([300, ["pending 0", "done 1"]]);
  await h.settle();
  expect([new Set(ours()).size, ours().length]).toEqual([301, 301]);
});

it("a passage has the day of its own message", async () => {
  const days = ["2026-01-10T12:00:00.000Z", "2026-03-20T12:00:00.000Z"];
  await append(h, "days", { messages: days.map((occurredAt, i) => ({ role: "user", content: `word ${i}`, occurredAt })) });
  await h.settle();
  const { embedder, vectors } = h.services();
  const vector = nth(await embedder.embed(["word"], "query"), 0);
  const spaces = (await rows<{ id: number }>("select id from spaces where tenant_id = ?", h.tenantId)).map(({ id }) => id);
  for (const day of days) {
    const createdDay = Math.floor(Date.parse(day) / 86_400_000);
    expect(await vectors.query(h.tenantId, { vector, spaces, filter: { createdDay }, topK: 10 })).toHaveLength(1);
  }
});
