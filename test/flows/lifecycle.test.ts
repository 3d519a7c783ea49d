import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { type Evictable, evictionOrder, runLifecycle } from "#domain/lifecycle";
import { MEMORY_TYPES } from "#domain/memories";
import { createHarness, type Harness } from "#test/harness";
import { aroundBatches } from "#test/interruption";
import { seeded } from "#test/vectors";
import { find, history, nth, rows, say, textsOf } from "./requests.ts";
import { audited, DAY, everything, memoriesOf, plant, remember, run } from "./upkeep-rows.ts";

let skipMs = 0;
let h: Harness;
beforeEach(async () => {
  skipMs = 0;
  h = await createHarness({ replace: (): Partial<Services> => ({ now: () => Date.now() + skipMs, log: () => undefined }) });
});

const setting = async (change: Record<string, unknown>) =>
  expect((await h.fetch("PATCH", "/v1/settings", { body: change })).status).toBe(200);
const set = (id: string, assign: string) => rows(`update memories set ${assign} where public_id = ?`, id);
const stateOf = async (id: string) =>
  nth(
    await rows<{ because: string | null; words: number; vector: string | null }>(
      `select deleted_because as because, exists (select 1 from memory_fts_docsize d where d.id = memories.id) as words,
        vector_model as vector from memories where public_id = ?`,
      id,
    ),
    0,
  );

describe("expire", () => {
  it("forgets what has expired, to the millisecond, pinned or not, with its words at once and its vector by a job", async () => {
    const [over, pinned, later] = [
      await remember(h, "over"),
      await remember(h, "pinned", { pinned: true }),
      await remember(h, "later"),
    ];
    await h.settle();
    const now = Date.now();
    await set(over, `expires_at = ${now - 1}`);
    await set(pinned, "expires_at = 5");
    await set(later, `expires_at = ${now + 60_000}`);
    expect(await run(h, ["expire"])).toMatchObject({ expire: { done: 2, remaining: false, counts: { memories: 2 } } });
    expect([await stateOf(over), await stateOf(pinned)]).toEqual(Array(2).fill({ because: "expired", words: 0, vector: null }));
    expect(await stateOf(later)).toMatchObject({ because: null, words: 1 });
    const [removal] = await rows<{ kind: string }>(
      "select kind from jobs where tenant_id = ? and status = 'pending'",
      h.tenantId,
    );
    expect(removal?.kind).toBe("memories.remove");
    await h.settle();
    expect(await audited(h, "upkeep.%")).toEqual([{ action: "upkeep.expired", detail: '{"memories":2}', actor: "key" }]);
    expect((await run(h, ["expire"])).expire).toMatchObject({ done: 0, remaining: false });
    expect(await audited(h, "upkeep.%")).toHaveLength(1);
  });

  it("takes the longest expired first, no more than the limit, and goes on in the next run", async () => {
    await plant(h, "ann", 5, "expires_at = 100 + id");
    expect((await run(h, ["expire"], { limit: 3 })).expire).toMatchObject({ done: 3, remaining: true });
    const left = await rows<{ content: string }>(
      "select content from memories where tenant_id = ? and deleted_at is null",
      h.tenantId,
    );
    expect(left.map(({ content }) => content)).toEqual(["planted 4", "planted 5"]);
    expect((await run(h, ["expire"], { limit: 3 })).expire).toMatchObject({ done: 2, remaining: false });
  });

  it("leaves what was said again between the look and the deletion", async () => {
    const id = await remember(h, "water the plants", { type: "task" });
    await set(id, "expires_at = 5");
    const services = h.services();
    const ctx = {
      ...services,
      tenantId: h.tenantId,
      actor: { kind: "system" as const, id: "test" },
      requestId: "r",
      idempotent: null,
    };
    const again = aroundBatches(services.db, async (run) => {
      await set(id, `expires_at = ${Date.now() + DAY}`);
      return await run();
    });
    const report = await runLifecycle({ ...ctx, db: again }, { tasks: ["expire"] });
    expect(report.tasks).toMatchObject([{ done: 0, remaining: false }]);
    expect((await stateOf(id)).because).toBeNull();
  });
});

