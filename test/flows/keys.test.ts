import { beforeAll, describe, expect, it } from "vitest";
import type { Services } from "#context";
import type { KeyView } from "#domain/tenants";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { type Page, type Problem, rows } from "./requests.ts";

type NewKey = KeyView & { key: string };

let h: Harness;
const skipMs = 0;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ now: () => Date.now() + skipMs }) });
});

/** Nobody is named unless a test does it. */
const call = async <T = Problem>(method: string, path: string, key: string, body?: unknown) =>
  await h.fetch<T>(method, path, { key, user: null, ...(body === undefined ? {} : { body }) });
const issue = async (body: Record<string, unknown>, key = h.key) =>
  await call<NewKey & Problem>("POST", "/v1/keys", key, { name: "k", ...body });
const personal = async (userId: string, permissions = ["read", "write"]) => (await issue({ userId, permissions })).json.key;
/** For whom a session was opened or changed. */
const putters = async (session: string) =>
  (
    await rows<{ who: string }>(
      `select u.external_id as who from audit a join users u on u.id = a.user_id
       join sessions s on s.tenant_id = a.tenant_id and s.public_id = a.object_id
       where a.tenant_id = ? and s.external_id = ? order by a.seq`,
      h.tenantId,
      session,
    )
  ).map(({ who }) => who);
const episode = (text: string) => ({ messages: [{ role: "user", content: text }] });

describe("a server key", () => {
  it("must name the user in every call about a user: 400 that says what to do, and nothing is stored", async () => {
    const key = await h.as(["read", "write"]);
    for (const [method, path, body] of [
      ["POST", "/v1/memories", { content: "I prefer dark mode" }],
      ["POST", "/v1/memories", { memories: [{ shared: true, content: "open all day" }, { content: "I like tea" }] }],
      ["POST", "/v1/sessions/unnamed/episodes", episode("hello")],
      ["POST", "/v1/search", { query: "tea" }],
      ["POST", "/v1/answer", { question: "How are you?" }],
      ["PUT", "/v1/sessions/unnamed-private", { title: "Ours" }],
      ["GET", "/v1/people/me", undefined],
    ] as const) {
      const { status, json } = await call(method, path, key, body);
      expect([status, json.code, json.fields?.[0]?.path], path).toEqual([400, "invalid_input", "userId"]);
      expect(json.detail).toBe(
        "Name the user: `userId`. This key acts for every user of its tenant; a key bound to one user (POST /v1/keys with `userId`) needs to name nobody.",
      );
    }
    expect(await rows("select 1 from memories where tenant_id = ?", h.tenantId)).toEqual([]);
    expect(await rows("select 1 from sessions where tenant_id = ? and external_id like 'unnamed%'", h.tenantId)).toEqual([]);
  });

  it("that names the participants of a group acts for the first of them, and all of them take part", async () => {
    const key = await h.as(["read", "write"]);
    type Session = { participants: string[] };
    const participants = ["alice", "bob", "carol"];
    const made = await call<Session>("PUT", "/v1/sessions/open-group", key, { participants });
    expect([made.status, made.json.participants]).toEqual([201, participants]);
    for (const userId of participants) {
      const { json } = await call<Session>("GET", `/v1/sessions/open-group?userId=${userId}`, key);
      expect(json.participants).toEqual(participants);
    }
    expect((await call("GET", "/v1/sessions/open-group?userId=dora", key)).status).toBe(404);
    expect(await putters("open-group")).toEqual(["alice"]);
  });

  it("names no user for what is the tenant's: shared memories are made, changed, forgotten and restored so", async () => {
    const key = await h.as(["read", "write"]);
    type Remembered = { id: string; created: boolean; version: number; content: string; statedBy: string | null };
    const remember = async (body: Record<string, unknown>) => await call<Remembered>("POST", "/v1/memories", key, body);
    const open = { shared: true, key: "hours", content: "We open at nine." };
    const made = await remember({ ...open, metadata: { a: 1 } });
    expect([made.status, made.json.created, made.json.statedBy]).toEqual([201, true, null]);
    const { id } = made.json;
    const later = await remember({ ...open, content: "We open at ten.", metadata: { b: 2 } });
    expect(later.json).toMatchObject({ id, created: false, version: 2, content: "We open at ten.", metadata: { a: 1, b: 2 } });
    expect((await remember({ shared: true, content: "We open at ten." })).json).toMatchObject({ id, created: false });
    const changed = await call<Remembered>("PATCH", `/v1/memories/${id}`, key, { content: "We open at noon." });
    expect(changed.json).toMatchObject({ id, content: "We open at noon.", version: 3 });
    expect((await call("DELETE", `/v1/memories/${id}`, key)).status).toBe(200);
    expect((await call("POST", `/v1/memories/${id}/restore`, key)).status).toBe(204);
    await call("PUT", "/v1/users/anybody", key, {});
    const seen = await call<Remembered>("GET", `/v1/memories/${id}?userId=anybody`, key);
    expect(seen.json).toMatchObject({ id, content: "We open at noon.", statedBy: null });
    const successor = await remember({ shared: true, content: "We open at midnight.", supersedes: id });
    expect(successor.status).toBe(201);
    expect((await call("GET", `/v1/memories/${id}?userId=anybody`, key)).status).toBe(404);
  });

  it("that names no user changes nothing of a user's, and is asked who", async () => {
    const key = await h.as(["read", "write"]);
    const mine = await call<{ id: string }>("POST", "/v1/memories", key, { userId: "olga", content: "I like rye." });
    for (const [method, path] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/restore"],
    ] as const) {
      const body = method === "PATCH" ? { content: "I like wheat." } : undefined;
      const { status, json } = await call(method, `/v1/memories/${mine.json.id}${path}`, key, body);
      expect([status, json.fields?.[0]?.path]).toEqual([400, "userId"]);
    }
    const guess = { userId: "olga", content: "I might like oats.", confidence: 0.1 };
    const waiting = await call<{ id: string }>("POST", "/v1/memories", key, guess);
    expect((await call("POST", `/v1/memories/${waiting.json.id}/approve`, key, {})).status).toBe(400);
    expect((await call("GET", "/v1/memories/review", key)).status).toBe(400);
    // The whole tenant's queue is for admin.
    const queue = await call<Page<{ id: string }>>("GET", "/v1/memories/review", h.key);
    expect(queue.json.items.map(({ id }) => id)).toContain(waiting.json.id);
    expect((await call("POST", `/v1/memories/${waiting.json.id}/approve`, h.key, {})).status).toBe(200);
  });

  it("of before keys were bound reaches its own user's memory by the name key:key_…", async () => {
    const { json } = await issue({ permissions: ["read", "write"] });
    const userId = `key:${json.id}`;
    await call("POST", "/v1/memories", json.key, { userId, content: "I keep bees." });
    const found = await call<Page<{ content: string }>>(
      "GET",
      `/v1/memories?ownership=personal&userId=${encodeURIComponent(userId)}`,
      json.key,
    );
    expect(found.json.items.map(({ content }) => content)).toEqual(["I keep bees."]);
  });
});

