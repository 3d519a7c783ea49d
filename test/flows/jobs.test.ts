import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { newCosts } from "#core/costs";
import { upstreamFailed } from "#core/errors";
import { backOffMs, dueJobs, type JobView, LEASE_MS, MAX_ATTEMPTS, runJobs } from "#domain/jobs";
import { sweep, work } from "#domain/lifecycle";
import type { EpisodeView } from "#domain/sessions";
import { consumeJobs } from "#surfaces/queue";
import { createHarness, type Harness } from "#test/harness";
import { delivered } from "./delivered.ts";
import { history, jobsOf, nth, type Page, type Problem, rows, say } from "./requests.ts";

const USER_TEXT = "the combination is seventeen";

let skipMs = 0;
/** Where the clock stands; null while it goes. */
let stoppedAt: number | null = null;
let embedded: string[] = [];
let logged: string[] = [];
let trouble: ((texts: readonly string[]) => Promise<void> | void) | null = null;
let h: Harness;

const replace = ({ embedder }: Services): Partial<Services> => ({
  now: () => (stoppedAt ?? Date.now()) + skipMs,
  log: (event, facts) => void logged.push(JSON.stringify({ event, ...facts })),
  embedder: {
    ...embedder,
    embed: async (texts, purpose) => {
      embedded.push(...texts);
      await trouble?.(texts);
      return await embedder.embed(texts, purpose);
    },
  },
});

beforeEach(async () => {
  // A tenant for each test; jobs of the ones before must not be in its way.
  await rows("delete from jobs");
  [stoppedAt, skipMs, embedded, logged, trouble] = [null, 0, [], [], null];
  h = await createHarness({ replace });
});
afterEach(() => expect(logged.join("\n")).not.toContain("seventeen"));

const theJob = async (): Promise<JobView> => nth(await jobsOf(h), 0);
const isIndexed = async (session: string) => nth((await history(h, session)).json.items, 0).indexed.vector;
const refOf = (job: JobView) => ({ tenantId: h.tenantId, jobId: job.id });

function consume(batch: ReturnType<typeof delivered>["batch"], services = h.services()): Promise<void> {
  return consumeJobs(batch, { services, costs: newCosts() });
}

