import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import {
  add,
  change,
  contentsOf,
  fieldsOf,
  forgetOne,
  get,
  group,
  list,
  pastOf,
  personOf,
  restoreOne,
} from "./memory-requests.ts";
import { find, rows } from "./requests.ts";

const START = Date.parse("2026-03-01T09:00:00Z");
const DAY_MS = 86_400_000;

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
});
beforeEach(() => {
  skipMs = 0;
  interruption.cancel();
});

/** Jobs that were made at a later moment of an earlier test are due as well. */
const settle = async () => {
  skipMs = 10_000;
  await h.settle();
};

let number = 0;
const made = async (extra: object = {}) => {
  number += 1;
  return (await add(h, { userId: "ann", content: `Sings song ${number}.`, ...extra })).json;
};
const MINE = "userId=ann";
const auditOf = (id: string, action: string) => rows("select 1 from audit where object_id = ? and action = ?", id, action);

describe("a change", () => {
  it("says what it names, keeps the rest, and is a new version with an ETag of its own", async () => {
    const old = await made({ metadata: { a: 1 }, confidence: 0.9 });
    const { headers } = await get(h, old.id, MINE);
    expect(headers.get("etag")).toBe('"1"');
    skipMs = 1_000;
    const changed = await change(h, old.id, { content: "Sings a sad song.", metadata: { b: 2 }, type: "event" }, MINE);
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, '"2"']);
    expect(changed.json).toMatchObject({
      content: "Sings a sad song.",
      type: "event",
      metadata: { a: 1, b: 2 },
      confidence: 0.9,
      version: 2,
      expiresAt: new Date(START + 1_000 + 30 * DAY_MS).toISOString(),
      indexed: { text: true, vector: false },
    });
    expect((await get(h, old.id, MINE)).json).toEqual(changed.json);
    expect(contentsOf(await list(h, `${MINE}&text=sad`))).toEqual(["Sings a sad song."]);
    expect(await auditOf(old.id, "memory.revised")).toHaveLength(1);
  });

  it("of nothing is none: no version, no audit row", async () => {
    const old = await made({ metadata: { a: 1 } });
    const same = await change(h, old.id, { content: ` ${old.content}`, metadata: { a: 1 }, sensitivity: "personal" }, MINE);
    expect([same.status, same.json]).toEqual([200, (await get(h, old.id, MINE)).json]);
    expect([same.json.version, await auditOf(old.id, "memory.revised")]).toEqual([1, []]);
  });

  it("of whom it is about is found by that person's words, and no more by the other's", async () => {
    const [bob, eve] = [await personOf(h, "bob"), await personOf(h, "eve")];
    const old = await made({ content: "Has a marmot.", subjects: [bob], sensitivity: "public", portable: true });
    await change(h, old.id, { subjects: [eve, eve] }, MINE);
    expect((await get(h, old.id, MINE)).json.subjects).toEqual([eve]);
    expect(contentsOf(await list(h, `userId=eve&person=${eve}&text=marmot`))).toEqual(["Has a marmot."]);
    expect(contentsOf(await list(h, `userId=bob&person=${bob}&text=marmot`))).toEqual([]);
    expect(contentsOf(await list(h, `userId=bob&person=${bob}`))).toEqual([]);
  });

  it("into another workspace is found there by meaning too", async () => {
    const old = await made({ content: "Collects lanterns." });
    await settle();
    expect((await get(h, old.id, MINE)).json.indexed.vector).toBe(true);
    expect((await change(h, old.id, { workspaceId: "w1" }, MINE)).json.indexed.vector).toBe(false);
    await settle();
    const { json } = await find(h, "lanterns", { userId: "ann", workspaceId: "w1", strategy: "semantic", kinds: ["memory"] });
    expect(json.hits.map(({ id }) => id)).toContain(old.id);
  });

  it("into words or a key that are there is refused", async () => {
    const [one, other] = [await made({ key: "song:1" }), await made()];
    expect((await change(h, other.id, { key: "song:1" }, MINE)).status).toBe(409);
    const third = await made();
    expect((await change(h, third.id, { content: other.content }, MINE)).status).toBe(409);
    expect((await get(h, third.id, MINE)).json.version).toBe(1);
    expect((await change(h, one.id, { key: null }, MINE)).json.key).toBeNull();
  });

  it("into what a person must look at waits for them", async () => {
    const old = await made();
    const changed = await change(h, old.id, { content: "Her passport number is C01X00T47." }, MINE);
    expect([changed.status, changed.json.status]).toEqual([200, "pending"]);
    expect((await get(h, old.id, MINE)).status).toBe(404);
  });

  it("keeps a shared memory public", async () => {
    const { json } = await add(h, { content: "The office has a garden.", shared: true });
    const refused = await change(h, json.id, { sensitivity: "personal" }, "", { user: null });
    expect([refused.status, fieldsOf(refused)]).toEqual([422, ["sensitivity"]]);
    expect((await change(h, json.id, { content: "The office has a roof garden." }, "", { user: null })).status).toBe(200);
  });
});