describe("a personal key", () => {
  it("makes its user if new, says whose it is, and names nobody", async () => {
    const { status, json } = await issue({ userId: "nina", permissions: ["read", "write"] });
    expect([status, json.userId, json.permissions]).toEqual([201, "nina", ["read", "write"]]);
    const listed = await call<Page<KeyView>>("GET", "/v1/keys?limit=1", h.key);
    expect(listed.json.items[0]).toMatchObject({ id: json.id, userId: "nina" });
    expect((await call<{ userId: string }>("GET", "/v1/people/me", json.key)).json.userId).toBe("nina");
    const made = await call<{ ownerId: string }>("POST", "/v1/memories", json.key, { content: "I play the oboe." });
    expect([made.status, made.json.ownerId]).toEqual([201, "nina"]);
    await call("POST", "/v1/sessions/ninas/episodes", json.key, { ...episode("the oboe is broken"), userId: "nina" });
    const found = await call<{ hits: { content: string }[] }>("POST", "/v1/search", json.key, { query: "oboe" });
    expect(found.json.hits.map(({ content }) => content)).toEqual(expect.arrayContaining(["I play the oboe."]));
    const other = await personal("nora");
    expect((await call<{ hits: unknown[] }>("POST", "/v1/search", other, { query: "oboe" })).json.hits).toEqual([]);
  });

  it("names no other user: 403, wherever the name is, and nothing is stored", async () => {
    const key = await personal("otto");
    await call("PUT", "/v1/users/olga", h.key, {});
    const before = await rows("select count(*) as n from audit where tenant_id = ?", h.tenantId);
    for (const [method, path, body] of [
      ["POST", "/v1/memories", { userId: "olga", content: "x" }],
      ["POST", "/v1/memories", { ownerId: "olga", content: "x" }],
      ["POST", "/v1/memories", { memories: [{ content: "x" }, { ownerId: "olga", content: "y" }] }],
      ["GET", "/v1/memories?ownerId=olga", undefined],
      ["GET", "/v1/users/olga", undefined],
      ["PUT", "/v1/users/olga", { name: "Olga" }],
      ["PUT", "/v1/users/unheard-of", {}],
      ["POST", "/v1/chat/completions", { model: "echo", messages: [{ role: "user", content: "hi" }], user: "olga" }],
      ["POST", "/v1/answer", { userId: "olga", question: "What is my second favorite color?" }],
      ["POST", "/v1/answer", { userId: "olga", question: "How are you?" }],
    ] as const) {
      const { status, json } = await call(method, path, key, body);
      expect([status, json.code], `${method} ${path}`).toEqual([403, "forbidden"]);
      expect(json.detail).toMatch(/bound to one user|written by its owner/);
    }
    expect(await rows("select count(*) as n from audit where tenant_id = ?", h.tenantId)).toEqual(before);
  });

  it("writes no shared memories and changes none", async () => {
    const key = await personal("pia");
    expect((await call("POST", "/v1/memories", key, { shared: true, content: "for all" })).status).toBe(403);
    const shared = await call<{ id: string }>("POST", "/v1/memories", h.key, { shared: true, content: "Closed on Sundays." });
    expect((await call("GET", `/v1/memories/${shared.json.id}`, key)).status).toBe(200);
    expect((await call("PATCH", `/v1/memories/${shared.json.id}`, key, { content: "Open." })).status).toBe(403);
    expect((await call("DELETE", `/v1/memories/${shared.json.id}`, key)).status).toBe(403);
  });

  it("has no admin, whatever its row says, and sees nothing of the whole tenant's", async () => {
    const refused = await issue({ userId: "quinn", permissions: ["read", "admin"] });
    expect([refused.status, refused.json.fields?.[0]?.path]).toEqual([422, "permissions"]);
    const key = await personal("quinn");
    await rows('update keys set permissions = \'["read","write","admin"]\' where id = (select max(id) from keys)');
    for (const path of ["/v1/keys", "/v1/settings", "/v1/audit", "/v1/doctor", "/v1/jobs", "/v1/jobs/job_none", "/v1/usage"])
      expect((await call("GET", path, key)).status, path).toBe(403);
    expect((await issue({ permissions: ["read"] }, key)).status).toBe(403);
    expect((await call<Page<unknown>>("GET", "/v1/memories/review", key)).json.items).toEqual([]);
  });

  it("opens a group with others, brings others in and leaves, but puts nobody out", async () => {
    const key = await personal("rosa");
    type Session = { participants: string[] };
    const put = async (participants: string[], as = key) =>
      await call<Session & Problem>("PUT", "/v1/sessions/rosas-group", as, { participants });
    expect((await put(["sam"])).status).toBe(422);
    expect((await put(["rosa", "sam"])).json.participants).toEqual(["rosa", "sam"]);
    expect((await put(["rosa", "sam", "tina"])).json.participants).toEqual(["rosa", "sam", "tina"]);
    expect((await put(["rosa", "tina"])).status).toBe(403);
    expect((await put(["tina"])).status).toBe(403);
    expect((await put(["sam", "tina"], await personal("sam"))).status).toBe(403);
    expect((await put(["rosa", "sam", "tina"])).json.participants).toEqual(["rosa", "sam", "tina"]);
    await put(["sam", "tina"]);
    expect((await call("GET", "/v1/sessions/rosas-group", key)).status).toBe(404);
  });

  it("opens a group as its own user, whoever is named first, and none in which its user takes no part", async () => {
    const key = await personal("bob");
    expect((await call("PUT", "/v1/sessions/alices-group", key, { participants: ["alice", "carol"] })).status).toBe(422);
    expect((await call("PUT", "/v1/sessions/bobs-group", key, { participants: ["alice", "bob"] })).status).toBe(201);
    expect([await putters("alices-group"), await putters("bobs-group")]).toEqual([[], ["bob"]]);
    await call("PUT", "/v1/sessions/carols-group", h.key, { participants: ["carol", "dora"] });
    expect((await call("PUT", "/v1/sessions/carols-group", key, { participants: ["carol", "dora"] })).status).toBe(404);
    expect((await call("GET", "/v1/sessions/carols-group", key)).status).toBe(404);
  });

  it("of a user who is gone is no key any more", async () => {
    const key = await personal("ursula");
    await rows("update keys set user_id = 999999999 where id = (select max(id) from keys)");
    expect((await call("GET", "/v1/people/me", key)).status).toBe(401);
  });
});

