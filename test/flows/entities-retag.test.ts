import { beforeEach, describe, expect, it } from "vitest";
import type { RetaggedManyView, RetaggedView } from "#domain/entities";
import { episode, list, makeProject, namesIn, recordEntities, save, seek, stored } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { nth, rows } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await makeProject(h, "garden", "ann", ["bob"]);
  await makeProject(h, "kitchen", "ann", ["cid"]);
});

const lathe = { type: "tool", name: "Lathe", notes: "turns wood" };
const retag = async (id: string, body: object) =>
  await h.fetch<RetaggedView>("POST", `/v1/entities/${id}/retag`, { body: { userId: "ann", projectId: "kitchen", ...body } });
const retagAll = async (body: object = {}) =>
  await h.fetch<RetaggedManyView>("POST", "/v1/entities/retag", {
    body: { userId: "ann", fromProjectId: "garden", toProjectId: "kitchen", ...body },
  });
const idIn = async (project: string, name: string) =>
  nth((await list(h, `userId=ann&projectId=${project}&text=${name}`)).json.items, 0).id;

describe("moving one entity", () => {
  it("takes its id, mentions, words and vector to the other project", async () => {
    const [one, two] = [await episode(h, "g1", "ann", { projectId: "garden" }), await episode(h, "g1", "ann")];
    for (const { internal } of [one, two]) await recordEntities(h, internal, [lathe], internal === one.internal ? 3_000 : 9_000);
    await h.settle();
    const id = await idIn("garden", "lathe");
    const { status, json } = await retag(id, {});
    expect([status, json.mergedInto]).toEqual([200, null]);
    expect(json.entity).toMatchObject({ id, projectId: "kitchen", mentionCount: 2, firstSeenAt: "1970-01-01T00:00:03.000Z" });
    expect(await stored(h)).toMatchObject([{ project: "kitchen", notes: "turns wood", count: 2, mentions: 2, words: 1 }]);
    const found = async (projectId: string) => (await seek(h, "lathe", { userId: "ann", projectId })).json.hits.length;
    expect([await found("garden"), await found("kitchen")]).toEqual([0, 1]);
    await h.settle();
    expect([await found("garden"), await found("kitchen")]).toEqual([0, 1]);
    expect(nth((await list(h, "userId=ann&projectId=kitchen")).json.items, 0).indexed.vector).toBe(true);
    // The episodes stay where they are, and are not visible in the kitchen.
    const mentions = await h.fetch<{ items: unknown[] }>("GET", `/v1/entities/${id}/mentions?userId=ann&projectId=kitchen`);
    expect(mentions.json.items).toEqual([]);
    expect(await rows("select 1 from entity_fts f where f.rowid not in (select id from entities)")).toEqual([]);
  });

  it("into one of the same type and name: mentions and notes are united, what was there stays", async () => {
    const [g, both, k] = [
      await episode(h, "g1", "ann", { projectId: "garden" }),
      await episode(h, "g1", "ann"),
      await episode(h, "k1", "ann", { projectId: "kitchen" }),
    ];
    await recordEntities(h, g.internal, [lathe], 1_000);
    await recordEntities(h, both.internal, [lathe], 5_000);
    await recordEntities(h, k.internal, [{ ...lathe, name: "LATHE", notes: "is loud" }], 4_000);
    const [from, to] = [await idIn("garden", "lathe"), await idIn("kitchen", "lathe")];
    await rows(
      "insert into entity_mentions (entity_id, episode_id, at) select id, ?, 5000 from entities where public_id = ?",
      both.internal,
      to,
    );
    await rows("update entities set mention_count = 2 where public_id = ?", to);
    const { json } = await retag(from, {});
    expect(json).toMatchObject({
      id: from,
      mergedInto: to,
      entity: { id: to, name: "LATHE", notes: "is loud\nturns wood", mentionCount: 3 },
    });
    expect(json.entity.firstSeenAt).toBe("1970-01-01T00:00:01.000Z");
    expect(await stored(h)).toMatchObject([{ project: "kitchen", count: 3, mentions: 3, words: 1 }]);
    expect(await namesIn(h, "userId=cid&projectId=kitchen&text=wood")).toEqual(["LATHE"]);
    await h.settle();
    expect((await h.fetch("GET", `/v1/entities/${from}?userId=ann&projectId=kitchen`)).status).toBe(404);
    const detail = await rows<{ detail: string }>(
      "select detail from audit where tenant_id = ? and action = 'entity.retagged'",
      h.tenantId,
    );
    expect(JSON.parse(nth(detail, 0).detail)).toEqual({ from: "garden", to: "kitchen", mergedInto: to });
  });

  it("where it is changes nothing; by who is not of both projects is a 404", async () => {
    const { json } = await save(h, { userId: "ann", projectId: "garden", ...lathe });
    const before = await rows("select count(*) as n from audit");
    expect((await retag(json.id, { projectId: "garden" })).json).toMatchObject({ mergedInto: null, entity: { version: 1 } });
    for (const body of [{ userId: "bob" }, { userId: "cid" }, { userId: "eve" }, { projectId: "nowhere" }])
      expect((await retag(json.id, body)).status).toBe(404);
    expect(await rows("select count(*) as n from audit")).toEqual(before);
    expect(await stored(h)).toMatchObject([{ project: "garden" }]);
  });
});

