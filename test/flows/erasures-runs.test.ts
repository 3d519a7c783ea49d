import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import type { ErasureView } from "#domain/erasures";
import { MAX_ATTEMPTS } from "#domain/jobs";
import { work } from "#domain/lifecycle";
import { createHarness, type Harness } from "#test/harness";
import { aroundBatches } from "#test/interruption";
import { jobsOf, nth, rows, say } from "./requests.ts";

const MINUTE = 60_000;

let replace: (composed: Services) => Partial<Services> = () => ({});
let skipMs = 0;
let h: Harness;
const now = () => Date.now() + skipMs;

beforeEach(async () => {
  [replace, skipMs] = [() => ({}), 0];
  h = await createHarness({ replace: (composed) => ({ log: () => undefined, now, ...replace(composed) }) });
  await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
  await h.settle();
});

async function begin(): Promise<string> {
  const { status, json, text } = await h.fetch<ErasureView>("DELETE", "/v1/users/ann", { user: null });
  expect(status, text).toBe(202);
  return json.id ?? "";
}

const read = async (id: string) => (await h.fetch<ErasureView>("GET", `/v1/erasures/${id}`)).json;
const storeOf = ({ stores }: ErasureView, name: string) => stores.find(({ store }) => store === name);

/** Runs the erasure's job once, if it is due. */
async function runOnce() {
  const jobs = await rows<{ jobId: string }>(
    "select id as jobId from jobs where tenant_id = ? and kind = 'erasures.run' and status <> 'done'",
    h.tenantId,
  );
  return await work(
    h.services(),
    jobs.map(({ jobId }) => ({ tenantId: h.tenantId, jobId })),
  );
}

const withVectors = (change: (vectors: Services["vectors"]) => Partial<Services["vectors"]>) => {
  replace = ({ vectors }) => ({ vectors: { ...vectors, ...change(vectors) } });
};

