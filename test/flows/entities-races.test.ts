import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { ENTITIES, recordMentions } from "#domain/entities";
import { indexRows } from "#domain/indexing";
import { episode, extraction, makeProject, move, namesIn, recordEntities, save, stored } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { nth, rows } from "./requests.ts";

const interruption = createInterruption();
let h: Harness;
let calm: Harness;

beforeAll(async () => {
  h = await createHarness({ replace: ({ db }): Partial<Services> => ({ db: interruption.in(db), log: () => undefined }) });
  calm = h;
});
beforeEach(interruption.cancel);

const lathe = { type: "tool", name: "Lathe", notes: "turns wood" };

let worlds = 0;
/** Two projects and a session in the first, under names of their own. */
async function world(): Promise<{ a: string; b: string; s: string; episodeId: number; episodePublicId: string }> {
  worlds += 1;
  const [a, b, s] = [`a${worlds}`, `b${worlds}`, `s${worlds}`];
  await makeProject(h, a, "ann", ["bob"]);
  await makeProject(h, b, "ann");
  const { id, internal } = await episode(h, s, "ann", { projectId: a });
  return { a, b, s, episodeId: internal, episodePublicId: id };
}

const of = async (...projects: string[]) => (await stored(h)).filter(({ project }) => projects.includes(project));

/** Lets something happen in the moment before the batch that stores what the look found. */
async function recordWhile(episodeId: number, happens: () => Promise<unknown>) {
  interruption.beforeBatch(1, happens);
  const counts = await recordEntities(h, episodeId, [lathe]);
  expect(interruption.isPending()).toBe(false);
  return counts;
}

describe("noting at the moment in which", () => {
  it("the session moves to another project: the tag is that of where it is when it is written", async () => {
    const { a, b, s, episodeId } = await world();
    expect(await recordWhile(episodeId, () => move(calm, s, "ann", b))).toMatchObject({ made: 1 });
    expect((await of(a, b)).map(({ project }) => project)).toEqual([b]);
  });

  it("the session leaves its project: nothing is noted", async () => {
    const { a, b, s, episodeId } = await world();
    expect(await recordWhile(episodeId, () => move(calm, s, "ann", null))).toMatchObject({ made: 0, outside: 1 });
    expect(await of(a, b)).toEqual([]);
  });

  it("the episode is deleted: nothing is noted", async () => {
    const { a, s, episodeId, episodePublicId } = await world();
    await recordWhile(episodeId, () => calm.fetch("DELETE", `/v1/sessions/${s}/episodes/${episodePublicId}?userId=ann`));
    expect(await of(a)).toEqual([]);
  });

  it("somebody stores the same entity: it is one, with both notes", async () => {
    const { a, episodeId } = await world();
    const saved = () => save(calm, { userId: "bob", projectId: a, ...lathe, notes: "is loud" });
    expect(await recordWhile(episodeId, saved)).toMatchObject({ made: 0, changed: 1, mentioned: 1 });
    expect(await of(a)).toMatchObject([{ notes: "is loud\nturns wood", count: 1, mentions: 1, words: 1 }]);
  });

  it("somebody adds to its notes: none is lost", async () => {
    const { a, episodeId } = await world();
    const add = (notes: string) => save(calm, { userId: "bob", projectId: a, ...lathe, notes });
    await add("is old");
    expect(await recordWhile(episodeId, () => add("is loud"))).toMatchObject({ made: 0, changed: 1 });
    expect(await of(a)).toMatchObject([{ notes: "is old\nis loud\nturns wood", words: 1 }]);
    expect(await namesIn(h, `userId=ann&projectId=${a}&text=old loud wood`)).toEqual(["Lathe"]);
  });

  it("the entity is deleted, or moves: it is made anew", async () => {
    const { a, b, s, episodeId } = await world();
    const { json } = await save(h, { userId: "ann", projectId: a, ...lathe });
    const gone = () => calm.fetch("DELETE", `/v1/entities/${json.id}?userId=ann`);
    expect(await recordWhile(episodeId, gone)).toMatchObject({ made: 1 });
    const second = await episode(h, s, "ann");
    const [entity] = (await h.fetch<{ items: { id: string }[] }>("GET", `/v1/entities?userId=ann&projectId=${a}`)).json.items;
    const retag = () => calm.fetch("POST", `/v1/entities/${entity?.id}/retag`, { body: { userId: "ann", projectId: b } });
    expect(await recordWhile(second.internal, retag)).toMatchObject({ made: 1 });
    expect(await of(a, b)).toMatchObject([
      { project: a, mentions: 1, count: 1 },
      { project: b, mentions: 1, count: 1 },
    ]);
  });

  it("another consumer notes the same: it is done once", async () => {
    const { a, episodeId } = await world();
    expect(await recordWhile(episodeId, () => recordEntities(calm, episodeId, [lathe]))).toMatchObject({
      made: 0,
      changed: 0,
      mentioned: 0,
    });
    expect(await of(a)).toMatchObject([{ count: 1, mentions: 1, words: 1 }]);
  });
});

