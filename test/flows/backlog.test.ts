import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { sweep } from "#domain/lifecycle";
import type { JobRef } from "#ports/jobs";
import { createHarness, type Harness } from "#test/harness";
import { rows } from "./requests.ts";
import { memoriesOf, plant } from "./upkeep-rows.ts";

const MINUTE = 60_000;

let skipMs = 0;
let sent: JobRef[] = [];
let h: Harness;
let replaced: (composed: Services) => Partial<Services>;
const makeHarness = () => createHarness({ replace: (composed) => replaced(composed) });

beforeEach(async () => {
  for (const table of ["jobs", "memories", "memory_fts", "upkeep", "tenants"]) await rows(`delete from ${table}`);
  [skipMs, sent] = [0, []];
  replaced = () => ({
    now: () => Date.now() + skipMs,
    log: () => undefined,
    jobs: { send: async (refs) => void sent.push(...refs) },
  });
  h = await makeHarness();
});

async function backlog(of: Harness, count: number, dueAt = 0): Promise<void> {
  await rows(
    `with recursive n (value) as (select 1 union all select value + 1 from n where value < ?2)
     insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
     select ?1, 'job_' || value, 'entities.remove', '{"entities":[]}', 'pending', 0, ?3, 0 from n`,
    of.tenantId,
    count,
    dueAt,
  );
}
const openOf = async (of: Harness) =>
  (await rows<{ n: number }>("select count(*) as n from jobs where tenant_id = ? and status <> 'done'", of.tenantId))[0]?.n;

describe("the sweep uses the time that a run has: jobs", () => {
  it("10,000 due jobs are with the queue after one run, and tenant B's one job is done in it", async () => {
    const other = await makeHarness();
    await backlog(h, 10_000);
    await backlog(other, 1);
    const report = await sweep(h.services());
    expect([report.jobs, report.offered, await openOf(other)]).toEqual([26, 10_000 - 25, 0]);
    expect(new Set(sent.map(({ jobId }) => jobId)).size).toBe(10_000 - 25);
  });

  it("a message that is on its way is not sent again, and one that is lost is, after five minutes", async () => {
    await backlog(h, 300);
    await sweep(h.services());
    expect(sent).toHaveLength(275);
    sent = [];
    await sweep(h.services());
    expect(sent).toEqual([]);
    skipMs = 7 * MINUTE;
    await sweep(h.services());
    expect(sent.length).toBeGreaterThan(200);
  });

  it("though the queue delivers nothing, cron does jobs of each tenant each minute", async () => {
    await backlog(h, 100);
    for (let minute = 1; minute <= 6; minute += 1) {
      skipMs += MINUTE + 1_000;
      await sweep(h.services());
    }
    expect(await openOf(h)).toBe(0);
  });

  it("what was due a moment ago has its message on the way, and gets no second one", async () => {
    await backlog(h, 60, Date.now() - 10_000);
    expect(await sweep(h.services())).toMatchObject({ jobs: 25, offered: 0 });
  });

  it("ends when its share of D1's queries is used, and goes on with the next run", async () => {
    await backlog(h, 10_000);
    let asked = 0;
    const meter = {
      get statements() {
        asked += 100;
        return asked;
      },
    };
    const first = await sweep(h.services(), meter);
    expect(first.offered).toBeLessThan(2_000);
    expect((await sweep(h.services())).offered + first.offered).toBeGreaterThan(9_900);
  });
});

describe("the sweep uses the time that a run has: upkeep", () => {
  it("5,000 expired memories are forgotten in one run, a thousand a statement at most, and another tenant's in it too", async () => {
    const other = await makeHarness();
    await plant(h, "ann", 5_000, "expires_at = 7");
    await plant(other, "bob", 3, "expires_at = 7");
    const report = await sweep(h.services());
    expect(report.upkeep.changed["expire.memories"]).toBe(5_003);
    const steps = await rows<{ detail: string }>(
      "select detail from audit where tenant_id = ? and action = 'upkeep.expired'",
      h.tenantId,
    );
    expect(steps.map(({ detail }) => JSON.parse(detail).memories)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
  });

  it("gives each tenant its turn before any has a second one", async () => {
    const others = [await makeHarness(), await makeHarness(), await makeHarness()];
    await plant(h, "ann", 3_000, "expires_at = 7");
    for (const other of others) await plant(other, "bob", 3, "expires_at = 7");
    const { upkeep } = await sweep(h.services(), spentAtOnce());
    expect(upkeep.changed["expire.memories"]).toBe(1_009);
    expect(await memoriesOf(h)).toEqual({ live: 2_000, expired: 1_000 });
    for (const other of others) expect(await memoriesOf(other)).toEqual({ expired: 3 });
  });

  it("goes round all tenants, five a run at least, when a run's share is used", async () => {
    const tenants = [h];
    for (let i = 0; i < 11; i += 1) tenants.push(await makeHarness());
    for (const one of tenants) await plant(one, "ann", 1, "expires_at = 7");
    const turns: number[] = [];
    for (let i = 0; i < 3; i += 1) turns.push((await sweep(h.services(), spentAtOnce())).upkeep.turns);
    expect(turns).toEqual([5, 5, 2]);
    for (const one of tenants) expect(await memoriesOf(one)).toEqual({ expired: 1 });
  });

  it("old finished jobs go until none is left", async () => {
    await rows(
      `with recursive n (value) as (select 1 union all select value + 1 from n where value < 2500)
       insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at, finished_at)
       select ?1, 'job_' || value, 'odd', '{}', 'done', 1, 0, 0, 5 from n`,
      h.tenantId,
    );
    expect((await sweep(h.services())).purged).toBe(2_500);
  });
});

/** A meter by which every share is used as soon as it is looked at. */
function spentAtOnce() {
  let asked = 0;
  return {
    get statements() {
      asked += 1_000;
      return asked;
    },
  };
}
