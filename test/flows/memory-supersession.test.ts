import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import {
  add,
  addAll,
  approveOne,
  contentsOf,
  fieldsOf,
  forgetOne,
  get,
  group,
  list,
  pastOf,
  personOf,
} from "./memory-requests.ts";
import { find, rows } from "./requests.ts";

const START = Date.parse("2026-03-01T09:00:00Z");

let skipMs = 0;
let h: Harness;
const interruption = createInterruption();
beforeAll(async () => {
  h = await createHarness({
    replace: ({ db }) => ({
      now: () => START + skipMs,
      log: () => undefined,
      db: interruption.in(db),
    }),
  });
  await group(h, "club", ["ann", "ben"]);
  await group(h, "team", ["ann", "cat"]);
});
beforeEach(() => {
  skipMs = 0;
  interruption.cancel();
});

const iso = (millis: number) => new Date(millis).toISOString();
let town = 0;
/** A memory of Ann's, one like no other, to be replaced. */
const made = async (extra: object = {}) => {
  town += 1;
  return (await add(h, { userId: "ann", content: `Lives in town ${town}.`, ...extra })).json;
};
const replace = (id: string, extra: object = {}) => {
  town += 1;
  return add(h, { userId: "ann", content: `Moved to town ${town}.`, supersedes: id, ...extra });
};
const superseded = (action: string) =>
  rows("select object_id as id from audit where action = ? and tenant_id = ? order by seq desc", action, h.tenantId);

describe("what replaces a memory", () => {
  it("takes it out of every read, says so, and keeps it as history", async () => {
    const old = await made();
    skipMs = 60_000;
    const { status, json } = await replace(old.id);
    expect([status, json.created]).toEqual([201, true]);
    expect((await get(h, old.id, "userId=ann")).status).toBe(404);
    expect(contentsOf(await list(h, "userId=ann&limit=100"))).not.toContain(old.content);
    expect(contentsOf(await list(h, `userId=ann&text=${encodeURIComponent(old.content)}`))).toEqual([]);
    expect((await find(h, old.content, { userId: "ann", strategy: "text" })).json.hits.map(({ id }) => id)).not.toContain(old.id);
    const { json: past } = await pastOf(h, json.id, "userId=ann");
    expect(past.supersedes).toMatchObject([
      { id: old.id, content: old.content, supersededBy: json.id, validTo: iso(START + 60_000) },
    ]);
    expect((await pastOf(h, old.id, "userId=ann")).json.memory.supersededBy).toBe(json.id);
    expect(await superseded("memory.superseded")).toContainEqual({ id: old.id });
  });

  it("is distinguished by asOf: before, at the edges, after", async () => {
    const old = await made({ validFrom: "2020-01-01T00:00:00Z", scopeType: "edges" });
    const { json } = await replace(old.id, { validFrom: "2023-01-01T00:00:00Z", scopeType: "edges" });
    const at = async (moment: string) => {
      const page = await list(h, `userId=ann&scopeType=edges&asOf=${moment}`);
      const one = await get(h, old.id, `userId=ann&asOf=${moment}`);
      expect(one.status).toBe(page.json.items.some(({ id }) => id === old.id) ? 200 : 404);
      return page.json.items.map(({ id }) => (id === old.id ? "old" : id === json.id ? "new" : "other"));
    };
    expect(await at("2019-12-31T23:59:59.999Z")).toEqual([]);
    expect(await at("2020-01-01T00:00:00Z")).toEqual(["old"]);
    expect(await at("2022-12-31T23:59:59.999Z")).toEqual(["old"]);
    expect(await at("2023-01-01T00:00:00Z")).toEqual(["new"]);
    expect(await at("2099-01-01T00:00:00Z")).toEqual(["new"]);
    expect((await list(h, "userId=ann&scopeType=edges")).json.items.map(({ id }) => id)).toEqual([json.id]);
  });

  it("takes over its key, in the same workspace", async () => {
    const old = await made({ key: "town" });
    const heir = await replace(old.id);
    expect(heir.json.key).toBe("town");
    const named = await replace(heir.json.id, { key: "town" });
    expect([named.status, named.json.key, named.json.id === heir.json.id]).toEqual([201, "town", false]);
    const away = await replace(named.json.id, { workspaceId: "w" });
    expect(away.json.key).toBeNull();
    expect((await add(h, { userId: "ann", key: "town", content: "Lives on a boat." })).status).toBe(201);
  });

  it("can be replaced itself, and the history goes all the way back", async () => {
    const first = await made();
    const second = (await replace(first.id)).json;
    const third = (await replace(second.id)).json;
    const { json } = await pastOf(h, third.id, "userId=ann");
    expect(json.supersedes.map(({ id }) => id)).toEqual([second.id, first.id]);
    const late = await replace(first.id);
    expect([late.status, fieldsOf(late)]).toEqual([422, ["supersedes"]]);
  });

  it("may be there already: then what it replaces still goes, and its history knows", async () => {
    const [old, there] = [await made(), await made()];
    const { status, json } = await add(h, { userId: "ann", content: there.content, supersedes: old.id });
    expect([status, json.id]).toEqual([200, there.id]);
    expect((await get(h, old.id, "userId=ann")).status).toBe(404);
    expect((await pastOf(h, there.id, "userId=ann")).json.supersedes.map(({ id }) => id)).toEqual([old.id]);
  });

  it("is not the memory itself", async () => {
    const old = await made({ key: "self" });
    const again = await add(h, { userId: "ann", content: old.content, key: "self", supersedes: old.id });
    expect([again.status, again.json.id]).toEqual([200, old.id]);
    expect((await get(h, old.id, "userId=ann")).json.supersededBy).toBeNull();
    expect(await rows("select supersedes from memories where public_id = ?", old.id)).toEqual([{ supersedes: null }]);
  });
});