describe("a writer who is put out of the project between look and batch", () => {
  it("writes nothing", async () => {
    const { a, b } = await world();
    await h.fetch("PUT", `/v1/projects/${b}/members/bob?userId=ann`);
    const { json } = await save(h, { userId: "ann", projectId: a, ...lathe });
    const out = (project: string) => () => calm.fetch("DELETE", `/v1/projects/${project}/members/bob?userId=ann`);
    const back = (project: string) => calm.fetch("PUT", `/v1/projects/${project}/members/bob?userId=ann`);
    const before = await of(a, b);
    const asBob = async (left: string, method: string, path: string, body?: object) => {
      interruption.beforeBatch(1, out(left));
      const { status } = await h.fetch(method, path, body === undefined ? {} : { body: { userId: "bob", ...body } });
      await back(left);
      return status;
    };
    const path = `/v1/entities/${json.id}`;
    expect(await asBob(a, "POST", "/v1/entities", { projectId: a, type: "tool", name: "Saw" })).toBe(404);
    expect(await asBob(a, "PATCH", path, { notes: "is mine" })).toBe(404);
    expect(await asBob(a, "DELETE", `${path}?userId=bob`)).toBe(404);
    expect(await of(a, b)).toEqual(before);
  });
});

describe("moving at the moment in which", () => {
  const retagWhile = async (happens: (id: string, project: string) => Promise<unknown>, nth = 1) => {
    const { a, b } = await world();
    await h.fetch("PUT", `/v1/projects/${b}/members/bob?userId=ann`);
    const { json } = await save(h, { userId: "ann", projectId: a, ...lathe });
    interruption.beforeBatch(nth, () => happens(json.id, b));
    const { status } = await h.fetch("POST", `/v1/entities/${json.id}/retag`, { body: { userId: "bob", projectId: b } });

    return { status, there: await of(a, b), a, b };
  };

  it("the mover is put out of the other project: nothing moves", async () => {
    const out = (_: string, project: string) => calm.fetch("DELETE", `/v1/projects/${project}/members/bob?userId=ann`);
    const { status, there, a } = await retagWhile(out, 2);
    expect([status, there.map(({ project }) => project)]).toEqual([404, [a]]);
  });

  it("the entity is changed: it moves as it is then", async () => {
    const change = (id: string) => calm.fetch("PATCH", `/v1/entities/${id}`, { body: { userId: "ann", notes: "turns metal" } });
    const { status, b } = await retagWhile(change, 2);
    expect([status, await namesIn(h, `userId=ann&projectId=${b}&text=metal`)]).toEqual([200, ["Lathe"]]);
    expect(await namesIn(h, `userId=ann&projectId=${b}&text=wood`)).toEqual([]);
  });
});

describe("many at once", () => {
  it("note one entity: it is one row, every mention once, every note in it", async () => {
    const { a, s } = await world();
    const episodes = await Promise.all(Array.from({ length: 6 }, () => episode(h, s, "ann")));
    const all = episodes.flatMap(({ internal }, i) => [
      { internal, notes: `note ${i % 3}` },
      { internal, notes: `note ${i % 3}` },
    ]);
    const settled = await Promise.allSettled(
      all.map(({ internal, notes }) => recordEntities(h, internal, [{ ...lathe, notes }])),
    );
    // After too many lost races in a row an error is returned, and the job is retried.
    for (const { internal, notes } of all) await recordEntities(h, internal, [{ ...lathe, notes }]);
    expect(settled.some(({ status }) => status === "fulfilled")).toBe(true);
    const [one, ...others] = await of(a);
    expect([others.length, one?.count, one?.mentions, one?.words]).toEqual([0, 6, 6, 1]);
    expect(one?.notes?.split("\n").toSorted()).toEqual(["note 0", "note 1", "note 2"]);
  });
});