describe("a job", () => {
  it("whose message is lost is found by the sweep", async () => {
    await say(h, "lost", USER_TEXT);
    expect([(await theJob()).status, await isIndexed("lost")]).toEqual(["pending", false]);
    expect(await sweep(h.services())).toMatchObject({ jobs: 1, failed: 0 });
    expect([(await theJob()).status, await isIndexed("lost")]).toEqual(["done", true]);
    expect(await sweep(h.services())).toMatchObject({ jobs: 0, failed: 0 });
  });

  it("is done once though its message comes twice, one after the other or at once", async () => {
    await say(h, "twice", USER_TEXT);
    const body = refOf(await theJob());
    const runs = [delivered([body, body]), delivered([body])];
    await Promise.all(runs.map(({ batch }) => consume(batch)));
    const later = delivered([body]);
    await consume(later.batch);
    expect(embedded).toEqual([USER_TEXT]);
    expect([...runs.flatMap(({ fates }) => fates), ...later.fates]).toEqual(["ack", "ack", "ack", "ack"]);
    expect([(await theJob()).status, (await theJob()).attempts]).toEqual(["done", 1]);
  });

  it("that fails is tried again after its back-off, and done in the end", async () => {
    trouble = () => {
      throw new Error(`upstream said: ${USER_TEXT}`);
    };
    stoppedAt = Date.now();
    await say(h, "flaky", USER_TEXT);
    for (const attempt of [1, 2]) {
      const { batch, fates } = delivered([refOf(await theJob())]);
      await consume(batch);
      const job = await theJob();
      expect([job.status, job.attempts, job.error, fates]).toEqual([
        "pending",
        attempt,
        "Error",
        [`retry in ${backOffMs(attempt) / 1000} s`],
      ]);
      expect(Date.parse(job.dueAt)).toBe(stoppedAt + skipMs + backOffMs(attempt));

      const early = delivered([refOf(job)]);
      await consume(early.batch);
      expect([(await theJob()).attempts, early.fates]).toEqual([attempt, ["ack"]]);
      skipMs += backOffMs(attempt) + 5_000;
    }
    trouble = null;
    await sweep(h.services());
    expect(await theJob()).toMatchObject({ status: "done", attempts: 3, error: null });
    expect(await isIndexed("flaky")).toBe(true);
  });

  it("that never succeeds is failed, with its reason, until a person runs it again", async () => {
    trouble = () => Promise.reject(upstreamFailed("The model is not there."));
    await say(h, "hopeless", USER_TEXT);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS + 1; attempt += 1) {
      await sweep(h.services());
      skipMs += backOffMs(attempt) + 5_000;
    }
    const { json } = await h.fetch<Page<JobView>>("GET", "/v1/jobs?status=failed");
    expect(json.items).toMatchObject([
      { status: "failed", attempts: MAX_ATTEMPTS, error: "upstream_failed: The model is not there.", kind: "episodes.index" },
    ]);
    expect(embedded).toHaveLength(MAX_ATTEMPTS);

    trouble = null;
    const rerun = await h.fetch<JobView>("POST", `/v1/jobs/${nth(json.items, 0).id}/rerun`);
    expect([rerun.status, rerun.json.status, rerun.json.attempts, rerun.json.error]).toEqual([200, "pending", 0, null]);
    await h.settle();
    expect(await isIndexed("hopeless")).toBe(true);
  });

  it("that runs or is done is not run again, and one that is not there is not found", async () => {
    await say(h, "settled", USER_TEXT);
    const { id } = await theJob();
    const rerun = async () => (await h.fetch<Problem>("POST", `/v1/jobs/${id}/rerun`)).status;
    await rows("update jobs set status = 'running', due_at = due_at + 100000 where id = ?", id);
    expect(await rerun()).toBe(409);
    await rows("update jobs set status = 'done' where id = ?", id);
    expect(await rerun()).toBe(409);
    expect((await h.fetch("POST", "/v1/jobs/job_none/rerun")).status).toBe(404);
    expect(await rows("select 1 from audit where tenant_id = ? and action = 'job.rerun'", h.tenantId)).toEqual([]);
  });

  it("of a kind that nobody knows fails with the kind as its reason", async () => {
    await rows(
      "insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at) values (?, 'job_odd', 'odd', '{}', 'pending', 0, 0, 0)",
      h.tenantId,
    );
    await sweep(h.services());
    expect((await theJob()).error).toBe("internal: No handler for jobs of kind odd.");
  });
});

