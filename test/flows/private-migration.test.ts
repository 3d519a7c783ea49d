import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { add, get, group } from "./memory-requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness();
});

/** As a release before privacy by default stored it: public and portable unless marked otherwise. */
async function storedBefore(body: Record<string, unknown>, sensitivity = "public"): Promise<string> {
  const open = body.shared === true ? {} : { sensitivity, portable: true };
  const { status, json } = await add(h, { ...body, ...open });
  expect(status).toBe(201);
  return json.id;
}

/** The migration as it is released, on a database that has rows. */
async function migrate(): Promise<void> {
  const migration = env.TEST_MIGRATIONS.find(({ name }) => name.includes("private-by-default"));
  expect(migration?.queries.length).toBeGreaterThan(0);
  for (const query of migration?.queries ?? []) await env.DB.prepare(query).run();
}

it("stored rows that were never marked otherwise fall under the new defaults, the stricter way", async () => {
  await h.fetch("PUT", "/v1/sessions/mine", { body: { userId: "alice" } });
  await group(h, "team", ["alice", "bob"]);
  await group(h, "alone", ["alice"]);
  const ids = {
    plain: await storedBefore({ userId: "alice", content: "I like tea" }),
    health: await storedBefore({ userId: "alice", content: "I have anxiety" }),
    inPrivate: await storedBefore({ userId: "alice", content: "I like jazz", learnedIn: { sessionId: "mine" } }),
    alone: await storedBefore({ userId: "alice", content: "I like rock", learnedIn: { sessionId: "alone" } }),
    marked: await storedBefore({ userId: "alice", content: "I like silence" }, "sensitive"),
    inGroup: await storedBefore({ userId: "alice", content: "I like soup", learnedIn: { sessionId: "team" } }),
    ofGroup: await storedBefore({ userId: "alice", sessionId: "team", content: "Bob likes soup" }),
    healthInGroup: await storedBefore({ userId: "alice", sessionId: "team", content: "I take antidepressants" }),
    ofGroupInPrivate: await storedBefore({
      ...{ userId: "alice", sessionId: "team", content: "Lunch is at noon", learnedIn: { sessionId: "mine" } },
    }),
    shared: await storedBefore({ shared: true, content: "The office closes at six on salary day" }),
  };
  await migrate();
  await migrate();
  await h.settle();
  const shown = async (id: string, place: string) => {
    const { json } = await get(h, id, place);
    return [json.sensitivity, json.portable];
  };
  const own = "userId=alice";
  const inTeam = "userId=alice&sessionId=team";
  expect(await shown(ids.plain, own)).toEqual(["personal", false]);
  expect(await shown(ids.health, own)).toEqual(["sensitive", false]);
  expect(await shown(ids.inPrivate, own)).toEqual(["personal", false]);
  expect(await shown(ids.alone, own)).toEqual(["personal", false]);
  expect(await shown(ids.marked, own)).toEqual(["sensitive", false]);
  expect(await shown(ids.inGroup, own)).toEqual(["public", true]);
  expect(await shown(ids.ofGroup, inTeam)).toEqual(["public", true]);
  expect(await shown(ids.healthInGroup, inTeam)).toEqual(["sensitive", true]);
  expect(await shown(ids.ofGroupInPrivate, inTeam)).toEqual(["public", false]);
  expect(await shown(ids.shared, own)).toEqual(["public", true]);
});

it("what was changed in private since it was learned in a group was not said there, and old versions are as private as they were said", async () => {
  await h.fetch("PUT", "/v1/sessions/mine", { body: { userId: "alice" } });
  await group(h, "team", ["alice", "paul"]);
  const paul = (await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=paul")).json.id;
  const inTeam = { userId: "alice", learnedIn: { sessionId: "team" } };
  const changed = await storedBefore({ ...inTeam, key: "mood", content: "I feel fine" });
  const once = await storedBefore({
    userId: "alice",
    key: "paul",
    content: "I hate Paul",
    subjects: [paul],
    learnedIn: { sessionId: "mine" },
  });
  expect((await add(h, { ...inTeam, key: "paul", content: "Paul is nice", subjects: [paul] })).status).toBe(200);
  // As it was stored then: changed words kept the place of the old, and everything was open.
  const team = "(select id from sessions where external_id = 'team' and tenant_id = memories.tenant_id)";
  await env.DB.prepare(`update memories set content = 'I feel lost', learned_in = ${team}, version = 2 where public_id = ?`)
    .bind(changed)
    .run();
  await env.DB.prepare(
    `insert into memory_versions (memory_id, version, data, replaced_at)
     select id, 1, json_object('content', 'I feel fine', 'learnedIn', learned_in, 'learnedAt', learned_at, 'subjects', json('[]'), 'status', 'approved'), 1
     from memories where public_id = ?`,
  )
    .bind(changed)
    .run();
  await env.DB.prepare(
    "update memory_versions set data = json_set(data, '$.sensitivity', null, '$.portable', json('true'))",
  ).run();
  await env.DB.prepare("update memories set sensitivity = null, portable = 1 where public_id = ?").bind(once).run();
  const past = () => h.fetch("GET", `/v1/memories/${once}/history?userId=paul`);
  expect((await past()).text).toContain("I hate Paul");
  await migrate();
  await h.settle();
  expect((await get(h, changed, "userId=alice")).json).toMatchObject({
    sensitivity: "personal",
    portable: false,
    learnedIn: null,
  });
  expect((await past()).text).not.toContain("I hate Paul");
});

it("goes through all memories of a tenant, step by step, once", async () => {
  const many = Array.from({ length: 650 }, (_, i) => ({ content: `I owe ${i} euros`, sensitivity: "public", portable: true }));
  for (let from = 0; from < many.length; from += 100)
    await h.fetch("POST", "/v1/memories", { body: { userId: "carl", memories: many.slice(from, from + 100) } });
  await migrate();
  await h.settle();
  const { json } = await h.fetch<{ items: { detail: unknown }[] }>("GET", "/v1/audit?action=upkeep.classified&limit=100");
  const { results } = await env.DB.prepare(
    "select sensitivity as s, count(*) as n from memories m join users u on u.id = m.owner_id where u.external_id = 'carl' group by 1",
  ).all();
  expect(results).toEqual([{ s: "sensitive", n: 650 }]);
  expect(json.items.length).toBeGreaterThan(0);
});
