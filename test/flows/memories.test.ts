import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { add, addAll, contentsOf, fieldsOf, get, group, list, personOf, rejectOne } from "./memory-requests.ts";
import { nth, rows } from "./requests.ts";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-03-01T09:00:00Z");

let skipMs = 0;
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ now: () => START + skipMs, log: () => undefined }) });
  await group(h, "club", ["ann", "ben"]);
  await group(h, "team", ["ann", "cat"]);
});

const iso = (millis: number) => new Date(millis).toISOString();
const ann = (body: Record<string, unknown>) => ({ userId: "ann", ...body });

describe("a type", () => {
  it.each([
    ["preference", "factual", null],
    ["identity", "factual", null],
    ["relationship", "factual", null],
    ["knowledge", "semantic", null],
    ["procedural", "procedural", null],
    ["context", "episodic", 7],
    ["event", "episodic", 30],
    ["task", "episodic", 14],
    ["observation", "episodic", 3],
  ])("%s is %s and lives %s days", async (type, cls, days) => {
    const { status, json } = await add(h, ann({ content: `The lighthouse is a ${type}.`, type }));
    expect([status, json.type, json.class, json.created]).toEqual([201, type, cls, true]);
    expect(json.expiresAt).toBe(days === null ? null : iso(START + days * DAY_MS));
  });

  it("is knowledge when none is named", async () => {
    expect((await add(h, ann({ content: "The tide is high at noon." }))).json).toMatchObject({
      type: "knowledge",
      class: "semantic",
      expiresAt: null,
    });
  });

  it("gives way to an expiry of its own, and null is for ever", async () => {
    const until = await add(h, ann({ content: "The bridge is closed.", type: "task", expiresAt: "2026-03-02T00:00:00Z" }));
    expect(until.json.expiresAt).toBe("2026-03-02T00:00:00.000Z");
    const ever = await add(h, ann({ content: "The ferry is running.", type: "task", expiresAt: null }));
    expect(ever.json.expiresAt).toBeNull();
  });

  it("ends with its life: no read shows it then", async () => {
    const { json } = await add(h, ann({ content: "The kettle is on.", type: "observation" }));
    skipMs = 3 * DAY_MS - 1;
    expect((await get(h, json.id, "userId=ann")).status).toBe(200);
    skipMs = 3 * DAY_MS;
    expect((await get(h, json.id, "userId=ann")).status).toBe(404);
    expect(contentsOf(await list(h, "userId=ann&limit=100"))).not.toContain("The kettle is on.");
    skipMs = 0;
  });
});