describe("no key makes a stronger key", () => {
  it("with a permission that it has not", async () => {
    const admin = await h.as(["admin"]);
    const refused = await issue({ permissions: ["admin", "read"] }, admin);
    expect([refused.status, refused.json.fields?.[0]?.path]).toEqual([403, "permissions"]);
    expect(refused.json.detail).toContain('"read"');
    expect((await issue({}, admin)).status).toBe(403);
    expect((await issue({ userId: "vera", permissions: ["read"] }, admin)).status).toBe(403);
    expect((await issue({ permissions: ["admin"] }, admin)).status).toBe(201);
  });

  it("that outlives it", async () => {
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const ends = (await issue({ permissions: ["read", "admin"], expiresAt: at(2) })).json.key;
    for (const expiresAt of [undefined, at(3)]) {
      const refused = await issue({ permissions: ["read"], expiresAt }, ends);
      expect([refused.status, refused.json.fields?.[0]?.path]).toEqual([403, "expiresAt"]);
    }
    expect((await issue({ permissions: ["read"], expiresAt: at(1) }, ends)).status).toBe(201);
  });

  it("after it was revoked, though an isolate has it in its cache", async () => {
    const { json } = await issue({ permissions: ["read", "write", "admin"] });
    expect((await call("GET", "/v1/keys", json.key)).status).toBe(200);
    const revoke = "update keys set revoked_at = 1 where public_id = ?";
    await rows(revoke, json.id);
    const made = await issue({ permissions: ["admin"] }, json.key);
    expect([made.status, made.json.code]).toEqual([401, "unauthenticated"]);
    const other = await issue({});
    expect((await call("DELETE", `/v1/keys/${other.json.id}`, json.key)).status).toBe(401);
    expect((await call("GET", "/v1/sessions?userId=a", other.json.key)).status).toBe(200);
  });
});

