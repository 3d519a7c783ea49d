import { beforeAll, describe, expect, it } from "vitest";
import type { Db } from "#db/client";
import { episode, makeProject, recordEntities, save } from "#test/entity-requests";
import { createHarness, type Harness, type Request } from "#test/harness";
import { aroundBatches } from "#test/interruption";
import { slowClock } from "#test/slow-clock";
import { rows } from "./requests.ts";

type Counts = { trips: number; read: number; written: number };

const batches: { statements: number; read: number; written: number }[] = [];

/** The same database, which counts what its batches cost. */
function counted(db: Db): Db {
  return aroundBatches(db, async (run, statements) => {
    const results = await run();
    const sum = (of: (meta: D1Meta) => number) => results.reduce((total, { meta }) => total + of(meta), 0);
    batches.push({
      statements: statements.length,
      read: sum((meta) => meta.rows_read),
      written: sum((meta) => meta.rows_written),
    });
    return results;
  });
}

let h: Harness;
const now = slowClock();
beforeAll(async () => {
  h = await createHarness({ replace: ({ db }) => ({ log: () => undefined, now, db: counted(db) }) });
  await makeProject(h, "quiet", "ann");
  await makeProject(h, "attic", "ann");
  for (const name of ["Otter", "Heron", "Badger"])
    await save(h, { userId: "ann", projectId: "quiet", type: "animal", name, notes: `lives by the ${name} river` });
  const { internal } = await episode(h, "q1", "ann", { projectId: "quiet" });
  await recordEntities(h, internal, [{ type: "animal", name: "Otter" }]);
  await h.settle();
});

async function costOf(method: string, path: string, request: Request = {}): Promise<Counts> {
  const { status, headers, text } = await h.fetch(method, path, request);
  expect(status, text).toBeLessThan(300);
  const timing = headers.get("server-timing") ?? "";
  const count = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(timing)?.[1]);
  return { trips: count("trips"), read: count("read"), written: count("written") };
}

const oneOf = async () =>
  (await rows<{ id: string }>("select public_id as id from entities where tenant_id = ? and name = 'Otter'", h.tenantId))[0]?.id;

const measure = async () => {
  const id = await oneOf();
  const place = "userId=ann&projectId=quiet";
  const body = { userId: "ann", projectId: "quiet" };
  return {
    get: await costOf("GET", `/v1/entities/${id}?${place}`),
    list: await costOf("GET", `/v1/entities?${place}&limit=2`),
    ofType: await costOf("GET", `/v1/entities?${place}&limit=2&type=animal`),
    byWords: await costOf("GET", `/v1/entities?${place}&limit=2&text=river`),
    mentions: await costOf("GET", `/v1/entities/${id}/mentions?${place}`),
    search: await costOf("POST", "/v1/entities/search", { body: { ...body, query: "otter river", limit: 2 } }),
    inSession: await costOf("POST", "/v1/entities/search", {
      body: { userId: "ann", sessionId: "q1", query: "otter", limit: 2 },
    }),
    again: await costOf("POST", "/v1/entities", { body: { ...body, type: "animal", name: "Otter" } }),
  };
};

describe("the budgets of entities, warm", () => {
  it("a page or one takes a trip, a search two, saving two; others' rows cost nothing", async () => {
    await measure();
    const alone = await measure();
    for (const [name, { trips, written }] of Object.entries(alone)) {
      const writes = name === "again";
      expect([name, trips, written > 0]).toEqual([name, name === "search" || name === "inSession" || writes ? 2 : 1, writes]);
    }
    expect(Math.max(...Object.values(alone).map(({ read }) => read))).toBeLessThanOrEqual(80);
    const other = await createHarness();
    for (const [harness, project] of [
      [h, "loud"],
      [other, "quiet"],
    ] as const) {
      await makeProject(harness, project, "ann");
      await rows(
        `insert into entities (public_id, tenant_id, project_id, space_id, type, name, name_key, first_seen_at, last_seen_at, created_at, updated_at)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < 800)
         select 'ent_${project}_' || p.tenant_id || '_' || i, p.tenant_id, p.id, p.space_id, 'animal', 'otter ' || i, 'otter ' || i, 5, 9e12, 5, 5
         from projects p, n where p.tenant_id = ? and p.external_id = ?`,
        harness.tenantId,
        project,
      );
    }
    await rows(
      `insert into entity_fts (rowid, space, text) select en.id, 's' || en.space_id, 'otter river animal' from entities en where en.name like 'otter %'`,
    );
    await rows(
      "insert into entity_mentions (entity_id, episode_id, at) select en.id, 900000000 + en.id, 5 from entities en where en.name like 'otter %'",
    );
    expect(await measure()).toEqual(alone);
  });

  it("a page reads by its size, however many entities the project has", async () => {
    const page = async (query: string) => (await costOf("GET", `/v1/entities?userId=ann&projectId=loud&limit=5${query}`)).read;
    const few = [await page(""), await page("&type=animal")];
    await rows(
      `insert into entities (public_id, tenant_id, project_id, space_id, type, name, name_key, first_seen_at, last_seen_at, created_at, updated_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 800)
       select 'ent_more_' || i, p.tenant_id, p.id, p.space_id, 'plant', 'fern ' || i, 'fern ' || i, 5, 9e12 + i, 5, 5
       from projects p, n where p.tenant_id = ? and p.external_id = 'loud'`,
      h.tenantId,
    );
    expect([await page(""), await page("&type=animal")]).toEqual(few);
  });

  it("noting takes one batch for any number, and none for what is known", async () => {
    const { internal } = await episode(h, "q2", "ann", { projectId: "attic" });
    const all = Array.from({ length: 100 }, (_, i) => ({ type: "animal", name: `newt ${i}`, notes: "small" }));
    const costOfNoting = async (entities: typeof all) => {
      batches.length = 0;
      await recordEntities(h, internal, entities);
      return [...batches];
    };
    const [one, ...more] = await costOfNoting(all.slice(0, 1));
    expect([more, one?.statements, one?.written]).toEqual([[], 7, 14]);
    const [many, ...others] = await costOfNoting(all);
    expect([others, many?.statements]).toEqual([[], 7]);
    expect(many?.written).toBeLessThanOrEqual(99 * 12);
    expect(await costOfNoting(all)).toEqual([]);
  });
});