describe("a home", () => {
  it("is the user's own, a group's, or everybody's", async () => {
    const personal = await add(h, ann({ content: "Keeps bees." }));
    const named = await add(h, { content: "Keeps hens.", ownerId: "ann" });
    const club = await add(h, ann({ content: "Meets on Tuesdays.", sessionId: "club" }));
    const shared = await add(h, { content: "The office closes at six.", shared: true });
    expect([personal, named, club, shared].map(({ json }) => [json.ownership, json.ownerId, json.sessionId])).toEqual([
      ["personal", "ann", null],
      ["personal", "ann", null],
      ["group", null, "club"],
      ["shared", null, null],
    ]);
    expect((await get(h, personal.json.id, "userId=ben")).status).toBe(404);
    expect((await get(h, club.json.id, "userId=ben&sessionId=club")).status).toBe(200);
    expect((await get(h, shared.json.id, "userId=zoe")).status).toBe(404);
    await h.fetch("PUT", "/v1/users/zoe");
    expect((await get(h, shared.json.id, "userId=zoe")).status).toBe(200);
  });

  const homes = [
    { ownerId: "ann", sessionId: "club" },
    { ownerId: "ann", shared: true },
    { sessionId: "club", shared: true },
  ];
  it.each(homes)("is one of the three: %j", async (home) => {
    const answer = await add(h, { content: "Lives nowhere.", ...home });
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ["sessionId" in home ? "sessionId" : "shared"]]);
  });

  it("is one of the three in the table too", async () => {
    const insert = (ownership: string, owner: number | null, session: number | null, sensitivity: string | null = null) =>
      env.DB.prepare(`
        insert into memories (public_id, tenant_id, space_id, ownership, owner_id, session_id, type, content, key, hash, workspace_id,
          confidence, sensitivity, status, metadata, learned_at, valid_from, last_seen_at, created_at, updated_at)
        values (?, 0, 0, ?, ?, ?, 'knowledge', 'x', '', ?, '', 1, ?, 'approved', '{}', 0, 0, 0, 0, 0)`)
        .bind(crypto.randomUUID(), ownership, owner, session, crypto.randomUUID(), sensitivity)
        .run();
    const wrong = [
      ["personal", 1, 1],
      ["personal", null, null],
      ["group", 1, 1],
      ["group", null, null],
      ["shared", 1, null],
      ["shared", null, 1],
      ["other", 1, null],
    ] as const;
    for (const [ownership, owner, session] of wrong)
      await expect(insert(ownership, owner, session), `${ownership} ${owner} ${session}`).rejects.toThrow("CHECK");
    await expect(insert("shared", null, null, "personal")).rejects.toThrow("CHECK");
    await insert("shared", null, null);
  });

  it("keeps everything that is said of the memory", async () => {
    const bob = await personOf(h, "bob");
    const said = {
      content: "  Bob's boat is red  ",
      workspaceId: "w1",
      scopeType: "track",
      scopeId: "t1",
      confidence: 0.75,
      sensitivity: "personal",
      portable: false,
      pinned: true,
      metadata: { from: "a letter", pages: [1, 2] },
      key: "boat:colour",
      subjects: [bob],
      validFrom: "2020-05-01T00:00:00.000Z",
    };
    const { json } = await add(h, ann(said));
    const expected = { ...said, content: "Bob's boat is red", version: 1, status: "approved", seen: { count: 1 } };
    expect(json).toMatchObject(expected);
    const { json: read } = await get(h, json.id, "userId=ann&workspaceId=w1");
    expect({ ...read, created: true }).toEqual(json);
    expect((await get(h, json.id, "userId=ann")).status).toBe(404);
  });

  it("has its speaker for a subject when they speak of themselves, and nobody else's words have", async () => {
    const me = await personOf(h, "ann");
    const ben = await personOf(h, "ben");
    const subjectsOf = async (body: Record<string, unknown>) => (await add(h, ann(body))).json.subjects;
    expect(await subjectsOf({ content: "I row on Sundays" })).toEqual([me]);
    expect(await subjectsOf({ content: "Ich rudere samstags" })).toEqual([me]);
    expect(await subjectsOf({ content: "likes strong tea", type: "preference" })).toEqual([me]);
    expect(await subjectsOf({ content: "I row on Mondays", sessionId: "club" })).toEqual([me]);
    expect(await subjectsOf({ content: "The river rises in March" })).toEqual([]);
    expect(await subjectsOf({ content: "I row on Fridays", subjects: [] })).toEqual([]);
    expect(await subjectsOf({ content: "I row on Thursdays", statedBy: ben, learnedIn: { sessionId: "club" } })).toEqual([]);
  });
});

