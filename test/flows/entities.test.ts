import { beforeEach, describe, expect, it } from "vitest";
import { episode, list, makeProject, move, namesIn, recordEntities, save, stored } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { nth, type Problem, rows } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await makeProject(h, "garden", "ann", ["bob"]);
  await makeProject(h, "kitchen", "ann");
});

const apollo = { type: "Project", name: "Apollo", notes: "flies to the moon" };

describe("noting what an episode names", () => {
  it("stores it with the project of the session, its words, a mention, a job and an audit row", async () => {
    const { internal } = await episode(h, "g1", "ann", { projectId: "garden" });
    expect(await recordEntities(h, internal, [apollo], 5_000)).toEqual({
      made: 1,
      changed: 0,
      mentioned: 1,
      dropped: 0,
      outside: 0,
    });
    expect(await stored(h)).toEqual([
      { project: "garden", type: "project", name: "Apollo", notes: "flies to the moon", count: 1, mentions: 1, words: 1 },
    ]);
    const { items } = (await list(h, "userId=ann&sessionId=g1")).json;
    expect(nth(items, 0)).toMatchObject({
      projectId: "garden",
      mentionCount: 1,
      firstSeenAt: "1970-01-01T00:00:05.000Z",
      indexed: { vector: false },
    });
    const audit = await rows<{ actor: string; detail: string }>(
      "select actor_id as actor, detail from audit where tenant_id = ? and action = 'entity.noted'",
      h.tenantId,
    );
    expect(audit).toHaveLength(1);
    expect(audit[0]?.actor).toBe("job:extraction");
    expect(audit[0]?.detail).not.toContain("Apollo");
    await h.settle();
    expect(nth((await list(h, "userId=ann&projectId=garden")).json.items, 0).indexed).toEqual({ text: true, vector: true });
  });

  it("again changes nothing, and writes nothing", async () => {
    const { internal } = await episode(h, "g1", "ann", { projectId: "garden" });
    await recordEntities(h, internal, [apollo, { type: "tool", name: "Lathe" }]);
    const before = [await stored(h), await rows("select * from audit where tenant_id = ?", h.tenantId)];
    expect(await recordEntities(h, internal, [apollo, { type: "tool", name: "LATHE" }])).toMatchObject({
      made: 0,
      changed: 0,
      mentioned: 0,
    });
    expect([await stored(h), await rows("select * from audit where tenant_id = ?", h.tenantId)]).toEqual(before);
  });

  it("by another episode counts, gathers notes, and keeps the first and last time", async () => {
    const [one, two] = [
      await episode(h, "g1", "ann", { projectId: "garden" }),
      await episode(h, "g2", "bob", { projectId: "garden" }),
    ];
    await recordEntities(h, one.internal, [apollo], 9_000);
    const again = { type: "project", name: "APOLLO", notes: "is late" };
    expect(await recordEntities(h, two.internal, [again, again], 4_000)).toMatchObject({ made: 0, changed: 1, mentioned: 1 });
    expect(await stored(h)).toMatchObject([
      { name: "Apollo", notes: "flies to the moon\nis late", count: 2, mentions: 2, words: 1 },
    ]);
    expect(nth((await list(h, "userId=bob&projectId=garden&text=late")).json.items, 0)).toMatchObject({
      firstSeenAt: "1970-01-01T00:00:04.000Z",
      lastSeenAt: "1970-01-01T00:00:09.000Z",
    });
  });

  it("stores nothing for a session without a project, an episode that is gone or another tenant's, a secret", async () => {
    const { internal } = await episode(h, "o1", "ann");
    const other = await createHarness();
    await makeProject(other, "garden", "ann");
    const theirs = await episode(other, "g1", "ann", { projectId: "garden" });
    const ours = await episode(h, "g1", "ann", { projectId: "garden" });
    expect(await recordEntities(h, internal, [apollo])).toMatchObject({ made: 0, outside: 1 });
    expect(await recordEntities(h, theirs.internal, [apollo])).toMatchObject({ made: 0, outside: 1 });
    expect(await recordEntities(h, 999_999_999, [apollo])).toMatchObject({ made: 0, outside: 1 });
    expect(await recordEntities(h, ours.internal, [{ ...apollo, notes: "the password is hunter2" }])).toMatchObject({
      made: 0,
      dropped: 1,
    });
    expect([await stored(h), await stored(other)]).toEqual([[], []]);
  });

  it("keeps its tag when the session moves; what is named after that has the new project's", async () => {
    const first = await episode(h, "s1", "ann", { projectId: "garden" });
    await recordEntities(h, first.internal, [apollo]);
    expect(await move(h, "s1", "ann", "kitchen")).toBe(200);
    const second = await episode(h, "s1", "ann");
    await recordEntities(h, second.internal, [apollo, { type: "tool", name: "Oven" }]);
    expect((await stored(h)).map(({ project, name, mentions }) => [project, name, mentions])).toEqual([
      ["garden", "Apollo", 1],
      ["kitchen", "Apollo", 1],
      ["kitchen", "Oven", 1],
    ]);
    await move(h, "s1", "ann", null);
    await recordEntities(h, (await episode(h, "s1", "ann")).internal, [apollo]);
    expect(await stored(h)).toHaveLength(3);
    expect(await namesIn(h, "userId=ann&sessionId=s1")).toEqual([]);
  });
});