describe("what waits for review", () => {
  it("replaces only when it is approved", async () => {
    const old = await made({ key: "home" });
    const waiting = await replace(old.id, { key: "home", confidence: 0.4 });
    expect([waiting.status, waiting.json.status, waiting.json.key]).toEqual([201, "pending", null]);
    expect((await get(h, old.id, "userId=ann")).status).toBe(200);
    skipMs = 5_000;
    const approved = await approveOne(h, waiting.json.id, { userId: "ann" });
    expect(approved.json).toMatchObject({ status: "approved", key: "home" });
    expect((await get(h, old.id, "userId=ann")).status).toBe(404);
    expect((await pastOf(h, waiting.json.id, "userId=ann")).json.supersedes).toMatchObject([
      { id: old.id, supersededBy: waiting.json.id },
    ]);
  });

  it("is not approved by being said again with what it would replace", async () => {
    const old = await made();
    const waiting = await add(h, { userId: "ann", content: "Lives by the sea.", confidence: 0.4 });
    const again = await add(h, { userId: "ann", content: "Lives by the sea.", supersedes: old.id });
    expect([again.json.id, again.json.status]).toEqual([waiting.json.id, "pending"]);
    expect((await get(h, old.id, "userId=ann")).status).toBe(200);
    expect((await add(h, { userId: "ann", content: "Lives by the sea." })).json.status).toBe("pending");
    await approveOne(h, waiting.json.id, { userId: "ann" });
    expect((await get(h, old.id, "userId=ann")).status).toBe(404);
  });

  it("replaces nothing if that has changed at the moment of approval", async () => {
    const old = await made();
    const waiting = await replace(old.id, { confidence: 0.4 });
    const audited = (await superseded("memory.superseded")).length;
    interruption.beforeBatch(2, () => forgetOne(h, old.id, "userId=ann"));
    expect((await approveOne(h, waiting.json.id, { userId: "ann" })).status).toBe(409);
    expect(await superseded("memory.superseded")).toHaveLength(audited);
    expect((await approveOne(h, waiting.json.id, { userId: "ann" })).status).toBe(200);
    expect(await superseded("memory.superseded")).toHaveLength(audited);
  });
});