describe("the run of an erasure", () => {
  it("that fails again and again is a failed erasure, which continues when its job is run again", async () => {
    const id = await begin();
    withVectors(() => ({ remove: () => Promise.reject(new Error("The index is broken.")) }));
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      expect((await read(id)).status).toBe(attempt === 0 ? "initialized" : "running");
      await runOnce();
      skipMs += 24 * 60 * MINUTE;
    }
    expect(await read(id)).toMatchObject({ status: "failed", finishedAt: null, receipt: null });
    const statuses: string[] = [];
    withVectors((vectors) => ({
      remove: async (...args) => {
        statuses.push((await read(id)).status);
        await vectors.remove(...args);
      },
    }));
    const job = nth(
      (await jobsOf(h)).filter(({ kind }) => kind === "erasures.run"),
      0,
    );
    expect((await h.fetch("POST", `/v1/jobs/${job.id}/rerun`)).status).toBe(200);
    await runOnce();
    expect(new Set(statuses)).toEqual(new Set(["running"]));
    expect(await read(id)).toMatchObject({ status: "finished", receipt: { rounds: 1 } });
  });

  it("whose consumer dies every time is a failed erasure", async () => {
    const id = await begin();
    await rows(
      "update jobs set status = 'running', attempts = ?, lease_token = 'gone', due_at = 0 where kind = 'erasures.run' and tenant_id = ?",
      MAX_ATTEMPTS,
      h.tenantId,
    );
    await runOnce();
    expect((await read(id)).status).toBe("failed");
  });

  it("ends at its deadline, and the next one continues with the step after", async () => {
    const id = await begin();
    replace = ({ db }) => ({
      db: aroundBatches(db, async (run) => {
        skipMs += 20_000;
        return await run();
      }),
    });
    const steps: number[] = [];
    for (let run = 0; run < 60 && (await read(id)).finishedAt === null; run += 1) {
      await runOnce();
      steps.push((await read(id)).progress.step);
    }
    expect(steps.length).toBeGreaterThan(3);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect((await read(id)).status).toBe("finished");
  });

  it("of an erasure that has ended changes nothing, and keeps no id of the subject", async () => {
    const id = await begin();
    await h.settle();
    const before = await read(id);
    skipMs = MINUTE;
    await rows("update jobs set status = 'pending', due_at = 0 where tenant_id = ? and kind = 'erasures.run'", h.tenantId);
    await h.settle();
    expect(await read(id)).toEqual(before);
    expect(await rows("select subject_id as id from erasures where tenant_id = ?", h.tenantId)).toEqual([{ id: null }]);
    expect(await rows("select action from audit where tenant_id = ? and action = 'erasure.finished'", h.tenantId)).toHaveLength(
      1,
    );
  });

  it("writes over the free pages, whatever the steps before have left as their place, and leaves no filler", async () => {
    await h.fetch("PUT", "/v1/sessions/crew", { body: { userId: "ann", participants: ["ann", "ben"] } });
    await say(h, "crew", "Only Ann says this.", { userId: "ann" });
    await h.settle();
    let most = 0;
    const fillers = async () =>
      nth(await rows<{ n: number }>("select count(*) as n from upkeep where tenant_id = 0 and task like 'overwrite%'"), 0).n;
    replace = ({ db }) => ({
      db: aroundBatches(db, async (run) => {
        most = Math.max(most, await fillers());
        return await run();
      }),
    });
    await begin();
    await h.settle();
    expect(most).toBeGreaterThanOrEqual(12);
    expect(await fillers()).toBe(0);
  });

  it("leaves no text in the caches of this isolate", async () => {
    const { queryEmbeddings, profiles } = h.services().caches;
    const sizes = () => [queryEmbeddings.counts().size, profiles.counts().size];
    queryEmbeddings.set("a question", new Float32Array(1), now());
    profiles.set("a profile", "Lives in Lisbon.", now());
    expect(sizes().every((size) => size > 0)).toBe(true);
    await begin();
    await h.settle();
    expect(sizes()).toEqual([0, 0]);
  });

  it("that has written as many pages of a text index as it may says that words may be left in it", async () => {
    const id = await begin();
    await rows("update erasures set progress = json_set(progress, '$.pages', 2500001) where tenant_id = ?", h.tenantId);
    await h.settle();
    const erasure = await read(id);
    expect(erasure).toMatchObject({ status: "partial_success", receipt: { rounds: 1 } });
    expect(storeOf(erasure, "message_fts segments")).toMatchObject({ verdict: "pending", until: null });
    expect(erasure.stores.filter(({ verdict }) => verdict === "residual")).toEqual([]);
  });

  it("waits for a job about the subject that another consumer has begun", async () => {
    await rows(
      `insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
       select tenant_id, 'job_running', 'session.retag', json_object('sessionId', id), 'running', 1, ?2, 0 from sessions where tenant_id = ?1`,
      h.tenantId,
      now() + 5 * MINUTE,
    );
    const id = await begin();
    await runOnce();
    expect(await read(id)).toMatchObject({ status: "running", finishedAt: null });
    skipMs = 4 * MINUTE;
    expect(await runOnce()).toEqual([]);
    skipMs = 6 * MINUTE;
    await runOnce();
    expect((await read(id)).status).toBe("finished");
  });

  it("does not wait for jobs of its own batch, which are leased with it and would run after it", async () => {
    await say(h, "others", "I live in Porto.", { userId: "ben" });
    await rows("update jobs set attempts = 1 where tenant_id = ? and kind = 'episodes.index'", h.tenantId);
    const id = await begin();
    const jobs = await rows<{ jobId: string }>(
      "select id as jobId from jobs where tenant_id = ? and status <> 'done'",
      h.tenantId,
    );
    expect(jobs).toHaveLength(2);
    await work(
      h.services(),
      jobs.map(({ jobId }) => ({ tenantId: h.tenantId, jobId })),
    );
    await runOnce();
    expect((await read(id)).status).toBe("finished");
  });

  it("gives up on what is written in every round, and says that it is left", async () => {
    const id = await begin();
    replace = ({ db }) => {
      let isLooking = false;
      return {
        db: aroundBatches(db, async (run) => {
          if (isLooking) return await run();
          isLooking = true;
          await rows(
            `insert into facts (user_id, topic, session_id, project_id, kind, rank, tenant_id, value, created_at, stored_at)
             select json_extract(progress, '$.scope.id'), 'color', 0, 0, 'single', 0, tenant_id, 'late', 1, 1 from erasures
             where tenant_id = ? on conflict do nothing`,
            h.tenantId,
          );
          isLooking = false;
          return await run();
        }),
      };
    };
    for (let run = 0; run < 10 && (await read(id)).finishedAt === null; run += 1) await runOnce();
    const erasure = await read(id);
    expect(erasure).toMatchObject({ status: "partial_success", receipt: { status: "partial_success", rounds: 5 } });
    expect(storeOf(erasure, "facts")).toMatchObject({ remaining: 1, verdict: "residual" });
  });
});