describe("the last admin key", () => {
  const ADMIN = ["read", "write", "admin"];
  /** A tenant of its own: its first key's id, and a way to make and to revoke others. */
  const tenant = async (replace?: () => Partial<Services>) => {
    const own = await createHarness(replace === undefined ? {} : { replace });
    const [first] = (await own.fetch<Page<KeyView>>("GET", "/v1/keys")).json.items;
    const make = async (more: Record<string, unknown> = {}) =>
      (await own.fetch<NewKey>("POST", "/v1/keys", { body: { name: "k", permissions: ADMIN, ...more } })).json;
    const revoke = async (id: string, key = own.key) => await own.fetch<Problem>("DELETE", `/v1/keys/${id}`, { key });
    return { own, first: first?.id ?? "", make, revoke };
  };

  it("cannot be revoked: 409 that says what to do first; another one can", async () => {
    const { first, make, revoke } = await tenant();
    await make({ permissions: ["read", "write"] });
    await make({ userId: "ann", permissions: ["read", "write"] });
    const refused = await revoke(first);
    expect([refused.status, refused.json.code]).toEqual([409, "conflict"]);
    expect(refused.json.detail).toContain("POST /v1/keys");
    const second = await make();
    expect((await revoke(first, second.key)).status).toBe(204);
    expect((await revoke(first, second.key)).status).toBe(204);
    expect((await revoke(second.id, second.key)).status).toBe(409);
  });

  it("is one that has not expired, and that does not end if the other never does", async () => {
    let skipped = 0;
    const { first, make, revoke } = await tenant(() => ({ now: () => Date.now() + skipped }));
    const ends = await make({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    // A key that ends makes none that lasts longer, so that the tenant would end with it.
    expect((await revoke(first, ends.key)).status).toBe(409);
    const second = await make();
    expect((await revoke(first, ends.key)).status).toBe(204);
    expect((await revoke(second.id, ends.key)).status).toBe(409);
    skipped = 120_000;
    expect((await revoke(second.id, second.key)).status).toBe(409);
    expect((await revoke(ends.id, second.key)).status).toBe(204);
  });

  it("is there still when two revoke each other at once", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { own, first, make, revoke } = await tenant();
      const second = await make();
      const answers = await Promise.all([revoke(second.id), revoke(first, second.key)]);
      expect(answers.map(({ status }) => status).toSorted()).toSatisfy(
        ([one, other]: number[]) => one === 204 && (other === 409 || other === 401),
      );
      const live = await rows("select 1 from keys where tenant_id = ? and revoked_at is null", own.tenantId);
      expect(live.length).toBe(1);
    }
  });
});

