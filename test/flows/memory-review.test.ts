import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import {
  add,
  addAll,
  approveOne,
  change,
  contentsOf,
  fieldsOf,
  forgetOne,
  get,
  group,
  list,
  pastOf,
  personOf,
  queue,
  rejectOne,
} from "./memory-requests.ts";
import { find, nth, rows } from "./requests.ts";

const START = Date.parse("2026-03-01T09:00:00Z");
const DAY_MS = 86_400_000;

let skipMs = 0;
let h: Harness;
/** A key without the permission admin. */
let plain: string;
const interruption = createInterruption();
beforeAll(async () => {
  h = await createHarness({
    replace: ({ db }) => ({
      now: () => START + skipMs,
      log: () => undefined,
      db: interruption.in(db),
    }),
  });
  plain = await h.as(["read", "write"]);
  await group(h, "club", ["ann", "ben"]);
});
beforeEach(() => {
  skipMs = 0;
  interruption.cancel();
});

let number = 0;
/** A memory that waits. */
const waiting = async (extra: object = {}) => {
  number += 1;
  return (await add(h, { userId: "ann", content: `Perhaps hums tune ${number}.`, confidence: 0.3, ...extra })).json;
};
const MINE = { userId: "ann" };
const auditOf = (id: string) => rows("select action from audit where object_id = ? order by seq", id);

describe("what waits for a person", () => {
  it.each([
    ["The mill is old.", 0.6, "approved", 0],
    ["The mill is new.", 0.59, "pending", 0],
    ["Write to anna.lind@example.org.", 1, "approved", 1],
    ["Write to anna.lind@example.org or call +44 20 7946 0958.", 1, "pending", 2],
    ["Her passport number is C01X00T47.", 1, "pending", 3],
  ])("%s, with confidence %d, is %s", async (content, confidence, status, piiRisk) => {
    expect((await add(h, { userId: "judge", content, confidence })).json).toMatchObject({ status, piiRisk });
  });

  it("is not what holds an identifier when the tenant does not review those", async () => {
    const lax = await createHarness();
    await lax.fetch("PATCH", "/v1/settings", { body: { piiReview: false } });
    const sure = await add(lax, { userId: "ann", content: "Her passport number is C01X00T47." });
    expect(sure.json).toMatchObject({ status: "approved", piiRisk: 3 });
    expect((await add(lax, { userId: "ann", content: "Perhaps sings.", confidence: 0.2 })).json.status).toBe("pending");
  });

  it("is in no read but the queue", async () => {
    const ann = await personOf(h, "ann");
    const memory = await waiting({ content: "Perhaps keeps a heron.", subjects: [ann] });
    const place = "userId=ann";
    for (const query of [place, `${place}&person=${ann}`, `${place}&text=heron`, `${place}&asOf=2199-01-01T00:00:00Z`]) {
      const page = await list(h, `${query}&limit=100&stats=true`);
      expect(contentsOf(page)).not.toContain(memory.content);
      expect(page.json.stats?.total).toBe(page.json.items.length);
    }
    const people = await h.fetch("GET", `/v1/people/${ann}/memories?userId=ann&limit=100`);
    expect(people.text).not.toContain("heron");
    expect((await get(h, memory.id, place)).status).toBe(404);
    expect((await pastOf(h, memory.id, place)).status).toBe(404);
    expect((await change(h, memory.id, { content: "x" }, place)).status).toBe(404);
    skipMs = 10_000;
    await h.settle();
    for (const strategy of ["hybrid", "recent"]) {
      const found = await find(h, "Perhaps keeps a heron.", { userId: "ann", strategy, kinds: ["memory"], limit: 100 });
      expect(found.text).not.toContain("heron");
    }
    expect(contentsOf(await queue(h, place))).toContain("Perhaps keeps a heron.");
  });
});

