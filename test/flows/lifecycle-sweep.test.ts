import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { compose } from "#compose";
import type { Services } from "#context";
import { sweep } from "#domain/lifecycle";
import type { Env } from "#env";
import { createHarness, type Harness } from "#test/harness";
import { rows, say } from "./requests.ts";
import { audited, DAY, memoriesOf, plant, remember } from "./upkeep-rows.ts";

const HOUR = 3_600_000;

let skipMs = 0;
let logged: string[] = [];
let replaced: (composed: Services) => Partial<Services> = () => ({});
const makeHarness = () =>
  createHarness({
    replace: (composed): Partial<Services> => ({
      now: () => Date.now() + skipMs,
      log: (event, facts) => void logged.push(JSON.stringify({ event, ...facts })),
      ...replaced(composed),
    }),
  });

let h: Harness;
beforeEach(async () => {
  [skipMs, logged] = [0, []];
  replaced = () => ({});
  // Tenants of the tests before have nothing to be done.
  for (const table of ["jobs", "memories", "memory_fts", "episodes", "message_fts", "upkeep", "tenants"])
    await rows(`delete from ${table}`);
  h = await makeHarness();
});

const turn = async () => (await sweep(h.services())).upkeep;
const settled = async () => {
  for (let i = 0; i < 12; i += 1) await turn();
};

