import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { publicId } from "#core/ids";
import { type LifecycleView, sweep } from "#domain/lifecycle";
import { makeSource, upload, uploadsOf } from "#test/document-requests";
import { makeProject } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { at, item } from "#test/vectors";
import { nth, rows } from "./requests.ts";
import { broken, diagnose, repairInvariants } from "./upkeep-rows.ts";

let replaced: Partial<Services> = {};
let h: Harness;
let space: number;
let id: number;
beforeEach(async () => {
  replaced = {};
  h = await createHarness({ replace: (): Partial<Services> => ({ log: () => undefined, ...replaced }) });
  await makeProject(h, "garden", "ann");
  // Two sources of one space, and one of another.
  await makeSource(h, "handbook");
  await makeSource(h, "library");
  await makeSource(h, "plans", { userId: "ann", projectId: "garden" });
  await upload(h, { sourceId: "handbook", path: "a.md" }, "The pond is deep.");
  await upload(h, { sourceId: "library", path: "a.md" }, "The gate is green.");
  await upload(h, { sourceId: "plans", path: "a.md", userId: "ann" }, "The shed is old.");
  await h.settle();
  ({ space, id } = nth(
    await rows<{ space: number; id: number }>(
      "select space_id as space, id from chunks where tenant_id = ? and text like '%pond%'",
      h.tenantId,
    ),
    0,
  ));
});

const DAY = 86_400_000;
const LONG_AGO = Date.now() - 2 * DAY;

/** Bytes whose request ended before it stored a row. Answers their key. */
async function plantUpload(file: string, time: number): Promise<string> {
  const key = `t${h.tenantId}/${file}/${publicId("job", time)}`;
  await h.services().files.put(key, new Uint8Array([1]), 1);
  return key;
}

const VIOLATIONS = [
  { breaks: "chunk.words", how: "one without words", plant: () => rows("delete from chunk_fts where rowid = ?", id) },
  {
    breaks: "chunk.vectors",
    how: "one that nobody embeds",
    plant: () => rows("update chunks set vector_model = null, created_at = 5 where id = ?", id),
  },
  {
    breaks: "chunk.stored",
    how: "one whose vector is gone",
    plant: () => h.services().vectors.remove(h.tenantId, [{ id: `chk:${id}`, space }]),
  },
  {
    breaks: "words.chunk",
    how: "words of no chunk",
    plant: () => rows("insert into chunk_fts (rowid, space, text) values (900001, ?, 'stray')", `s${space}`),
  },
  {
    breaks: "vector.row",
    how: "a vector of no chunk",
    plant: () => h.services().vectors.upsert(h.tenantId, [item("chk:900001", at(1, 512), { space, kind: "chunk" })]),
  },
  {
    breaks: "upload.file",
    how: "an upload of no file",
    plant: () => plantUpload(publicId("file", 5), LONG_AGO),
  },
];

describe("the doctor", () => {
  it("finds nothing wrong with what the API made, and checks each chunk once", async () => {
    const report = await diagnose(h);
    expect(broken(report)).toEqual([]);
    for (const name of ["chunk.words", "chunk.stored", "words.chunk"]) expect([name, report[name]?.checked]).toEqual([name, 3]);
  });

  it.each(VIOLATIONS)("finds and repairs $how ($breaks)", async ({ breaks, plant }) => {
    await plant();
    expect(broken(await diagnose(h))).toContain(breaks);
    const done = await repairInvariants(h);
    expect(Number(done[breaks]?.repaired)).toBeGreaterThan(0);
    await h.settle();
    expect(broken(await diagnose(h))).toEqual([]);
  });
});

it("a change of model embeds chunks anew, source by source", async () => {
  const { embedder } = h.services();
  await sweep(h.services());
  await h.settle();
  replaced = { embedder: { ...embedder, model: "another@512" } };
  await sweep(h.services());
  await h.settle();
  const models = await rows("select distinct vector_model as model from chunks where tenant_id = ?", h.tenantId);
  expect(models).toEqual([{ model: "another@512" }]);
});

describe("what was uploaded and has no file", () => {
  it("is removed by upkeep after a day, and nothing else is", async () => {
    replaced = { now: () => LONG_AGO, jobs: { send: () => Promise.resolve() } };
    await upload(h, { sourceId: "handbook", path: "unread.md" }, "Nobody has read this.");
    replaced = { log: () => undefined };
    await rows("update jobs set status = 'failed' where tenant_id = ? and status = 'pending'", h.tenantId);
    const [unread] = await uploadsOf(h);
    const [read] = await rows<{ id: string }>(
      "select public_id as id from files where tenant_id = ? and path = 'a.md'",
      h.tenantId,
    );
    const replacing = await plantUpload(read?.id ?? "", LONG_AGO);
    const lost = await plantUpload(publicId("file", LONG_AGO), LONG_AGO);
    const young = await plantUpload(publicId("file", Date.now()), Date.now() - DAY / 2);
    expect((await uploadsOf(h)).toSorted()).toEqual([unread, replacing, lost, young].toSorted());
    expect((await sweep(h.services())).upkeep.changed).toMatchObject({ "repair.uploadsRemoved": 2 });
    expect((await uploadsOf(h)).toSorted()).toEqual([unread, young].toSorted());
  });

  it("is removed over several runs, each of which is bounded", async () => {
    await Promise.all(Array.from({ length: 205 }, () => plantUpload(publicId("file", LONG_AGO), LONG_AGO)));
    const left = [];
    for (let tasks = ["repair"]; tasks.length > 0; ) {
      const { json } = await h.fetch<LifecycleView>("POST", "/v1/lifecycle", { body: { tasks, limit: 100 } });
      left.push((await uploadsOf(h)).length);
      tasks = json.tasks.flatMap(({ task, remaining }) => (remaining ? [task] : []));
    }
    expect([...new Set(left)]).toEqual([105, 5, 0]);
  });
});