describe("retain", () => {
  const old = `last_seen_at = ${Date.now() - 31 * DAY}`;

  it("forgets what is ephemeral, not pinned and last said before the days are over, though it would live longer", async () => {
    const made = {
      old: await remember(h, "an old task", { type: "task", expiresAt: "2199-01-01T00:00:00Z" }),
      forever: await remember(h, "an old event without an end", { type: "event", expiresAt: null }),
      pinned: await remember(h, "an old pinned task", { type: "task", pinned: true }),
      young: await remember(h, "a young task", { type: "task" }),
      lasting: await remember(h, "an old preference", { type: "preference" }),
    };
    for (const name of ["old", "forever", "pinned", "lasting"] as const) await set(made[name], `${old}, expires_at = null`);
    await set(made.young, `last_seen_at = ${Date.now() - 29 * DAY}`);
    expect((await run(h, ["retain"])).retain).toMatchObject({ done: 2, remaining: false });
    const because = async (id: string) => (await stateOf(id)).because;
    expect([await because(made.old), await because(made.forever)]).toEqual(["retention", "retention"]);
    expect([await because(made.pinned), await because(made.young), await because(made.lasting)]).toEqual([null, null, null]);
    await setting({ retentionDays: 28 });
    expect((await run(h, ["retain"])).retain).toMatchObject({ done: 1 });
    expect(await because(made.young)).toBe("retention");
  });

  it("goes through the spaces of users, groups and the tenant, a bounded part a run, each once", async () => {
    await h.fetch("PUT", "/v1/sessions/club", { body: { userId: "ann", participants: ["ann", "bob"] } });
    await remember(h, "the club meets", { sessionId: "club", type: "event" });
    await h.fetch("POST", "/v1/memories", { body: { content: "closed on Monday", type: "context", shared: true } });
    await plant(h, "bob", 3, "type = 'task'");
    await rows(`update memories set ${old} where tenant_id = ?`, h.tenantId);
    const done: number[] = [];
    for (let remaining = true; remaining; ) {
      const { retain } = await run(h, ["retain"], { limit: 2 });
      done.push(retain?.done ?? 0);
      remaining = retain?.remaining ?? false;
    }
    expect(done.reduce((sum, n) => sum + n, 0)).toBe(5);
    expect(Math.max(...done)).toBe(2);
    expect(await memoriesOf(h)).toEqual({ retention: 5 });
  });

  it("deletes episodes only where the tenant says so, by when they were stored, with words, message ids and vectors", async () => {
    const message = (text: string) => ({ userId: "ann", messages: [{ role: "user", content: text, messageId: text }] });
    for (const text of ["first word", "second word", "third word"]) await say(h, "chat", text, message(text));
    await say(h, "other", "kept word", { userId: "ann" });
    await h.settle();
    await rows(
      `update episodes set created_at = ${Date.now() - 31 * DAY} where messages like '%first%' or messages like '%second%'`,
    );
    expect((await run(h, ["retain"])).retain).toMatchObject({ done: 0, remaining: false });
    await setting({ expireEpisodes: true });
    expect((await run(h, ["retain"], { limit: 1 })).retain).toMatchObject({ done: 1, remaining: true, counts: { episodes: 1 } });
    expect((await run(h, ["retain"], { limit: 5 })).retain).toMatchObject({ done: 1, remaining: false });
    await h.settle();
    expect((await history(h, "chat", "?userId=ann")).json.items.map(({ messages }) => messages[0]?.content)).toEqual([
      "third word",
    ]);
    expect(textsOf(await find(h, "word", { userId: "ann" })).toSorted()).toEqual(["kept word", "third word"]);
    expect(await rows("select message_id from message_keys")).toEqual([{ message_id: "third word" }]);
    expect((await say(h, "chat", "first word", message("first word"))).json.created).toBe(true);
    expect((await audited(h, "upkeep.retained")).map(({ detail }) => detail)).toEqual([
      '{"episodes":1,"messages":1}',
      '{"episodes":1,"messages":1}',
    ]);
  });

  it("deletes what lists are read from with its episodes, and nothing of another session", async () => {
    for (const session of ["old", "new"]) await say(h, session, "packing list: tent, rope", { userId: "ann" });
    const sessions = "select id from sessions where tenant_id = ?";
    await rows(`update episodes set created_at = 5 where session_id = (${sessions} and external_id = 'old')`, h.tenantId);
    await setting({ expireEpisodes: true });
    await run(h, ["retain"]);
    const left = "select s.external_id as id from list_messages l join sessions s on s.id = l.session_id where l.tenant_id = ?";
    expect(await rows(left, h.tenantId)).toEqual([{ id: "new" }]);
  });

  it("counts memories and episodes towards one limit", async () => {
    await plant(h, "ann", 2, "type = 'task', last_seen_at = 7");
    for (let i = 0; i < 4; i += 1) await say(h, "long", `word ${i}`, { userId: "ann" });
    await rows("update episodes set created_at = 5 where tenant_id = ?", h.tenantId);
    await setting({ expireEpisodes: true });
    expect((await run(h, ["retain"], { limit: 3 })).retain).toMatchObject({ done: 3, counts: { memories: 2, episodes: 1 } });
  });

  it("takes more old episodes of one session than it looks at in a step", async () => {
    for (let i = 0; i < 45; i += 1) await say(h, "long", `word ${i}`, { userId: "ann" });
    await rows(`update episodes set created_at = 5 where tenant_id = ? and id % 4194304 < 43`, h.tenantId);
    await setting({ expireEpisodes: true });
    expect((await run(h, ["retain"], { dryRun: true })).retain).toMatchObject({ done: 43, remaining: false });
    expect((await run(h, ["retain"])).retain).toMatchObject({ done: 43, remaining: false });
    expect(await rows("select count(*) as n from episodes where tenant_id = ?", h.tenantId)).toEqual([{ n: 2 }]);
  });
});