describe("with an index that settles late and cannot list its vectors", () => {
  const settling = (vectors: Services["vectors"]) => ({
    list: undefined as never,
    settlesAfterMs: 10 * MINUTE,
    stored: vectors.stored,
  });

  it("the vectors are asked for again after it has settled", async () => {
    withVectors(settling);
    const id = await begin();
    await runOnce();
    expect(await read(id)).toMatchObject({ status: "running", finishedAt: null });
    skipMs = 11 * MINUTE;
    await runOnce();
    const erasure = await read(id);
    expect(erasure.status).toBe("finished");
    expect(storeOf(erasure, "vectors")).toMatchObject({
      remaining: 0,
      verdict: "erased",
      how: expect.stringContaining("settled"),
    });
  });

  it("vectors that are still there then are left over", async () => {
    withVectors((vectors) => ({ ...settling(vectors), remove: async () => undefined }));
    const id = await begin();
    for (let run = 0; run < 10 && (await read(id)).finishedAt === null; run += 1) {
      await runOnce();
      skipMs += 11 * MINUTE;
    }
    const erasure = await read(id);
    expect(erasure).toMatchObject({ status: "partial_success", receipt: { rounds: 5 } });
    expect(storeOf(erasure, "vectors")?.remaining).toBeGreaterThan(0);
  });
});

describe("while a user is erased", () => {
  it("their key and their token are refused", async () => {
    const { key } = (await h.fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "ann's", userId: "ann" } })).json;
    const { token } = (await h.fetch<{ token: string }>("POST", "/v1/tokens", { body: { userId: "ann" } })).json;
    const ask = async (credential: string) =>
      (await h.fetch("POST", "/v1/memories", { key: credential, user: null, body: { content: "I keep lemurs" } })).status;
    expect([await ask(key), await ask(token)]).toEqual([201, 200]);
    await h.settle();
    const during: number[][] = [];
    withVectors((vectors) => ({
      remove: async (...args) => {
        during.push([await ask(key), await ask(token)]);
        await vectors.remove(...args);
      },
    }));
    await begin();
    await h.settle();
    expect(during.length).toBeGreaterThan(0);
    for (const statuses of during) expect(statuses).toEqual([401, 401]);
  });

  it("answers to repeated requests of their tokens go, and those of others stay", async () => {
    const { token } = (await h.fetch<{ token: string }>("POST", "/v1/tokens", { body: { userId: "ann" } })).json;
    const other = (await h.fetch<{ token: string }>("POST", "/v1/tokens", { body: { userId: "ben" } })).json.token;
    for (const key of [token, other])
      await h.fetch("POST", "/v1/memories", {
        key,
        user: null,
        body: { content: "It rains" },
        headers: { "idempotency-key": "k" },
      });
    // As an answer is that names nothing.
    await rows("update idempotency set response_body = '{}' where tenant_id = ?", h.tenantId);
    const [before] = await rows<{ n: number }>(
      "select count(*) as n from idempotency where tenant_id = ? and key_id = 0",
      h.tenantId,
    );
    await begin();
    await h.settle();
    const [after] = await rows<{ n: number }>(
      "select count(*) as n from idempotency where tenant_id = ? and key_id = 0",
      h.tenantId,
    );
    expect([before?.n, after?.n]).toEqual([2, 1]);
  });

  it("jobs about them that remove vectors are carried out first", async () => {
    const { space } = nth(
      await rows<{ space: number }>("select space_id as space from users where tenant_id = ?", h.tenantId),
      0,
    );
    const metadata = {
      ...{ kind: "memory", space, session: 0, project: 0, workspace: "", scope: "", type: "", createdDay: 0, expiresDay: 0 },
      model: h.services().embedder.model,
    };
    const values = new Float32Array(h.services().embedder.dimensions).fill(0.1);
    await h.services().vectors.upsert(h.tenantId, [{ id: "mem:990001", values, metadata }]);
    await rows(
      `insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
       values (?1, 'job_removal', 'memories.remove', json_object('memories', json_array(json_object('id', 990001, 'space', ?2))), 'pending', 0, ?3, 0)`,
      h.tenantId,
      space,
      now() + 60 * MINUTE,
    );
    const id = await begin();
    await runOnce();
    expect((await read(id)).status).toBe("finished");
    expect(await h.services().vectors.stored(h.tenantId, [{ id: "mem:990001", space }])).toEqual([]);
  });
});
