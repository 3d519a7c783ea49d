import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { createHarness, type Harness } from "#test/harness";
import { at, item } from "#test/vectors";
import { find, nth, rows, say, textsOf } from "./requests.ts";
import { audited, everything, remember, run } from "./upkeep-rows.ts";

const HOUR = 3_600_000;

let skipMs = 0;
let replaced: Partial<Services> = {};
let h: Harness;
beforeEach(async () => {
  [skipMs, replaced] = [0, {}];
  await rows("delete from jobs");
  h = await createHarness({
    replace: (): Partial<Services> => ({ now: () => Date.now() + skipMs, log: () => undefined, ...replaced }),
  });
});

const repair = async (extra = {}) => nth(Object.values(await run(h, ["repair"], extra)), 0);
const listed = async (text: string) => {
  const { json } = await h.fetch<{ items: { content: string }[] }>("GET", `/v1/memories?userId=ann&text=${text}`);
  return json.items.map(({ content }) => content);
};
const spaceOf = async (userId: string) =>
  nth(
    await rows<{ id: number }>("select space_id as id from users where tenant_id = ? and external_id = ?", h.tenantId, userId),
    0,
  ).id;
const idOf = async (publicId: string) =>
  nth(await rows<{ id: number }>("select id from memories where public_id = ?", publicId), 0).id;
const jobs = () => rows("select kind, payload from jobs where tenant_id = ? and status = 'pending'", h.tenantId);
const vectorsIn = async (space: number) => {
  const { vectors } = h.services();
  const { ids } = (await vectors.list?.(h.tenantId, space, { after: null, limit: 1_000 })) ?? { ids: [] };
  return ids;
};

describe("words", () => {
  it("that a memory lost are put back, for its space and whom it is about", async () => {
    const id = await remember(h, "I collect stamps");
    await remember(h, "I collect coins");
    await h.settle();
    await rows("delete from memory_fts where rowid = ?", await idOf(id));
    expect(await listed("collect")).toEqual(["I collect coins"]);
    expect(await repair()).toMatchObject({ done: 1, remaining: false, counts: { memoriesReindexed: 1 } });
    expect(await listed("stamps")).toEqual(["I collect stamps"]);
    const me = await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=ann");
    const about = await h.fetch<{ items: unknown[] }>("GET", `/v1/memories?userId=ann&person=${me.json.id}&text=stamps`);
    expect(about.json.items).toHaveLength(1);
    expect(await repair()).toMatchObject({ done: 0, remaining: false });
    expect(await audited(h, "upkeep.%")).toEqual([{ action: "upkeep.mended", detail: '{"memoriesReindexed":1}', actor: "key" }]);
  });

  it("that stand under another space are written anew", async () => {
    const id = await idOf(await remember(h, "I collect stamps"));
    await remember(h, "bob keeps bees", { userId: "bob" });
    await h.settle();
    await rows("delete from memory_fts where rowid = ?", id);
    await rows("insert into memory_fts (rowid, space, text) values (?, ?, 'collect stamp')", id, `s${await spaceOf("bob")}`);
    expect(await repair()).toMatchObject({ counts: { memoriesReindexed: 1 } });
    expect(await listed("stamps")).toEqual(["I collect stamps"]);
    expect(await repair()).toMatchObject({ done: 0 });
  });

  it("of memories that are forgotten or gone are removed", async () => {
    const [kept, id] = [await idOf(await remember(h, "I collect stamps")), await remember(h, "I collect coins")];
    const gone = await idOf(id);
    await h.fetch("DELETE", `/v1/memories/${id}?userId=ann`);
    await h.settle();
    const space = `s${await spaceOf("ann")}`;
    for (const row of [gone, 900_001])
      await rows("insert into memory_fts (rowid, space, text) values (?, ?, 'coin')", row, space);
    expect(await repair({ limit: 1 })).toMatchObject({ done: 1, remaining: true, counts: { wordsRemoved: 1 } });
    expect(await repair({ limit: 5 })).toMatchObject({ done: 1, remaining: false });
    expect(await rows("select id from memory_fts_docsize where id >= ?", kept)).toEqual([{ id: kept }]);
  });

  it("of episodes are put back whole, and passages without an episode removed", async () => {
    await h.fetch("PATCH", "/v1/settings", { body: { extraction: "off" } });
    for (const text of ["the heron fishes", "the heron sleeps", "the heron is gone"])
      await say(h, "river", text, { userId: "ann" });
    await h.settle();
    const ids = (await rows<{ id: number }>("select id from episodes where tenant_id = ? order by id", h.tenantId)).map(
      ({ id }) => id,
    );
    await rows("delete from message_fts where rowid = ?", nth(ids, 0));
    await rows("delete from episodes where id = ?", nth(ids, 1));
    await rows("insert into message_fts (rowid, space, text) values (?, 's1', 'stray')", nth(ids, 2) + 1_000);
    expect(await repair()).toMatchObject({ done: 4, counts: { episodesReindexed: 1, passagesRemoved: 2, vectorsRemoved: 1 } });
    expect(textsOf(await find(h, "heron", { userId: "ann", strategy: "text" })).toSorted()).toEqual([
      "the heron fishes",
      "the heron is gone",
    ]);
    expect(await rows("select id from message_fts_docsize where id >= ?", nth(ids, 0))).toHaveLength(2);
    expect(await repair()).toMatchObject({ done: 0 });
  });
});