describe("If-Match", () => {
  const sent = (etag: string) => ({ headers: { "if-match": etag } });

  it("lets a change through that was made for this version, and no other: 412", async () => {
    const { id } = await made();
    expect((await change(h, id, { content: "First." }, MINE, sent('"2"'))).status).toBe(412);
    expect((await change(h, id, { content: "First." }, MINE, sent('"1"'))).status).toBe(200);
    const stale = await change(h, id, { content: "Second." }, MINE, sent('"1"'));
    expect([stale.status, stale.json.code]).toEqual([412, "precondition_failed"]);
    expect((await change(h, id, { content: "Third." }, MINE, sent("*"))).status).toBe(200);
    expect((await change(h, id, { content: "Fourth." }, MINE, sent("nonsense"))).status).toBe(412);
  });

  it("of two changes at the same moment with it, one is made: the other gets 412", async () => {
    const { id } = await made();
    const request = sent('"1"');
    let first: number | undefined;
    interruption.beforeBatch(2, async () => {
      first = (await change(h, id, { content: `Came first.` }, MINE, request)).status;
    });
    const late = await change(h, id, { content: `Came last.` }, MINE, request);
    expect([first, late.status]).toEqual([200, 412]);
    expect((await get(h, id, MINE)).json).toMatchObject({ content: `Came first.`, version: 2 });
    expect(await auditOf(id, "memory.revised")).toHaveLength(1);
    expect(
      await rows("select version from memory_versions where memory_id = (select id from memories where public_id = ?)", id),
    ).toEqual([{ version: 1 }]);
  });

  it("does not take the change of another memory for one of this: words that were taken are free again", async () => {
    const { id } = await made();
    const other = await made({ content: "These words are taken." });
    interruption.afterBatch(2, () => forgetOne(h, other.id, MINE));
    const { status, json } = await change(h, id, { content: "These words are taken." }, MINE, sent('"1"'));
    expect(interruption.isPending()).toBe(false);
    expect([status, json.version]).toEqual([200, 2]);
  });

  it("of two changes at the same moment without it, one comes after the other", async () => {
    const { id } = await made();
    interruption.beforeBatch(2, () => change(h, id, { metadata: { came: "first" } }, MINE));
    expect((await change(h, id, { content: "Came last." }, MINE)).status).toBe(200);
    expect((await get(h, id, MINE)).json).toMatchObject({ content: "Came last.", metadata: { came: "first" }, version: 3 });
    expect(await auditOf(id, "memory.revised")).toHaveLength(2);
  });

  it("of many changes at once, each that was made has one audit row and one version", async () => {
    const { id } = await made();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => change(h, id, { content: `Voice ${i}.` }, MINE)));
    const done = answers.filter(({ status }) => status === 200);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await auditOf(id, "memory.revised")).toHaveLength(done.length);
    expect((await get(h, id, MINE)).json.version).toBe(1 + done.length);
  });

  it("a change and a forgetting at the same moment leave nothing half done", async () => {
    const { id } = await made();
    interruption.beforeBatch(2, () => forgetOne(h, id, MINE));
    expect((await change(h, id, { content: "Too late." }, MINE)).status).toBe(404);
    expect(await auditOf(id, "memory.revised")).toEqual([]);
    expect(await rows("select 1 from memory_fts where rowid = (select id from memories where public_id = ?)", id)).toEqual([]);
    const other = await made();
    interruption.beforeBatch(2, () => forgetOne(h, other.id, MINE));
    expect((await forgetOne(h, other.id, MINE)).status).toBe(404);
    expect(await auditOf(other.id, "memory.forgotten")).toHaveLength(1);
  });
});