describe("the queue", () => {
  it("is the owner's own, page by page; the whole tenant's for a key with admin that names nobody", async () => {
    const other = await createHarness();
    const mine = [];
    for (let i = 0; i < 5; i += 1) mine.unshift((await add(other, { ...MINE, content: `Perhaps ${i}.`, confidence: 0 })).json.id);
    await group(other, "band", ["ann", "ben"]);
    const bands = (await add(other, { ...MINE, sessionId: "band", content: "Perhaps plays.", confidence: 0 })).json.id;
    const shared = (await add(other, { shared: true, content: "Perhaps closed.", confidence: 0 })).json.id;
    const walk = async (query: string) => {
      const seen: string[] = [];
      for (let cursor = ""; seen.length < 50; ) {
        const { json }: Awaited<ReturnType<typeof queue>> = await queue(other, `${query}limit=2${cursor}`);
        seen.push(...json.items.map(({ id }) => id));
        if (json.nextCursor === null) break;
        cursor = `&cursor=${json.nextCursor}`;
      }
      return seen;
    };
    expect(await walk("userId=ann&")).toEqual(mine);
    expect(await walk("userId=ben&")).toEqual([]);
    expect(await walk("")).toEqual([shared, bands, ...mine]);
    const ordinary = await other.as(["read", "write"]);
    expect((await queue(other, "", { key: ordinary })).status).toBe(400);
    const rejected = await queue(other, "status=rejected");
    expect([rejected.status, fieldsOf(rejected)]).toEqual([400, ["userId"]]);
  });
});