describe("cap", () => {
  const contents = async () =>
    (
      await rows<{ content: string }>(
        "select content from memories where tenant_id = ? and deleted_at is null order by id",
        h.tenantId,
      )
    ).map(({ content }) => content);

  it("does nothing without maxEntries, nor in a space that is at its cap", async () => {
    await plant(h, "ann", 4);
    expect((await run(h, ["cap"])).cap).toMatchObject({ done: 0, remaining: false });
    await setting({ maxEntries: 4 });
    expect((await run(h, ["cap"])).cap).toMatchObject({ done: 0, remaining: false });
  });

  it("cuts each space by itself, the lowest value first, and never what is pinned", async () => {
    await plant(h, "ann", 3, "pinned = 1");
    await plant(h, "ann", 2, "type = 'task'");
    await plant(h, "ann", 2);
    await plant(h, "bob", 2);
    await setting({ maxEntries: 4 });
    expect((await run(h, ["cap"])).cap).toMatchObject({ done: 3, remaining: false });
    expect(await contents()).toEqual(["planted 1", "planted 2", "planted 3", "planted 2", "planted 1", "planted 2"]);
    await setting({ maxEntries: 1 });
    expect((await run(h, ["cap"])).cap).toMatchObject({ done: 2, remaining: false });
    expect(await contents()).toEqual(["planted 1", "planted 2", "planted 3", "planted 2"]);
    expect((await run(h, ["cap"])).cap).toMatchObject({ done: 0, remaining: false });
    expect(await memoriesOf(h)).toEqual({ live: 4, cap: 5 });
  });

  it("counts neither history nor what was rejected, but what waits for approval", async () => {
    await plant(h, "ann", 2, "superseded_by = 1, valid_to = 5");
    await plant(h, "ann", 2, "status = 'rejected'");
    await plant(h, "ann", 2, "status = 'pending'");
    await plant(h, "ann", 1);
    await setting({ maxEntries: 2 });
    expect((await run(h, ["cap"])).cap).toMatchObject({ done: 1 });
    expect(await memoriesOf(h)).toEqual({ live: 6, cap: 1 });
  });

  it("cuts a space that is far beyond its cap in steps, to the same end", async () => {
    const random = seeded(11);
    await plant(h, "ann", 60);
    const found = await rows<{ id: number }>("select id from memories where tenant_id = ?", h.tenantId);
    const now = Date.now();
    const memories = found.map(
      ({ id }): Evictable => ({
        id,
        type: nth(MEMORY_TYPES, Math.floor(random() * MEMORY_TYPES.length)),
        pinned: random() < 0.1,
        confidence: Math.round(random() * 4) / 4,
        lastSeenAt: now - Math.floor(random() * 200) * DAY,
        recalledAt: random() < 0.5 ? null : now,
        expiresAt: random() < 0.2 ? now - 1 : null,
      }),
    );
    for (const m of memories) {
      await rows(
        "update memories set type = ?, pinned = ?, confidence = ?, last_seen_at = ?, recalled_at = ?, expires_at = ? where id = ?",
        ...[m.type, m.pinned ? 1 : 0, m.confidence, m.lastSeenAt, m.recalledAt, m.expiresAt, m.id],
      );
    }
    await setting({ maxEntries: 20 });
    const runs: number[] = [];
    for (let remaining = true; remaining; ) {
      const { cap } = await run(h, ["cap"], { limit: 7 });
      runs.push(cap?.done ?? 0);
      remaining = cap?.remaining ?? false;
    }
    const gone = await rows<{ id: number }>(
      "select id from memories where tenant_id = ? and deleted_because = 'cap'",
      h.tenantId,
    );
    const expected = evictionOrder(memories, now).slice(0, 40);
    expect(gone.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
    expect(Math.max(...runs)).toBe(7);
  });

  it("goes on behind a space in which all that is left is pinned", async () => {
    await plant(h, "ann", 5, "pinned = 1");
    await plant(h, "zoe", 5);
    await setting({ maxEntries: 2 });
    expect((await run(h, ["cap"], { limit: 3 })).cap).toMatchObject({ done: 3 });
    expect(await memoriesOf(h)).toEqual({ live: 7, cap: 3 });
  });
});

describe("purge", () => {
  it("removes for good what was forgotten 30 days ago, with versions, subjects, merge edges and words", async () => {
    const gone = await remember(h, "I live in Rome", { key: "home" });
    await remember(h, "I live in Paris", { key: "home" });
    const other = await remember(h, "I never lived in Paris", { contradicts: gone });
    const person = await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "ann", name: "Max" } });
    const duplicate = await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "ann", name: "Maxl" } });
    const about = await remember(h, "Maxl sings", { subjects: [duplicate.json.id] });
    await h.fetch("POST", `/v1/people/${person.json.id}/merge`, { body: { userId: "ann", from: duplicate.json.id } });
    const kept = await remember(h, "kept");
    for (const id of [gone, about, kept]) await h.fetch("DELETE", `/v1/memories/${id}?userId=ann`);
    await h.settle();
    await set(kept, `deleted_at = ${Date.now() - 29 * DAY}`);
    for (const id of [gone, about]) await set(id, `deleted_at = ${Date.now() - 30 * DAY - 1000}`);
    const left = async () => ({
      memories: await memoriesOf(h),
      versions: (await rows("select 1 from memory_versions")).length,
      edges: (await rows("select 1 from person_merge_edges")).length,
      subjects: (
        await rows("select 1 from memory_subjects s where not exists (select 1 from memories m where m.id = s.memory_id)")
      ).length,
    });
    expect(await left()).toMatchObject({ memories: { live: 1, forgotten: 3 }, versions: 1, edges: 1 });
    expect((await run(h, ["purge"])).purge).toMatchObject({ done: 2, remaining: false });
    expect(await left()).toEqual({ memories: { live: 1, forgotten: 1 }, versions: 0, edges: 0, subjects: 0 });
    expect(await rows("select contradicts from memories where public_id = ?", other)).toEqual([{ contradicts: null }]);
    expect((await h.fetch("POST", `/v1/memories/${kept}/restore?userId=ann`)).status).toBeLessThan(300);
    await h.settle();
  });

  it("takes the tenant's own, a limited number a run", async () => {
    const other = await createHarness();
    for (const one of [h, other]) await plant(one, "ann", 5, `deleted_at = ${Date.now() - 40 * DAY}, deleted_because = 'cap'`);
    expect((await run(h, ["purge"], { limit: 3 })).purge).toMatchObject({ done: 3, remaining: true });
    expect((await run(h, ["purge"], { limit: 3 })).purge).toMatchObject({ done: 2, remaining: false });
    expect([await memoriesOf(h), await memoriesOf(other)]).toEqual([{}, { cap: 5 }]);
  });
});