describe("the same words", () => {
  const base = { userId: "dora", content: "Likes the sea." };

  it("are said again, not stored again: counted, with the higher confidence, and of privacy the stricter", async () => {
    const first = await add(h, { ...base, confidence: 0.7 });
    const second = await add(h, {
      ...base,
      content: "  likes   THE sea",
      confidence: 0.9,
      sensitivity: "personal",
      portable: false,
    });
    const third = await add(h, { ...base, confidence: 0.65, pinned: true });
    expect([first.status, second.status, third.status]).toEqual([201, 200, 200]);
    expect([first.json.created, second.json.created, third.json.created]).toEqual([true, false, false]);
    expect(new Set([first.json.id, second.json.id, third.json.id]).size).toBe(1);
    expect(third.json).toMatchObject({
      content: "Likes the sea.",
      confidence: 0.9,
      sensitivity: "personal",
      portable: false,
      pinned: true,
      seen: { count: 3 },
    });
    expect(await rows("select seen_count as n from memories where public_id = ?", first.json.id)).toEqual([{ n: 3 }]);
  });

  it("get the life of their type anew, and never a shorter one", async () => {
    const words = { userId: "dora", content: "The hall is booked.", type: "event" };
    const { json } = await add(h, words);
    skipMs = 10 * DAY_MS;
    expect((await add(h, words)).json.expiresAt).toBe(iso(START + 40 * DAY_MS));
    expect((await add(h, { ...words, expiresAt: "2026-03-20T00:00:00Z" })).json.expiresAt).toBe(iso(START + 40 * DAY_MS));
    expect((await add(h, { ...words, expiresAt: null })).json).toMatchObject({ id: json.id, expiresAt: null });
    skipMs = 0;
  });

  it("in another scope, workspace, type, home or tenant are another memory", async () => {
    const other = await createHarness();
    const ids = [
      await add(h, { ...base, type: "preference" }),
      await add(h, { ...base, workspaceId: "w1" }),
      await add(h, { ...base, scopeType: "track" }),
      await add(h, { ...base, scopeType: "track", scopeId: "1" }),
      await add(h, { ...base, scopeType: "track", scopeId: "2" }),
      await add(h, { ...base, userId: "ann" }),
      await add(h, { ...base, userId: "ann", sessionId: "club" }),
      await add(h, { ...base, userId: "ann", sessionId: "team" }),
      await add(h, { content: base.content, shared: true }),
      await add(other, base),
    ].map(({ status, json }) => [status, json.id]);
    expect(ids.map(([status]) => status)).toEqual(ids.map(() => 201));
    expect(new Set(ids.map(([, id]) => id)).size).toBe(ids.length);
    expect((await add(h, { ...base, scopeType: "global" })).status).toBe(200);
  });

  it("stay rejected once a person has rejected them, by whatever name they come", async () => {
    const words = { userId: "dora", content: "Owes the baker money." };
    const { json } = await add(h, { ...words, confidence: 0.3 });
    await rejectOne(h, json.id, { userId: "dora" });
    const before = await rows("select * from memories where public_id = ?", json.id);
    const audited = await rows("select count(*) as n from audit");
    for (const again of [words, { ...words, key: "debt" }, { ...words, confidence: 1, pinned: true }]) {
      const answer = await add(h, again);
      expect([answer.status, answer.json.id, answer.json.status, answer.json.created]).toEqual([200, json.id, "rejected", false]);
    }
    expect(await rows("select * from memories where public_id = ?", json.id)).toEqual(before);
    expect(await rows("select count(*) as n from audit")).toEqual(audited);
    await add(h, { userId: "dora", key: "debt", content: "Owes nobody anything." });
    expect((await add(h, { ...words, key: "debt" })).json).toMatchObject({ id: json.id, status: "rejected" });
    expect(contentsOf(await list(h, "userId=dora&key=debt"))).toEqual(["Owes nobody anything."]);
  });

  it("come out of review when they are said again with confidence", async () => {
    const words = { userId: "dora", content: "Plays the harp." };
    const { json } = await add(h, { ...words, confidence: 0.5 });
    expect((await get(h, json.id, "userId=dora")).status).toBe(404);
    expect((await add(h, { ...words, confidence: 0.55 })).json).toMatchObject({ id: json.id, status: "pending" });
    expect((await add(h, words)).json).toMatchObject({ id: json.id, status: "approved", created: false, seen: { count: 3 } });
    expect((await get(h, json.id, "userId=dora")).status).toBe(200);
  });

  it("come out of review by nobody's saying when it is what they hold that a person must look at", async () => {
    const words = { userId: "dora", content: "Her passport number is C01X00T47." };
    const { json } = await add(h, words);
    expect([json.status, json.piiRisk]).toEqual(["pending", 3]);
    expect((await add(h, words)).json).toMatchObject({ id: json.id, status: "pending" });
  });

  it("two hundred times at once are one memory, made once", async () => {
    const words = { userId: "crowd", content: "The crowd says the same." };
    await h.fetch("PUT", "/v1/users/crowd");
    const answers = await Promise.all(Array.from({ length: 200 }, () => add(h, words)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ json }) => json.created)).toHaveLength(1);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(await rows("select count(*) as n, seen_count as seen from memories where content = ?", words.content)).toEqual([
      { n: 1, seen: 200 },
    ]);
    expect(
      await rows("select count(*) as n from memory_fts where rowid = (select id from memories where content = ?)", words.content),
    ).toEqual([{ n: 1 }]);
  });

  it("twice in one call are one memory, which is returned for each, with the strictest privacy", async () => {
    const { status, json } = await addAll(
      h,
      [
        "Paints boats.",
        { content: "Paints boats", sensitivity: "personal", confidence: 0.4 },
        "Sails.",
        { content: "paints boats", portable: false },
      ],
      { userId: "dora" },
    );
    expect([status, json.items.map(({ created }) => created)]).toEqual([201, [true, false, true, false]]);
    expect(new Set(json.items.map(({ id }) => id)).size).toBe(2);
    const stored = await get(h, nth(json.items, 0).id, "userId=dora");
    expect(stored.json).toMatchObject({ sensitivity: "personal", portable: false, confidence: 1, seen: { count: 3 } });
    expect(json.items[3]).toMatchObject({ sensitivity: "personal", seen: { count: 3 } });
    const again = await addAll(h, ["Sails.", "Sails", "sails"], { userId: "dora" });
    expect([again.status, nth(again.json.items, 2).seen.count]).toEqual([200, 4]);
  });
});