describe("only what its author may change can be replaced", () => {
  it("422 for another's, another group's, an unknown one, one that waits, one of another kind", async () => {
    const bens = (await add(h, { userId: "ben", content: "Ben rows.", subjects: [await personOf(h, "ben")] })).json;
    const clubs = (await add(h, { userId: "ann", sessionId: "club", content: "The club rows." })).json;
    const shared = (await add(h, { content: "The office is open.", shared: true })).json;
    const waiting = await made({ confidence: 0.1 });
    const anns = await made();
    const cases = [
      { supersedes: bens.id },
      { supersedes: shared.id },
      { supersedes: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abc" },
      { supersedes: "nonsense" },
      { supersedes: waiting.id },
      { supersedes: clubs.id },
      { supersedes: anns.id, sessionId: "club" },
    ];
    for (const body of cases) {
      const answer = await add(h, { userId: "ann", content: `Says ${JSON.stringify(body)}`, ...body });
      expect([answer.status, fieldsOf(answer)], JSON.stringify(body)).toEqual([422, ["supersedes"]]);
    }
    const cat = await add(h, { userId: "cat", sessionId: "team", content: "The club sails.", supersedes: clubs.id });
    expect([cat.status, fieldsOf(cat)]).toEqual([422, ["supersedes"]]);
    expect((await add(h, { userId: "ben", sessionId: "club", content: "The club sails.", supersedes: clubs.id })).status).toBe(
      201,
    );
    expect((await add(h, { content: "The office is shut.", shared: true, supersedes: shared.id })).status).toBe(201);
  });

  it("422 where one call replaces a memory twice, or replaces what it changes", async () => {
    const old = await made({ key: "place" });
    const twice = await addAll(
      h,
      [
        { content: "Here.", supersedes: old.id },
        { content: "There.", supersedes: old.id },
      ],
      { userId: "ann" },
    );
    expect([twice.status, fieldsOf(twice)]).toEqual([422, ["memories[0].supersedes"]]);
    const both = await addAll(h, [old.content, { content: "Elsewhere.", supersedes: old.id }], { userId: "ann" });
    expect([both.status, fieldsOf(both)]).toEqual([422, ["memories[1].supersedes"]]);
    expect((await get(h, old.id, "userId=ann")).status).toBe(200);
  });
});

describe("a race", () => {
  it("for the same memory is won by one: the other gets the error that it is not in force, and stores nothing", async () => {
    const old = await made();
    interruption.beforeBatch(2, () => replace(old.id));
    const late = await replace(old.id);
    expect([late.status, fieldsOf(late)]).toEqual([422, ["supersedes"]]);
    expect(
      await rows("select count(*) as n from memories where supersedes = (select id from memories where public_id = ?)", old.id),
    ).toEqual([{ n: 1 }]);
  });

  it("of ten is won by one", async () => {
    const old = await made();
    const answers = await Promise.all(Array.from({ length: 10 }, () => replace(old.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 422)]);
    const entries = await rows("select 1 from audit where action = 'memory.superseded' and object_id = ?", old.id);
    expect(entries).toHaveLength(1);
  });
});

describe("deleting, as wrong, a memory that was replaced itself", () => {
  it("brings back nothing beside what holds now", async () => {
    const place = { userId: "ann" };
    const first = await add(h, { ...place, content: "The harbour crane is painted yellow" });
    const second = await add(h, { ...place, content: "The harbour crane is painted blue", supersedes: first.json.id });
    await add(h, { ...place, content: "The harbour crane is painted red", supersedes: second.json.id });
    await forgetOne(h, second.json.id, "userId=ann&keepSource=true");
    const cranes = (await contentsOf(await list(h, "userId=ann"))).filter((content) => content.includes("harbour crane"));
    expect(cranes).toEqual(["The harbour crane is painted red"]);
  });
});