describe("jobs of the past", () => {
  it("are listed newest first, in pages, and by status", async () => {
    for (const text of ["one", "two", "three"]) await say(h, "listed", text);
    const page = async (query: string) => (await h.fetch<Page<JobView>>("GET", `/v1/jobs?${query}`)).json;
    const all = (await jobsOf(h)).map(({ id }) => id);
    expect(all).toEqual(all.toSorted().reverse());
    const first = await page("limit=2");
    const second = await page(`limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all);
    expect([second.nextCursor, (await page("status=done")).items, (await page("status=pending")).items.length]).toEqual([
      null,
      [],
      3,
    ]);
  });

  it("are cleared away a week after they are done; failed ones wait for a person", async () => {
    for (const text of ["one", "two"]) await say(h, "past", text);
    await h.settle();
    await rows("update jobs set status = 'failed' where id = ?", (await theJob()).id);
    const keyed = {
      body: { messages: [{ role: "user", content: "kept for a day" }] },
      headers: { "idempotency-key": "for-a-day" },
    };
    await h.fetch("POST", "/v1/sessions/past/episodes", keyed);
    await sweep(h.services());
    const left = async () => [
      (await jobsOf(h)).length,
      (await rows("select 1 from idempotency where tenant_id = ?", h.tenantId)).length,
    ];
    skipMs = 23 * 3_600_000;
    await sweep(h.services());
    expect(await left()).toEqual([3, 1]);
    skipMs = 25 * 3_600_000;
    await sweep(h.services());
    expect(await left()).toEqual([3, 0]);
    skipMs = 9 * 24 * 3_600_000;
    await sweep(h.services());
    expect((await jobsOf(h)).map(({ status }) => status)).toEqual(["failed"]);
  });
});

describe("a consumer that dies", () => {
  it("before it has done anything leaves the job to the next, when its lease has run out", async () => {
    await say(h, "died", USER_TEXT);
    const ref = refOf(await theJob());
    const never = runJobs(h.services(), [ref], { "episodes.index": () => new Promise<void>(() => undefined) });
    await Promise.race([never, new Promise((resolve) => setTimeout(resolve, 60))]);
    expect((await theJob()).status).toBe("running");
    await sweep(h.services());
    expect(embedded).toEqual([]);
    skipMs = LEASE_MS + 1_000;
    await sweep(h.services());
    expect([await theJob(), await isIndexed("died")]).toMatchObject([{ status: "done", attempts: 2 }, true]);
  });

  it("with vectors stored and nothing stamped doubles nothing", async () => {
    await say(h, "half", USER_TEXT);
    const services = h.services();
    const dies: Services = {
      ...services,
      vectors: {
        ...services.vectors,
        upsert: async (...args) => {
          await services.vectors.upsert(...args);
          throw new Error("gone");
        },
      },
    };
    await work(dies, [refOf(await theJob())]);
    expect(await isIndexed("half")).toBe(false);
    skipMs = backOffMs(1) + 1_000;
    await sweep(h.services());
    expect(await isIndexed("half")).toBe(true);
    const [space] = await rows<{ id: number }>("select id from spaces where tenant_id = ?", h.tenantId);
    const [vector] = await services.embedder.embed([USER_TEXT], "query");
    expect(
      await services.vectors.query(h.tenantId, {
        vector: vector ?? new Float32Array(),
        spaces: [space?.id ?? 0],
        filter: {},
        topK: 10,
      }),
    ).toHaveLength(1);
  });

  it("each time leaves a failed job and not an endless one", async () => {
    await say(h, "poison", USER_TEXT);
    const ref = refOf(await theJob());
    await rows(
      "update jobs set status = 'running', attempts = ?, due_at = 0, lease_token = 'dead' where id = ?",
      MAX_ATTEMPTS,
      ref.jobId,
    );
    expect(await work(h.services(), [ref])).toEqual([]);
    expect(await theJob()).toMatchObject({
      status: "failed",
      attempts: MAX_ATTEMPTS,
      error: expect.stringContaining("consumer"),
    });
    expect(embedded).toEqual([]);
  });

  it("late comes too late: what the next one did stands", async () => {
    await say(h, "zombie", USER_TEXT);
    const ref = refOf(await theJob());
    const [started, hangs] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const zombie = runJobs(h.services(), [ref], {
      "episodes.index": () => {
        started.resolve();
        return hangs.promise;
      },
    });
    await started.promise;
    skipMs = LEASE_MS + 1_000;
    await work(h.services(), [ref]);
    expect((await theJob()).status).toBe("done");
    hangs.reject(new Error("late"));
    await zombie;
    expect(await theJob()).toMatchObject({ status: "done", error: null, attempts: 2 });
  });

  it("late does not finish what is being tried again", async () => {
    await say(h, "zombie", USER_TEXT);
    const ref = refOf(await theJob());
    const [started, hangs] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const zombie = runJobs(h.services(), [ref], {
      "episodes.index": () => {
        started.resolve();
        return hangs.promise;
      },
    });
    await started.promise;
    await rows("update jobs set status = 'running', lease_token = 'another', attempts = 2 where id = ?", ref.jobId);
    hangs.resolve();
    await zombie;
    expect(await theJob()).toMatchObject({ status: "running", finishedAt: null });
  });
});

describe("one tenant's trouble", () => {
  const backlog = (tenantId: number, count: number) =>
    rows(
      `with recursive n (value) as (select 1 union all select value + 1 from n where value < ?2)
       insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
       select ?1, 'job_old_' || value, 'odd', '{}', 'pending', 0, value, 0 from n`,
      tenantId,
      count,
    );

  it("does not hold back the jobs of another: a full backlog", async () => {
    const other = await createHarness({ replace });
    await backlog(other.tenantId, 1_200);
    await say(h, "behind", USER_TEXT);
    const due = await dueJobs(h.services(), 2);
    expect(due.map(({ tenantId }) => tenantId).sort()).toEqual([h.tenantId, other.tenantId].sort());
    await sweep(h.services());
    expect(await isIndexed("behind")).toBe(true);
  });

  it("does not hold back the jobs of another: a job that fails or hangs beside it", async () => {
    const other = await createHarness({ replace });
    await say(other, "bad", "poison");
    await say(h, "good", "fine");
    trouble = (texts) => (texts.includes("poison") ? new Promise(() => undefined) : undefined);
    // It does not end while the other's job hangs.
    void sweep(h.services());
    await expect.poll(async () => await isIndexed("good")).toBe(true);
    trouble = (texts) => {
      if (texts.includes("poison again")) throw new Error("no");
    };
    await say(other, "bad", "poison again");
    await say(h, "good", "fine again");
    expect(await sweep(h.services())).toMatchObject({ jobs: 2, failed: 1 });
  });

  it("is its bad job's alone from the second try on", async () => {
    trouble = (texts) => {
      if (texts.includes("poison")) throw new Error("no");
    };
    await say(h, "mixed", "poison");
    await say(h, "mixed", "fine");
    await sweep(h.services());
    expect((await jobsOf(h)).map(({ status }) => status)).toEqual(["pending", "pending"]);
    skipMs = backOffMs(1) + 1_000;
    await sweep(h.services());
    expect((await jobsOf(h)).map(({ status }) => status).sort()).toEqual(["done", "pending"]);
  });
});

describe("the queue", () => {
  it("gets unreadable messages acknowledged, and what they said is not logged", async () => {
    await say(h, "readable", "fine");
    const { batch, fates } = delivered([USER_TEXT, { tenantId: "1", jobId: 2 }, null, refOf(await theJob())]);
    await consume(batch);
    expect(fates).toEqual(["ack", "ack", "ack", "ack"]);
    expect(logged.filter((line) => line.includes("queue.unreadable"))).toHaveLength(3);
    expect((await theJob()).status).toBe("done");
  });

  it("delivers again when the database does not answer", async () => {
    await say(h, "offline", "fine");
    const { batch, fates } = delivered([refOf(await theJob())]);
    const services = h.services();
    const offline = new Proxy(services.db, {
      get: () => {
        throw new Error("offline");
      },
    });
    await consume(batch, { ...services, db: offline });
    expect(fates).toEqual(["retry in 0 s"]);
    await h.settle();
  });

  it("may kill a message: its job is found by the sweep all the same", async () => {
    await say(h, "dead", "fine");
    const { batch, fates } = delivered([refOf(await theJob())], "edgewise-jobs-dead");
    await consume(batch);
    expect([fates, (await theJob()).status]).toEqual([["ack"], "pending"]);
    expect(logged.join()).toContain("queue.dead");
    await sweep(h.services());
    expect((await theJob()).status).toBe("done");
  });

  it("is consumed by the worker itself", async () => {
    const worker = (await import("#worker")).default;
    await say(h, "worker", "fine");
    const batch = createMessageBatch("edgewise-jobs", [
      { id: "m1", timestamp: new Date(), attempts: 1, body: refOf(await theJob()) },
    ]);
    const execution = createExecutionContext();
    await worker.queue(batch, asWorkerEnv(env), execution);
    expect((await getQueueResult(batch, execution)).explicitAcks).toEqual(["m1"]);
    expect(await isIndexed("worker")).toBe(true);
  });

  it("carries the job by itself, with nothing to wait for but the queue", async () => {
    const real = await createHarness({ queue: "real" });
    await say(real, "carried", "by the queue");
    const indexed = async () =>
      (await real.fetch<Page<EpisodeView>>("GET", "/v1/sessions/carried/episodes")).json.items[0]?.indexed.vector;
    await expect.poll(indexed, { interval: 50 }).toBe(true);
  });
});

/** The test configuration binds what wrangler.toml names. */
function asWorkerEnv(bindings: Cloudflare.Env) {
  return bindings as unknown as Parameters<typeof import("#worker")["default"]["queue"]>[1];
}