describe("approving", () => {
  it("makes the memory one of all reads", async () => {
    const { id, content } = await waiting();
    const { status, json } = await approveOne(h, id, MINE);
    expect([status, json.status, json.version]).toEqual([200, "approved", 2]);
    expect((await get(h, id, "userId=ann")).json).toEqual(json);
    expect(contentsOf(await queue(h, "userId=ann&limit=100"))).not.toContain(content);
    expect(await auditOf(id)).toEqual([{ action: "memory.remembered" }, { action: "memory.approved" }]);
    expect((await approveOne(h, id, MINE)).status).toBe(404);
    expect((await rejectOne(h, id, MINE)).status).toBe(404);
  });

  it("changes first what it names", async () => {
    const bob = await personOf(h, "bob");
    const { id } = await waiting({ metadata: { a: 1 } });
    const edits = { content: "Surely whistles.", type: "preference", subjects: [bob], metadata: { b: 2 }, confidence: 0.9 };
    const { json } = await approveOne(h, id, { ...MINE, ...edits });
    expect(json).toMatchObject({ ...edits, metadata: { a: 1, b: 2 }, status: "approved" });
    expect(contentsOf(await list(h, "userId=ann&text=whistles"))).toEqual(["Surely whistles."]);
    expect((await pastOf(h, id, "userId=ann")).json.versions).toEqual([]);
  });

  it("refuses edits that break a rule, and approves nothing then", async () => {
    const { id } = await waiting();
    for (const [edits, path] of [
      [{ content: "The password is hunter2hunter2" }, "content"],
      [{ type: "opinion" }, "type"],
      [{ expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
      [{ subjects: ["per_01a1f92c-720b-7527-9cd5-76463f8b4abc"] }, "subjects[0]"],
    ] as const) {
      const answer = await approveOne(h, id, { ...MINE, ...edits });
      expect([answer.status, fieldsOf(answer)]).toEqual([422, [path]]);
    }
    const shared = (await add(h, { shared: true, content: "Perhaps open.", confidence: 0 })).json;
    const personal = await approveOne(h, shared.id, { sensitivity: "personal" });
    expect([personal.status, fieldsOf(personal)]).toEqual([422, ["sensitivity"]]);
    expect(await auditOf(id)).toHaveLength(1);
  });

  it("refuses words and keys that are there", async () => {
    await add(h, { ...MINE, content: "Hums softly.", key: "hum" });
    const there = await add(h, { ...MINE, content: "Hums loudly." });
    const { id } = await waiting();
    expect((await approveOne(h, id, { ...MINE, key: "hum" })).status).toBe(409);
    expect((await approveOne(h, id, { ...MINE, content: there.json.content })).status).toBe(409);
    expect(await auditOf(id)).toHaveLength(1);
  });

  it("of what has expired needs a later end", async () => {
    const { id } = await waiting({ type: "observation" });
    skipMs = 4 * DAY_MS;
    expect((await approveOne(h, id, MINE)).status).toBe(409);
    expect((await approveOne(h, id, { ...MINE, expiresAt: null })).json).toMatchObject({ status: "approved", expiresAt: null });
  });

  it("brings back what was rejected", async () => {
    const { id, content } = await waiting();
    expect((await rejectOne(h, id, MINE)).json.status).toBe("rejected");
    expect(contentsOf(await queue(h, "userId=ann&limit=100"))).not.toContain(content);
    expect(contentsOf(await queue(h, "userId=ann&status=rejected&limit=100"))).toContain(content);
    expect((await approveOne(h, id, MINE)).json.status).toBe("approved");
  });

  it("is not for what was replaced meanwhile", async () => {
    const { id } = await waiting();
    await rows("update memories set superseded_by = 1 where public_id = ?", id);
    expect((await approveOne(h, id, MINE)).status).toBe(404);
    expect((await queue(h, "userId=ann&limit=100")).text).not.toContain(id);
  });
});

describe("rejecting", () => {
  it("takes the memory out of the queue, once", async () => {
    const { id } = await waiting();
    expect((await rejectOne(h, id, MINE)).json).toMatchObject({ status: "rejected", version: 2 });
    expect((await rejectOne(h, id, MINE)).json).toMatchObject({ status: "rejected", version: 2 });
    expect(await auditOf(id)).toEqual([{ action: "memory.remembered" }, { action: "memory.rejected" }]);
    expect((await get(h, id, "userId=ann")).status).toBe(404);
  });
});

describe("many at once", () => {
  const reviewAll = (decisions: object[], extra: object = MINE, key = h.key) =>
    h.fetch<{ items: { id: string; outcome: string; problem?: { code: string; detail: string } }[] }>(
      "POST",
      "/v1/memories/review",
      { body: { ...extra, decisions }, key },
    );

  it("are decided each by itself", async () => {
    const [a, b, c, d] = [await waiting(), await waiting(), await waiting(), await waiting()];
    const bens = (await add(h, { userId: "ben", content: "Perhaps bets.", confidence: 0 })).json;
    const { status, json } = await reviewAll(
      [
        { id: a.id, action: "approve", content: "Surely hums." },
        { id: b.id, action: "reject" },
        { id: c.id, action: "approve", content: "The password is hunter2hunter2" },
        { id: "nonsense", action: "approve" },
        { id: a.id, action: "reject" },
        { id: bens.id, action: "approve" },
        { id: d.id, action: "approve", content: "surely hums" },
      ],
      MINE,
      plain,
    );
    expect(status).toBe(200);
    expect(json.items.map(({ outcome, problem }) => [outcome, problem?.code])).toEqual([
      ["approved", undefined],
      ["rejected", undefined],
      ["refused", "unprocessable"],
      ["refused", "not_found"],
      ["refused", "not_found"],
      ["refused", "not_found"],
      ["refused", "conflict"],
    ]);
    expect(nth(json.items, 2).problem?.detail).toContain("content: ");
    const statuses = await Promise.all([a, b, c, d].map(({ id }) => rows("select status from memories where public_id = ?", id)));
    expect(statuses.flat().map((row) => row.status)).toEqual(["approved", "rejected", "pending", "pending"]);
    expect(await auditOf(a.id)).toHaveLength(2);
    expect(await auditOf(d.id)).toHaveLength(1);
  });

  it("are fifty in one call, and no more", async () => {
    const { json } = await addAll(
      h,
      Array.from({ length: 50 }, (_, i) => ({ content: `Perhaps counts ${i}.`, confidence: 0 })),
      MINE,
    );
    const decisions = json.items.map(({ id }) => ({ id, action: "approve" }));
    const answer = await reviewAll(decisions);
    expect(new Set(answer.json.items.map(({ outcome }) => outcome))).toEqual(new Set(["approved"]));
    expect((await reviewAll([...decisions, nth(decisions, 0)])).status).toBe(400);
  });

  it("lose a race each for itself", async () => {
    const all: { id: string }[] = [];
    for (let i = 0; i < 7; i += 1) all.push(await waiting());
    interruption.beforeBatch(2, () => forgetOne(h, nth(all, 3).id, "userId=ann"));
    const { json } = await reviewAll(all.map(({ id }) => ({ id, action: "approve" })));
    expect(json.items.map(({ outcome }) => outcome)).toEqual(all.map((_, i) => (i === 3 ? "refused" : "approved")));
    expect(nth(json.items, 3).problem?.code).toBe("conflict");
    for (const { id } of all) expect(await auditOf(id)).toHaveLength(2);
  });
});

describe("two who decide at the same moment", () => {
  it.each([
    ["approve", "reject"],
    ["reject", "approve"],
    ["approve", "approve"],
  ])("%s and %s: the first is done, the other is told", async (first, second) => {
    const { id } = await waiting();
    const decide = (action: string) => (action === "approve" ? approveOne(h, id, MINE) : rejectOne(h, id, MINE));
    let early: number | undefined;
    interruption.beforeBatch(2, async () => {
      early = (await decide(first)).status;
    });
    const late = await decide(second);
    expect([early, late.status]).toEqual([200, 409]);
    expect(await auditOf(id)).toHaveLength(2);
  });
});