describe("saving an entity", () => {
  it("makes it, and adds to it the next time", async () => {
    const body = { userId: "bob", projectId: "garden", ...apollo };
    const made = await save(h, body);
    expect([made.status, made.json.created, made.json.type]).toEqual([201, true, "project"]);
    const again = await save(h, { ...body, type: " PROJECT", name: "apollo", notes: "is late" });
    expect([again.status, again.json.id, again.json.created]).toEqual([200, made.json.id, false]);
    expect(again.json).toMatchObject({ name: "Apollo", notes: "flies to the moon\nis late", mentionCount: 0, version: 2 });
    expect(again.headers.get("etag")).toBe('"2"');
  });

  it.each([
    ["another's project", { userId: "eve", projectId: "garden" }, 404],
    ["no project", { userId: "ann", projectId: "nowhere" }, 404],
    ["a name without a letter", { userId: "ann", projectId: "garden", name: "…" }, 400],
    ["a secret", { userId: "ann", projectId: "garden", notes: "the password is hunter2" }, 422],
    ["a secret in two parts", { userId: "ann", projectId: "garden", name: "password:", notes: "hunter2" }, 422],
    ["too many words", { userId: "ann", projectId: "garden", notes: "x".repeat(501) }, 400],
  ])("refuses %s", async (_, body, status) => {
    const answer = await save(h, { ...apollo, ...body });
    expect([answer.status, answer.text.includes("hunter2")]).toEqual([status, false]);
    expect(await stored(h)).toEqual([]);
  });
});

describe("changing an entity", () => {
  it("takes new words, a new name and type, by its version if one is named", async () => {
    const { json } = await save(h, { userId: "ann", projectId: "garden", ...apollo });
    const path = `/v1/entities/${json.id}`;
    const change = async (body: object, version?: string) =>
      await h.fetch<Problem & { notes: string | null; version: number }>("PATCH", path, {
        body: { userId: "bob", ...body },
        ...(version === undefined ? {} : { headers: { "if-match": version } }),
      });
    expect((await change({ notes: "sails" }, '"7"')).status).toBe(412);
    expect((await change({ notes: "sails", name: "Artemis" }, '"1"')).json).toMatchObject({
      notes: "sails",
      name: "Artemis",
      version: 2,
    });
    expect((await change({ notes: "sails" })).json.version).toBe(2);
    expect(await namesIn(h, "userId=ann&projectId=garden&text=artemis sails")).toEqual(["Artemis"]);
    expect(await namesIn(h, "userId=ann&projectId=garden&text=moon")).toEqual([]);
    expect((await change({ notes: null })).json.notes).toBeNull();
    expect((await change({ notes: "the password is hunter2" })).status).toBe(422);
    await save(h, { userId: "ann", projectId: "garden", ...apollo });
    expect((await change({ name: "APOLLO" })).status).toBe(409);
    expect((await h.fetch("PATCH", path, { body: { userId: "eve", notes: "mine" } })).status).toBe(404);
  });
});

describe("deleting", () => {
  it("an entity takes its mentions, words and vector with it", async () => {
    const { internal } = await episode(h, "g1", "ann", { projectId: "garden" });
    await recordEntities(h, internal, [apollo]);
    const [entity] = (await list(h, "userId=ann&projectId=garden")).json.items;
    await h.settle();
    expect((await h.fetch("DELETE", `/v1/entities/${entity?.id}?userId=eve`)).status).toBe(404);
    expect((await h.fetch("DELETE", `/v1/entities/${entity?.id}?userId=bob`)).status).toBe(204);
    expect((await h.fetch("DELETE", `/v1/entities/${entity?.id}?userId=bob`)).status).toBe(404);
    await h.settle();
    expect(await stored(h)).toEqual([]);
    expect(await rows("select 1 from entity_mentions where episode_id = ?", internal)).toEqual([]);
    expect(
      await rows("select 1 from entity_fts f where f.entity_fts match 'apollo' and f.rowid not in (select id from entities)"),
    ).toEqual([]);
  });

  it("an episode takes its mentions with it, and leaves the entity", async () => {
    const [one, two] = [await episode(h, "g1", "ann", { projectId: "garden" }), await episode(h, "g1", "ann")];
    await recordEntities(h, one.internal, [apollo]);
    await recordEntities(h, two.internal, [apollo]);
    expect((await h.fetch("DELETE", `/v1/sessions/g1/episodes/${one.id}?userId=ann`)).status).toBe(204);
    expect(await stored(h)).toMatchObject([{ name: "Apollo", count: 1, mentions: 1 }]);
  });
});