describe("history", () => {
  const versionsFor = async (id: string, place: string) =>
    (await pastOf(h, id, place)).json.versions.map(({ content }) => content);

  it("shows nobody a version that they could not have seen", async () => {
    const [ann, ben] = [await personOf(h, "ann"), await personOf(h, "ben")];
    const { id } = await made({ content: "Ben is ill.", subjects: [ben], sensitivity: "sensitive", sessionId: "club" });
    await change(h, id, { content: "Ben is away.", sensitivity: "personal" }, `${MINE}&sessionId=club`);
    await change(h, id, { content: "Ann is away.", subjects: [ann] }, `${MINE}&sessionId=club`);
    await change(h, id, { content: "Somebody is away.", subjects: [], sensitivity: "public" }, `${MINE}&sessionId=club`);
    const all = ["Ann is away.", "Ben is away.", "Ben is ill."];
    expect(await versionsFor(id, "userId=ben&sessionId=club")).toEqual(all);
    await group(h, "club", ["ann"]);
    expect(await versionsFor(id, "userId=ann&sessionId=club")).toEqual(["Ann is away."]);
    await group(h, "club", ["ann", "ben"]);
  });

  it("hides of a private version in a group what was learned elsewhere", async () => {
    const ann = await personOf(h, "ann");
    const { id } = await made({ content: "I am ill.", key: "health", sensitivity: "sensitive", subjects: [ann] });
    const shown = {
      userId: "ann",
      key: "health",
      content: "I am well.",
      sensitivity: "public",
      learnedIn: { sessionId: "club" },
    };
    expect((await add(h, shown)).json.id).toBe(id);
    expect(await versionsFor(id, MINE)).toEqual(["I am ill."]);
    expect((await get(h, id, `${MINE}&sessionId=club`)).status).toBe(200);
    expect(await versionsFor(id, `${MINE}&sessionId=club`)).toEqual([]);
  });

  it("hides versions that waited for review, and those of another workspace", async () => {
    const { id } = await made({ content: "Lives somewhere.", key: "address" });
    await change(h, id, { workspaceId: "w1" }, MINE);
    await change(h, id, { workspaceId: null, content: "Lives elsewhere." }, `${MINE}&workspaceId=w1`);
    expect(await versionsFor(id, MINE)).toEqual(["Lives somewhere."]);
    expect(await versionsFor(id, `${MINE}&workspaceId=w1`)).toEqual(["Lives somewhere.", "Lives somewhere."]);
    await change(h, id, { content: "Her passport number is C01X00T47." }, MINE);
    await add(h, { userId: "ann", key: "address", content: "Lives at home." });
    expect(await versionsFor(id, MINE)).toEqual(["Lives elsewhere.", "Lives somewhere."]);
  });

  it("is not there for a user who may not see the memory", async () => {
    const { id } = await made();
    expect((await pastOf(h, id, "userId=ben")).status).toBe(404);
    expect((await pastOf(h, "nonsense", MINE)).status).toBe(404);
  });
});

describe("what is forgotten", () => {
  it("leaves every read at once, its words the text index, its vector the index by a job, and comes back whole", async () => {
    const { id } = await made({ content: "Keeps a heron.", metadata: { a: 1 } });
    await settle();
    expect((await forgetOne(h, id, MINE)).status).toBe(200);
    const isFound = async () =>
      (await find(h, "heron", { userId: "ann", kinds: ["memory"] })).json.hits.some((hit) => hit.id === id);
    expect([(await get(h, id, MINE)).status, (await pastOf(h, id, MINE)).status, (await forgetOne(h, id, MINE)).status]).toEqual([
      404, 404, 404,
    ]);
    expect(contentsOf(await list(h, `${MINE}&text=heron`))).toEqual([]);
    expect(await isFound()).toBe(false);
    await settle();
    expect((await restoreOne(h, id, MINE)).status).toBe(204);
    await settle();
    expect((await get(h, id, MINE)).json).toMatchObject({
      content: "Keeps a heron.",
      metadata: { a: 1 },
      indexed: { vector: true },
    });
    expect(contentsOf(await list(h, `${MINE}&text=heron`))).toEqual(["Keeps a heron."]);
    expect(await isFound()).toBe(true);
    expect((await restoreOne(h, id, MINE)).status).toBe(404);
  });

  it("does not come back where its words or its key are again", async () => {
    const cases = [
      [{ content: "Has a boat." }, { content: "has a boat" }],
      [{ content: "Has a car." }, { content: "Has a car.", key: "car" }],
      [{ content: "Has a sled.", key: "sled" }, { content: "Has a sled." }],
      [
        { content: "Has a bike.", key: "bike" },
        { content: "Has two bikes.", key: "bike" },
      ],
    ] as const;
    for (const [old, again] of cases) {
      const { id } = await made(old);
      await forgetOne(h, id, MINE);
      expect((await made(again)).id).not.toBe(id);
      const refused = await restoreOne(h, id, MINE);
      expect([refused.status, refused.json.code], old.content).toEqual([409, "conflict"]);
      expect((await get(h, id, MINE)).status).toBe(404);
    }
    const { id } = await made({ content: "Has a kite.", key: "kite:1" });
    await forgetOne(h, id, MINE);
    await made({ content: "Has a kite.", key: "kite:2" });
    expect((await restoreOne(h, id, MINE)).status).toBe(204);
  });

  it("does not come back when it has expired (409) or was purged (404)", async () => {
    const { id } = await made({ type: "observation" });
    await forgetOne(h, id, MINE);
    skipMs = 4 * DAY_MS;
    expect((await restoreOne(h, id, MINE)).status).toBe(409);
    skipMs = 0;
    await rows("delete from memories where public_id = ?", id);
    expect((await restoreOne(h, id, MINE)).status).toBe(404);
  });

  it("comes back as history if it was replaced", async () => {
    const old = await made();
    const heir = await add(h, { userId: "ann", content: "Sings no more.", supersedes: old.id });
    expect((await forgetOne(h, old.id, MINE)).status).toBe(200);
    expect((await pastOf(h, heir.json.id, MINE)).json.supersedes).toEqual([]);
    expect((await add(h, { userId: "ann", content: old.content })).status).toBe(201);
    expect((await restoreOne(h, old.id, MINE)).status).toBe(204);
    expect((await pastOf(h, heir.json.id, MINE)).json.supersedes.map(({ id }) => id)).toEqual([old.id]);
    expect((await get(h, old.id, MINE)).status).toBe(404);
  });
});