describe("moving many", () => {
  it("moves those that are named, or all, some of which become one with what is there", async () => {
    const names = ["Saw", "Drill", "Lathe", "Plane"];
    for (const name of names) await save(h, { userId: "ann", projectId: "garden", type: "tool", name });
    await save(h, { userId: "ann", projectId: "kitchen", type: "tool", name: "Saw" });
    const saw = await idIn("garden", "saw");
    const named = await retagAll({ ids: [saw, await idIn("garden", "drill")] });
    expect([named.json.remaining, named.json.items.map(({ mergedInto }) => mergedInto !== null).toSorted()]).toEqual([
      false,
      [false, true],
    ]);
    expect(await namesIn(h, "userId=ann&projectId=garden")).toEqual(["Lathe", "Plane"]);
    expect((await retagAll()).json).toMatchObject({ items: [{}, {}], remaining: false });
    expect(await namesIn(h, "userId=ann&projectId=kitchen")).toEqual(["Drill", "Lathe", "Plane", "Saw"]);
    expect((await retagAll()).json).toEqual({ items: [], remaining: false });
    expect((await stored(h)).every(({ words }) => words === 1)).toBe(true);
  });

  it("moves a hundred a call, and none if one is not there", async () => {
    await rows(
      `insert into entities (public_id, tenant_id, project_id, space_id, type, name, name_key, first_seen_at, last_seen_at, created_at, updated_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 130)
       select 'ent_planted_' || i, p.tenant_id, p.id, p.space_id, 'tool', 'tool ' || i, 'tool ' || i, 5, 5, 5, 5
       from projects p, n where p.tenant_id = ? and p.external_id = 'garden'`,
      h.tenantId,
    );
    const there = await save(h, { userId: "ann", projectId: "kitchen", ...lathe });
    const mine = await save(h, { userId: "ann", projectId: "garden", type: "tool", name: "Saw" });
    expect((await retagAll({ ids: [mine.json.id, there.json.id] })).status).toBe(404);
    expect((await retagAll({ userId: "bob" })).status).toBe(404);
    const first = await retagAll();
    expect([first.json.items.length, first.json.remaining]).toEqual([100, true]);
    const second = await retagAll();
    expect([second.json.items.length, second.json.remaining]).toEqual([31, false]);
    expect((await stored(h)).every(({ project, words }) => project === "kitchen" && words === 1)).toBe(true);
  });

  it("moves no more mentions than one call may", async () => {
    const [one, two] = [
      await save(h, { userId: "ann", projectId: "garden", ...lathe }),
      await save(h, { userId: "ann", projectId: "garden", type: "tool", name: "Saw" }),
    ];
    await rows("update entities set mention_count = 15000 where tenant_id = ?", h.tenantId);
    expect((await retagAll()).json).toMatchObject({ items: [{}], remaining: true });
    await rows("update entities set mention_count = 30000 where tenant_id = ?", h.tenantId);
    expect((await retagAll()).status).toBe(409);
    const left = (await stored(h)).find(({ project }) => project === "garden")?.name === "Saw" ? two : one;
    expect((await retag(left.json.id, {})).status).toBe(409);
  });
});