describe("the sweep", () => {
  it("expires, retains, caps and purges by itself, as the system, with one audit row a task that changed something", async () => {
    await plant(h, "ann", 3, "expires_at = 7");
    await plant(h, "ann", 2, "type = 'event', last_seen_at = 7");
    await plant(h, "bob", 4);
    await plant(h, "bob", 2, "deleted_at = 7, deleted_because = 'forgotten'");
    await h.fetch("PATCH", "/v1/settings", { body: { maxEntries: 3 } });
    expect(await turn()).toMatchObject({
      turns: 1,
      changed: { "expire.memories": 3, "retain.memories": 2, "cap.memories": 1, "purge.memories": 2 },
    });
    expect((await audited(h, "upkeep.%")).map(({ action, actor }) => `${action} ${actor}`)).toEqual([
      "upkeep.expired system",
      "upkeep.retained system",
      "upkeep.capped system",
      "upkeep.purged system",
    ]);
    expect(await memoriesOf(h)).toEqual({ live: 3, expired: 3, retention: 2, cap: 1 });
    await settled();
    expect(await audited(h, "upkeep.%")).toHaveLength(4);
  });

  it("leaves the memories of who wants it so alone, which no read shows all the same", async () => {
    await h.fetch("PATCH", "/v1/settings", { body: { autoGc: false, maxEntries: 1 } });
    const id = await remember(h, "I water the plants", { type: "task" });
    await rows("update memories set expires_at = 7, last_seen_at = 7 where public_id = ?", id);
    await plant(h, "ann", 3);
    await settled();
    expect(await memoriesOf(h)).toEqual({ live: 4 });
    expect((await h.fetch("GET", `/v1/memories/${id}?userId=ann`)).status).toBe(404);
    const { json } = await h.fetch<{ items: { content: string }[] }>("GET", "/v1/memories?userId=ann");
    expect(json.items.map(({ content }) => content)).not.toContain("I water the plants");
    await h.fetch("PATCH", "/v1/settings", { body: { autoGc: null } });
    await settled();
    expect(await memoriesOf(h)).toEqual({ live: 1, expired: 1, cap: 2 });
  });

  it("begins a round of a tenant anew after some hours, not before", async () => {
    await settled();
    await plant(h, "ann", 1, "type = 'task', last_seen_at = 7");
    await settled();
    expect(await memoriesOf(h)).toEqual({ live: 1 });
    skipMs = 6 * HOUR + 60_000;
    await turn();
    expect(await memoriesOf(h)).toEqual({ retention: 1 });
  });

  it("gives every tenant with something due its turn in one sweep, as long as there is time", async () => {
    const tenants: Harness[] = [h];
    for (let i = 0; i < 24; i += 1) tenants.push(await makeHarness());
    for (const one of tenants) await plant(one, "ann", 1, "expires_at = 7");
    expect(await turn()).toMatchObject({ turns: 25, changed: { "expire.memories": 25 } });
    for (const one of tenants) expect(await memoriesOf(one)).toEqual({ expired: 1 });
  });

  it("purges of each tenant a limited number, whoever forgot first", async () => {
    const other = await makeHarness();
    const old = Date.now() - 40 * DAY;
    await plant(h, "ann", 1_450, `deleted_at = ${old}`);
    await plant(other, "ann", 2, `deleted_at = ${old + 1}`);
    expect((await sweep(h.services(), spentAtOnce())).upkeep.changed["purge.memories"]).toBe(1_002);
    expect(await rows("select count(*) as n from memories where tenant_id = ?", other.tenantId)).toEqual([{ n: 0 }]);
    expect((await turn()).changed["purge.memories"]).toBe(450);
  });

  it("is not stopped by one tenant's failure, which is logged without words and tried again", async () => {
    const other = await makeHarness();
    for (const one of [h, other]) await plant(one, "ann", 3, "expires_at = 7");
    replaced = ({ newId }) => ({ newId: (kind) => (kind === "audit" && nth() === 1 ? broken() : newId(kind)) });
    let calls = 0;
    const nth = () => {
      calls += 1;
      return calls;
    };
    expect((await turn()).changed["expire.memories"]).toBe(3);
    expect(logged.filter((line) => line.includes("upkeep.failed"))).toHaveLength(1);
    expect(logged.join()).not.toContain("planted");
    replaced = () => ({});
    expect((await turn()).changed["expire.memories"]).toBe(3);
  });

  it("that breaks off in the middle of a round goes on where its last batch ended", async () => {
    await plant(h, "ann", 5, "type = 'task', last_seen_at = 7");
    await rows(
      "insert into upkeep (tenant_id, task, cursor, ran_at) values (?, 'retain', ?, 0)",
      h.tenantId,
      await placeAfterThird(),
    );
    replaced = ({ newId }) => ({ newId: (kind) => (kind === "audit" ? broken() : newId(kind)) });
    await turn();
    expect(await memoriesOf(h)).toEqual({ live: 5 });
    expect(await rows("select 1 from upkeep where tenant_id = ? and task = 'retain' and ran_at = 0", h.tenantId)).toHaveLength(1);
    replaced = () => ({});
    await turn();
    expect(await memoriesOf(h)).toEqual({ live: 3, retention: 2 });
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

async function placeAfterThird(): Promise<string> {
  const [third] = await rows<{ id: number; owner: number }>(
    "select id, owner_id as owner from memories where tenant_id = ? order by id limit 1 offset 2",
    h.tenantId,
  );
  return JSON.stringify({ memories: { stage: 1, at: third?.owner, after: third?.id } });
}

/** Bound as NULL, which the column does not take. */
function broken(): string {
  return null as unknown as string;
}

describe("what it costs", () => {
  /** Rows that one sweep reads and writes, by the platform's own counters. */
  async function costOf(): Promise<{ read: number; written: number; statements: number }> {
    const { services, costs } = compose(asEnv(env), { waitUntil: () => undefined });
    await sweep({ ...services, now: () => Date.now() + skipMs, log: () => undefined }, costs);
    return { read: costs.rowsRead, written: costs.rowsWritten, statements: costs.statements };
  }

  it("a quiet system of 50 tenants is a few seeks a tenant, however much they hold", async () => {
    await rows(
      `insert into tenants (public_id, name, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 50) select 'ten_' || hex(randomblob(8)), '', 0 from n`,
    );
    await plant(h, "ann", 600);
    for (let i = 0; i < 5; i += 1) await say(h, `chat ${i}`, "a word", { userId: "ann" });
    await h.settle();
    for (let i = 0; i < 30; i += 1) await costOf();
    const quiet = await costOf();
    expect(quiet.read).toBeLessThan(51 * 12 + 50);
    expect(quiet.written).toBeLessThan(10);
    expect(quiet.statements).toBeLessThan(20);
    await plant(h, "ann", 600);
    expect((await costOf()).read).toBeLessThan(51 * 12 + 50);
  });

  it("a round through many tenants and rows is bounded a sweep", async () => {
    await rows(
      `insert into tenants (public_id, name, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 50) select 'ten_' || hex(randomblob(8)), '', 0 from n`,
    );
    await plant(h, "ann", 3_000);
    await rows("delete from upkeep");
    const most = { read: 0, statements: 0 };
    for (let i = 0; i < 15; i += 1) {
      const { read, statements } = await costOf();
      most.read = Math.max(most.read, read);
      most.statements = Math.max(most.statements, statements);
    }
    // The share of upkeep, and one step more of each task.
    expect(most.read).toBeLessThan(60_000);
    expect(most.statements).toBeLessThan(600);
  });
});

/** The test configuration binds what wrangler.toml names, which is what `Env` says. */
function asEnv(bindings: Cloudflare.Env): Env {
  return bindings as unknown as Env;
}