it("whatever comes in whatever order, twice: the same entities, mentions and counts", async () => {
  const named = fc.record({
    who: fc.nat(3),
    name: fc.constantFrom("Lathe", "LATHE", "Saw", "C++", "C#"),
    type: fc.constantFrom("tool", "Tool", "place"),
    notes: fc.constantFrom(null, "red", "red and blue", "blue"),
    at: fc.integer({ min: 1, max: 9_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(named, { minLength: 1, maxLength: 8 }), fc.nat(), async (all, cut) => {
      const { a, s } = await world();
      const episodes = await Promise.all([0, 1, 2, 3].map(() => episode(h, s, "ann")));
      const idOf = (who: number) => nth(episodes, who).internal;
      const batches = [all.slice(0, cut % all.length), all.slice(cut % all.length), all];
      for (const batch of batches) {
        const grouped = batch.map(({ who, at, ...entity }) => ({ episodeId: idOf(who), at, entities: [entity] }));
        await recordMentions({ ...h.services(), ...extraction(h) }, { episodes: grouped });
      }
      const keyOf = ({ type, name }: { type: string; name: string }) => `${type.toLowerCase()} ${name.toLowerCase()}`;
      const expected = [...Map.groupBy(all, keyOf)].map(([key, group]) => [key, new Set(group.map(({ who }) => who)).size]);
      const found = await of(a);
      expect(found.map((row) => [keyOf(row), row.count]).toSorted()).toEqual(expected.toSorted());
      expect(found.every(({ count, mentions, words }) => count === mentions && words === 1)).toBe(true);
    }),
    { numRuns: 12 },
  );
});

describe("while vectors are made", () => {
  const embedWhile = async (happens: () => Promise<unknown>) => {
    const { embedder, ...services } = h.services();
    const jobs = await rows<{ id: string; payload: string }>(
      "select id, payload from jobs where tenant_id = ? and kind = 'entities.index' and status = 'pending'",
      h.tenantId,
    );
    const slow = {
      ...embedder,
      embed: async (...args: Parameters<typeof embedder.embed>) => {
        await happens();
        return await embedder.embed(...args);
      },
    };
    const leased = jobs.map(({ id, payload }) => ({
      tenantId: h.tenantId,
      id,
      kind: "entities.index",
      payload: JSON.parse(payload),
      attempts: 1,
      result: null,
    }));
    await indexRows({ ...services, ...extraction(h), embedder: slow }, ENTITIES, leased, { deadline: Date.now() + 60_000 });
  };
  const vectorsIn = async (project: string) => {
    const { vectors } = h.services();
    const [row] = await rows<{ space: number }>(
      "select space_id as space from projects where tenant_id = ? and external_id = ?",
      h.tenantId,
      project,
    );
    return (await vectors.list?.(h.tenantId, row?.space ?? 0, { after: null, limit: 10 }))?.ids ?? [];
  };

  it("an entity that is deleted, or moves, leaves no vector where it was", async () => {
    const { a, b } = await world();
    await h.settle();
    const first = await save(h, { userId: "ann", projectId: a, ...lathe });
    await embedWhile(() => h.fetch("DELETE", `/v1/entities/${first.json.id}?userId=ann`));
    const second = await save(h, { userId: "ann", projectId: a, ...lathe });
    await embedWhile(() => h.fetch("POST", `/v1/entities/${second.json.id}/retag`, { body: { userId: "ann", projectId: b } }));
    expect(await vectorsIn(a)).toEqual([]);
    await h.settle();
    expect([(await vectorsIn(a)).length, (await vectorsIn(b)).length]).toEqual([0, 1]);
    expect(await namesIn(h, `userId=ann&projectId=${b}`)).toEqual(["Lathe"]);
  });

  it("an entity that is changed just before it is stamped is not stamped", async () => {
    const { a } = await world();
    await h.settle();
    const { json } = await save(h, { userId: "ann", projectId: a, ...lathe });
    await embedWhile(async () => {
      interruption.beforeBatch(1, () =>
        h.fetch("PATCH", `/v1/entities/${json.id}`, { body: { userId: "ann", notes: "turns metal" } }),
      );
    });
    expect((await rows("select vector_model as model from entities where public_id = ?", json.id))[0]?.model).toBeNull();
  });

  it("an entity that is changed is embedded once more", async () => {
    const { a } = await world();
    await h.settle();
    const { json } = await save(h, { userId: "ann", projectId: a, ...lathe });
    await embedWhile(() => h.fetch("PATCH", `/v1/entities/${json.id}`, { body: { userId: "ann", notes: "turns metal" } }));
    const modelOf = async () => (await rows("select vector_model as model from entities where public_id = ?", json.id))[0]?.model;
    expect(await modelOf()).toBeNull();
    await h.settle();
    expect(await modelOf()).toBe(h.services().embedder.model);
  });
});
