import { beforeEach, expect, it } from "vitest";
import { work } from "#domain/lifecycle";
import { createHarness, type Harness } from "#test/harness";
import { aroundBatches } from "#test/interruption";
import { find, nth, rows, say, textsOf } from "./requests.ts";
import { audited, broken, diagnose, plant, remember } from "./upkeep-rows.ts";

let h: Harness;
/** Called before and after each batch, but not by itself. */
let around: (() => Promise<void>) | null = null;
beforeEach(async () => {
  around = null;
  h = await createHarness({
    replace: ({ db }) => ({
      log: () => undefined,
      db: aroundBatches(db, async (run) => {
        const look = around;
        if (look === null) return await run();
        around = null;
        await look();
        const results = await run();
        await look();
        around = look;
        return results;
      }),
    }),
  });
});

type Rebuild = { items: { kind: string; jobId: string; started: boolean }[] };
const rebuild = (body: object = {}) => h.fetch<Rebuild>("POST", "/v1/lifecycle/rebuild", { body });

const liveMemories = async () =>
  nth(await rows<{ n: number }>("select count(*) as n from memories where tenant_id = ? and deleted_at is null", h.tenantId), 0)
    .n;

async function world(): Promise<void> {
  await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "me" } });
  await say(h, "chat", ["the heron fishes at dawn", "and sleeps at noon"]);
  await say(h, "plan", "the pond needs a pump", { projectId: "garden" });
  await remember(h, "I watch herons", { userId: "me" });
  await remember(h, "I watch owls", { userId: "me" });
  await h.fetch("POST", "/v1/entities", { body: { projectId: "garden", type: "place", name: "Pond" } });
  await h.settle();
}

/** What is found by words alone and by vectors alone. */
async function found(): Promise<string[][]> {
  const asked = [
    ["heron", {}],
    ["owls", { kinds: ["memory"] }],
    ["pump", { projectId: "garden" }],
  ] as const;
  const answers = asked.flatMap(([query, extra]) => [
    find(h, query, { strategy: "text", ...extra }),
    find(h, query, { strategy: "semantic", ...extra }),
  ]);
  return (await Promise.all(answers)).map((answer) => textsOf(answer).toSorted());
}

it("writes both indexes again after both were damaged, and the doctor is content", async () => {
  await world();
  const before = await found();
  expect(before.every((texts) => texts.length > 0)).toBe(true);
  for (const table of ["message_fts", "memory_fts", "entity_fts"]) await rows(`delete from ${table}`);
  await rows("insert into memory_fts (rowid, space, text) select 900001, 's' || space_id, 'owl' from users");
  const { vectors } = h.services();
  for (const { id } of await rows<{ id: number }>("select id from spaces where tenant_id = ?", h.tenantId)) {
    const { ids } = (await vectors.list?.(h.tenantId, id, { after: null, limit: 1_000 })) ?? { ids: [] };
    await vectors.remove(
      h.tenantId,
      ids.map((vector) => ({ id: vector, space: id })),
    );
  }
  expect(await found()).not.toEqual(before);

  const { status, json } = await rebuild();
  expect([status, json.items.map(({ kind }) => kind)]).toEqual([202, ["episode", "memory", "entity", "chunk"]]);
  await h.settle();
  expect(await found()).toEqual(before);
  expect(broken(await diagnose(h))).toEqual([]);
  const live = await liveMemories();
  const job = await h.fetch<{ result: object }>("GET", `/v1/jobs/${nth(json.items, 1).jobId}`);
  expect(job.json.result).toEqual({ words: live, vectors: live, removed: 1 });
  expect(await audited(h, "index.%")).toHaveLength(1);
});

it("loses no row of any search while it runs", async () => {
  await world();
  const before = await found();
  const seen: string[][][] = [];
  await rebuild();
  around = async () => void seen.push(await found());
  await h.settle();
  around = null;
  expect(seen.length).toBeGreaterThan(10);
  for (const meanwhile of seen) expect(meanwhile).toEqual(before);
});

it("takes several runs where each has little time, and counts what all of them did", async () => {
  await world();
  await plant(h, "me", 120);
  const jobOf = async ({ json }: { json: Rebuild }) => nth(json.items, 0).jobId;
  const resultOf = async (id: string) => (await h.fetch<{ status: string; result: unknown }>("GET", `/v1/jobs/${id}`)).json;
  const whole = await jobOf(await rebuild({ kinds: ["memory"] }));
  await h.settle();
  const jobId = await jobOf(await rebuild({ kinds: ["memory"] }));
  const base = Date.now();
  let batches = 0;
  around = async () => {
    batches += 1;
  };
  const slow = () => ({ ...h.services(), now: () => base + 20_000 * batches });
  let runs = 0;
  for (; runs < 60 && (await resultOf(jobId)).status !== "done"; runs += 1) await work(slow(), [{ tenantId: h.tenantId, jobId }]);
  around = null;
  expect(runs).toBeGreaterThan(2);
  expect(await resultOf(jobId)).toMatchObject({ status: "done", result: (await resultOf(whole)).result });
});

it("continues where the run before ended, and starts none beside one that is open", async () => {
  await world();
  await plant(h, "me", 120);
  const { json } = await rebuild({ kinds: ["memory"], vectors: false });
  expect((await rebuild({ kinds: ["memory"] })).json.items).toEqual([{ ...nth(json.items, 0), started: false }]);
  await h.settle();
  const job = await h.fetch<{ result: object }>("GET", `/v1/jobs/${nth(json.items, 0).jobId}`);
  expect(job.json.result).toEqual({ words: await liveMemories(), vectors: 0, removed: 0 });
});
