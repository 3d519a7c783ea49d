import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { sweep } from "#domain/lifecycle";
import { episode, list, makeProject, recordEntities, save } from "#test/entity-requests";
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
  const { internal } = await episode(h, "g1", "ann", { projectId: "garden" });
  await recordEntities(h, internal, [{ type: "place", name: "Pond" }]);
  await save(h, { userId: "ann", projectId: "garden", type: "tool", name: "Spade", notes: "for digging" });
  await h.settle();
  [{ space, id }] = [
    nth(
      await rows<{ space: number; id: number }>(
        "select space_id as space, id from entities where tenant_id = ? and name = 'Pond'",
        h.tenantId,
      ),
      0,
    ),
  ];
});

const set = (assign: string) => () => rows(`update entities set ${assign} where id = ?`, id);

const VIOLATIONS = [
  { breaks: "entity.mentions", how: "one that counts too many", plant: set("mention_count = 7"), repairs: true },
  {
    breaks: "entity.mentions",
    how: "a mention by no episode",
    plant: async () => {
      await rows("insert into entity_mentions (entity_id, episode_id, at) values (?, 999999999, 5)", id);
      await set("mention_count = 2")();
    },
    repairs: true,
  },
  {
    breaks: "entity.words",
    how: "one without words",
    plant: () => rows("delete from entity_fts where rowid = ?", id),
    repairs: true,
  },
  { breaks: "entity.vectors", how: "one that nobody embeds", plant: set("vector_model = null, updated_at = 5"), repairs: true },
  {
    breaks: "entity.stored",
    how: "one whose vector is gone",
    plant: () => h.services().vectors.remove(h.tenantId, [{ id: `ent:${id}`, space }]),
    repairs: true,
  },
  {
    breaks: "words.entity",
    how: "words of no entity",
    plant: () => rows("insert into entity_fts (rowid, space, text) values (900001, ?, 'stray')", `s${space}`),
    repairs: true,
  },
  {
    breaks: "vector.row",
    how: "a vector of no entity",
    plant: () => h.services().vectors.upsert(h.tenantId, [item("ent:900001", at(1, 512), { space, kind: "entity" })]),
    repairs: true,
  },
];

describe("the doctor", () => {
  it("finds nothing wrong with what the API made", async () => {
    const report = await diagnose(h);
    expect(broken(report)).toEqual([]);
    for (const name of ["entity.words", "entity.mentions", "entity.stored", "words.entity"])
      expect([name, report[name]?.checked]).toEqual([name, 2]);
  });

  it.each(VIOLATIONS)("finds $how ($breaks)", async ({ breaks, plant, repairs }) => {
    await plant();
    const report = await diagnose(h);
    expect(broken(report)).toContain(breaks);
    const done = await repairInvariants(h);
    expect([Number(done[breaks]?.repaired) > 0, Number(done[breaks]?.needsPerson) > 0]).toEqual([repairs, !repairs]);
    if (!repairs) return;
    await h.settle();
    expect(broken(await diagnose(h))).toEqual([]);
  });

  it("walks through more projects and entities than a step takes", async () => {
    for (let i = 0; i < 30; i += 1) await makeProject(h, `p${i}`, "ann");
    await rows(
      `insert into entities (public_id, tenant_id, project_id, space_id, type, name, name_key, first_seen_at, last_seen_at, vector_model, created_at, updated_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < 550)
       select 'ent_' || p.id || '_' || i, p.tenant_id, p.id, p.space_id, 'tool', 'tool ' || i, 'tool ' || i, 5, 5, 'elsewhere', 9e15, 9e15
       from projects p, n where p.tenant_id = ? and (p.external_id = 'p3' or (p.external_id = 'p4' and i <= 50))`,
      h.tenantId,
    );
    const report = await diagnose(h);
    expect(report["entity.words"]).toMatchObject({ violations: 600 });
    await repairInvariants(h);
    expect((await diagnose(h))["words.entity"]).toMatchObject({ checked: 602, violations: 0 });
  });
});

it("a change of model embeds entities anew, project by project", async () => {
  const { embedder } = h.services();
  await sweep(h.services());
  await h.settle();
  replaced = { embedder: { ...embedder, model: "another@512" } };
  const vectorOf = async () => nth((await list(h, "userId=ann&projectId=garden")).json.items, 0).indexed.vector;
  expect(await vectorOf()).toBe(false);
  await sweep(h.services());
  await h.settle();
  expect(await vectorOf()).toBe(true);
  expect(await rows("select 1 from entities where tenant_id = ? and vector_model <> 'another@512'", h.tenantId)).toEqual([]);
});