describe("a key without read", () => {
  const SECRET = /marzipan/;
  let blind = "";
  beforeAll(async () => {
    blind = await h.as(["write"]);
    await call("PUT", "/v1/sessions/wendys", h.key, { userId: "wendy", title: "about marzipan" });
  });

  /** What a request of the blind key is answered, which has none of what is stored. */
  const answerOf = async (method: string, path: string, body?: Record<string, unknown>) => {
    const { status, text, json, headers } = await call<Record<string, unknown>>(method, path, blind, body);
    expect(status, text).toBeLessThan(300);
    expect(`${text} ${JSON.stringify([...headers])}`).not.toMatch(SECRET);
    return json;
  };

  it("is not answered the value that an older fact finds", async () => {
    const fact = { userId: "wendy", topic: "candy", rank: 1, value: "marzipan" };
    await call("POST", "/v1/facts", h.key, fact);
    const older = { ...fact, value: "toffee", createdAt: "2020-01-01T00:00:00Z" };
    expect(await answerOf("POST", "/v1/facts", older)).toEqual({ written: false });
    expect(
      await answerOf("POST", "/v1/facts", {
        userId: "wendy",
        facts: [{ topic: "candy", rank: 1, value: "mints", createdAt: "2020-01-01T00:00:00Z" }],
      }),
    ).toEqual({
      items: [{ written: false }],
    });
  });

  it("is not answered the memory that a PATCH of nothing leaves, that its words repeat, or that its key merges", async () => {
    const memory = { userId: "wendy", key: "sweets", content: "I bake with marzipan.", metadata: { shop: "marzipan house" } };
    const { id } = (await call<{ id: string }>("POST", "/v1/memories", h.key, memory)).json;
    expect(await answerOf("PATCH", `/v1/memories/${id}?userId=wendy`, {})).toEqual({ id, version: 1 });
    const merged = { userId: "wendy", key: "sweets", content: "I bake with nougat.", metadata: {} };
    expect(await answerOf("POST", "/v1/memories", merged)).toEqual({ id, version: 2, created: false });
    expect(await answerOf("POST", "/v1/memories", merged)).toEqual({ id, version: 2, created: false });
  });

  it("is not answered the notes of a person, the name of a user, or the title of a session", async () => {
    const person = { userId: "wendy", name: "Xaver", notes: "allergic to marzipan" };
    const { id } = (await call<{ id: string }>("POST", "/v1/people", h.key, person)).json;
    expect(await answerOf("PUT", `/v1/people/${id}/aliases/Xavi?userId=wendy`)).toEqual({ id, version: 2, mergedInto: null });
    expect(await answerOf("PATCH", `/v1/people/${id}`, { userId: "wendy" })).toEqual({ id, version: 2, mergedInto: null });
    await call("PUT", "/v1/users/wendy", h.key, { name: "marzipan lady" });
    expect(await answerOf("PUT", "/v1/users/wendy", {})).toEqual({ id: "wendy" });
    expect(await answerOf("PUT", "/v1/sessions/wendys", { userId: "wendy" })).toEqual({ id: "wendys" });
  });

  it("is not answered by a replay what the first answer left out", async () => {
    const memory = { userId: "wendy", content: "I bake.", key: "replayed", metadata: { shop: "marzipan house" } };
    await call("POST", "/v1/memories", h.key, memory);
    const again = async () =>
      await h.fetch("POST", "/v1/memories", {
        key: blind,
        body: { userId: "wendy", content: "I bake bread.", key: "replayed" },
        headers: { "idempotency-key": "blind-1" },
      });
    const [first, second] = [await again(), await again()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.text + second.text).not.toMatch(SECRET);
  });

  it("stores a chat, and nothing is recalled for it", async () => {
    const body = { model: "echo", user: "wendy", messages: [{ role: "user", content: "What is my first favorite candy?" }] };
    await h.fetch("PATCH", "/v1/settings", { body: { upstream: { url: chatChannel("keys").url } } });
    const { status, text, headers } = await call("POST", "/v1/chat/completions", blind, body);
    expect([status, headers.get("x-edgewise-memory")]).toEqual([200, "skipped; reason=permission"]);
    expect(`${text} ${JSON.stringify([...headers])}`).not.toMatch(SECRET);
  });
});