describe("a run by hand", () => {
  it("takes all tasks when none are named, and admits admins only", async () => {
    const { json } = await h.fetch<{ tasks: { task: string }[] }>("POST", "/v1/lifecycle");
    expect(json.tasks.map(({ task }) => task)).toEqual(["expire", "summarize", "retain", "cap", "purge", "repair"]);
    const key = await h.as(["read", "write"]);
    expect((await h.fetch("POST", "/v1/lifecycle", { key })).status).toBe(403);
  });

  it("that is dry reports what a run would do, the same each time, and changes nothing", async () => {
    await setting({ maxEntries: 3, expireEpisodes: true });
    await plant(h, "ann", 5, "expires_at = 7");
    await plant(h, "bob", 5);
    await plant(h, "cid", 2, "type = 'task', last_seen_at = 7");
    await plant(h, "cid", 2, "deleted_at = 7");
    await say(h, "chat", "an old word", { userId: "ann" });
    await rows("update episodes set created_at = 7");
    const before = await everything();
    const dry = () => run(h, ["expire", "retain", "cap", "purge", "repair"], { dryRun: true });
    const shown = await dry();
    expect(Object.values(shown).map(({ done }) => done)).toEqual([5, 3, 4, 2, expect.any(Number)]);
    expect(await dry()).toEqual(shown);
    expect(await everything()).toBe(before);
    const done = await run(h, ["expire", "retain", "purge"]);
    expect([done.expire?.done, done.retain?.done, done.purge?.done]).toEqual([5, 3, 2]);
  });

  it("is carried out once for an Idempotency-Key", async () => {
    await plant(h, "ann", 3, "expires_at = 7");
    const request = { body: { tasks: ["expire"], limit: 2 }, headers: { "idempotency-key": "once" } };
    const [first, second] = [await h.fetch("POST", "/v1/lifecycle", request), await h.fetch("POST", "/v1/lifecycle", request)];
    expect(second.text).toBe(first.text);
    expect(await memoriesOf(h)).toEqual({ live: 1, expired: 2 });
  });

  it("touches no other tenant", async () => {
    const other = await createHarness();
    for (const one of [h, other]) {
      await plant(one, "ann", 3, "expires_at = 7");
      await plant(one, "bob", 3, "type = 'task', last_seen_at = 7");
      await one.fetch("PATCH", "/v1/settings", { body: { maxEntries: 1 } });
    }
    await run(h, ["expire", "retain", "cap", "repair"]);
    expect([await memoriesOf(h), await memoriesOf(other)]).toEqual([{ expired: 3, retention: 3 }, { live: 6 }]);
  });
});