describe("vectors", () => {
  it("that nobody is making any more are made by a job, an hour later", async () => {
    await h.fetch("PATCH", "/v1/settings", { body: { extraction: "off" } });
    await remember(h, "I play the oboe");
    await say(h, "band", "the oboe is out of tune", { userId: "ann" });
    await rows("delete from jobs");
    expect(await repair()).toMatchObject({ done: 0 });
    skipMs = HOUR + 60_000;
    expect(await repair()).toMatchObject({ done: 2, counts: { memoriesToEmbed: 1, episodesToEmbed: 1 } });
    expect(await repair()).toMatchObject({ done: 0 });
    await h.settle();
    const model = h.services().embedder.model;
    expect(
      await rows(
        "select vector_model as model from memories where tenant_id = ? union all select vector_model from episodes where tenant_id = ?",
        h.tenantId,
        h.tenantId,
      ),
    ).toEqual([{ model }, { model }]);
  });

  it("of a failed job wait for a person", async () => {
    await remember(h, "I play the oboe");
    await say(h, "band", "the oboe is out of tune", { userId: "ann" });
    await rows("update jobs set status = 'failed' where tenant_id = ?", h.tenantId);
    skipMs = HOUR + 60_000;
    expect(await repair()).toMatchObject({ done: 0 });
  });

  it("of rows that are gone are removed, whatever page they are on, and no others", async () => {
    const [kept, lost] = [await remember(h, "I play the oboe"), await remember(h, "I play the tuba")];
    await say(h, "band", "the oboe is out of tune", { userId: "ann" });
    await h.settle();
    const space = await spaceOf("ann");
    const before = await vectorsIn(space);
    const lostId = await idOf(lost);
    await rows("update memories set deleted_at = 5 where id = ?", lostId);
    await rows("delete from memory_fts where rowid = ?", lostId);
    const strays = Array.from({ length: 30 }, (_, i) =>
      item(i % 2 === 0 ? `mem:${9_000 + i}` : `epi:${4_194_304 * 9_000 + i}`, at(i, 512), { space }),
    );
    await h.services().vectors.upsert(h.tenantId, [...strays, item("doc:1", at(1, 512), { space })]);
    for (let done = 0, remaining = true; remaining; done += 1) {
      const step = await repair({ limit: 7 });
      remaining = step.remaining;
      expect(step.done).toBeLessThanOrEqual(7);
      expect(done).toBeLessThan(10);
    }
    expect((await vectorsIn(space)).toSorted()).toEqual([...before.filter((id) => id !== `mem:${lostId}`), "doc:1"].toSorted());
    expect(await rows("select vector_model is not null as kept from memories where public_id = ?", kept)).toEqual([{ kept: 1 }]);
  });

  it("that a job is about to remove are left to it", async () => {
    const id = await remember(h, "I play the oboe");
    await h.settle();
    await h.fetch("DELETE", `/v1/memories/${id}?userId=ann`);
    expect(await repair()).toMatchObject({ done: 0 });
    await h.settle();
    expect(await vectorsIn(await spaceOf("ann"))).toEqual([]);
  });

  it("of a memory that was restored while they were removed are made anew", async () => {
    const id = await remember(h, "I play the oboe");
    await h.settle();
    const { vectors } = h.services();
    await rows("update memories set deleted_at = 5 where public_id = ?", id);
    await rows("delete from memory_fts where rowid = ?", await idOf(id));
    replaced = {
      vectors: {
        ...vectors,
        remove: async (...args) => {
          replaced = {};
          await rows("update memories set deleted_at = null where public_id = ?", id);
          await rows(
            "insert into memory_fts (rowid, space, text) select id, 's' || space_id || ' s' || space_id || type, 'oboe' from memories where public_id = ?",
            id,
          );
          await vectors.remove(...args);
        },
      },
    };
    expect(await repair()).toMatchObject({ counts: { vectorsRemoved: 1 } });
    expect(await jobs()).toMatchObject([{ kind: "memories.index" }]);
    await h.settle();
    expect(await vectorsIn(await spaceOf("ann"))).toEqual([`mem:${await idOf(id)}`]);
  });

  it("are not looked for in an index that cannot list them", async () => {
    const { list: _, ...blind } = h.services().vectors;
    replaced = { vectors: blind };
    expect(await repair()).toMatchObject({ done: 0, remaining: false });
  });
});

it("a dry run reports what is broken and changes nothing", async () => {
  const id = await remember(h, "I collect stamps");
  await h.settle();
  await rows("delete from memory_fts where rowid = ?", await idOf(id));
  const before = await everything();
  expect(await repair({ dryRun: true })).toMatchObject({ done: 1, counts: { memoriesReindexed: 1 } });
  expect(await everything()).toBe(before);
});
