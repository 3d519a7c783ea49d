import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createDb } from "#db/client";
import type { MergeView, PersonView } from "#domain/people";
import { type Answer, createHarness, type Harness, type Request } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { nth, type Page, type Problem, rows, say } from "./requests.ts";

type Person = PersonView & Problem;
type Merge = MergeView & Problem;
type Body = Record<string, unknown>;

let h: Harness;
let other: Harness;
let writer: string;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  other = await createHarness({ replace: () => ({ log: () => undefined }) });
  writer = await h.as(["read", "write"]);
});

const create = async (body: Body, on = h) => await on.fetch<Person>("POST", "/v1/people", { body });
const made = async (name: string, body: Body = {}) => (await create({ userId: "ann", name, ...body })).json;
const get = (id: string, userId = "ann", on = h) => on.fetch<Person>("GET", `/v1/people/${id}?userId=${userId}`);
const me = (userId: string) => h.fetch<Person>("GET", `/v1/people/me?userId=${encodeURIComponent(userId)}`);
const patch = (id: string, body: Body, request: Request = {}) =>
  h.fetch<Person>("PATCH", `/v1/people/${id}`, { body: { userId: "ann", ...body }, ...request });
const alias = (method: "PUT" | "DELETE", id: string, name: string, userId = "ann") =>
  h.fetch<Person>(method, `/v1/people/${id}/aliases/${encodeURIComponent(name)}?userId=${userId}`);
const named = (name: string, userId = "ann", on = h) =>
  on.fetch<Page<PersonView>>("GET", `/v1/people?userId=${userId}&name=${encodeURIComponent(name)}&limit=100`);
const merge = (into: string, from: string, userId = "ann", request: Request = {}) =>
  h.fetch<Merge>("POST", `/v1/people/${into}/merge`, { body: { userId, from }, ...request });
const undo = (id: string, userId = "ann", request: Request = {}) =>
  h.fetch<Merge>("POST", `/v1/people/merges/${id}/undo`, { body: { userId }, ...request });
const idsOf = (page: Answer<Page<PersonView>>) => page.json.items.map(({ id }) => id);
const actionsOf = async (id: string) =>
  (await rows<{ action: string }>("select action from audit where object_id = ? order by seq", id)).map(({ action }) => action);
/** A user with their own person, made as users are made: by being named. */
const user = async (name: string) => {
  await h.fetch("PUT", `/v1/users/${name}`);
  return (await me(name)).json;
};

let memories = 0;
type Edges = { about: string[]; statedBy?: string };
/** A memory with these edges, written past the service. */
async function memory({ about, statedBy }: Edges): Promise<number> {
  memories += 1;
  const [row] = await rows<{ id: number }>(
    `insert into memories (public_id, tenant_id, space_id, ownership, owner_id, type, content, key, hash, workspace_id, confidence,
       status, metadata, stated_by, learned_at, valid_from, last_seen_at, created_at, updated_at)
     select 'mem_' || ?, ?, space_id, 'personal', id, 'knowledge', 'x', '', ?, '', 1, 'approved', '{}',
       (select id from persons where public_id = ?), 1, 1, 1, 1, 1 from users where tenant_id = ? and external_id = 'ann' returning id`,
    memories,
    h.tenantId,
    `hash ${memories}`,
    statedBy ?? null,
    h.tenantId,
  );
  const id = row?.id ?? 0;
  for (const person of about) await addSubject(id, person);
  return id;
}
const addSubject = async (id: number, person: string) =>
  await rows("insert into memory_subjects (memory_id, person_id) select ?, id from persons where public_id = ?", id, person);
const dropSubject = async (id: number, person: string) =>
  await rows(
    "delete from memory_subjects where memory_id = ? and person_id = (select id from persons where public_id = ?)",
    id,
    person,
  );
const subjects = async (id: number) =>
  (
    await rows<{ id: string }>(
      "select p.public_id as id from memory_subjects s join persons p on p.id = s.person_id where s.memory_id = ? order by p.public_id",
      id,
    )
  ).map((row) => row.id);
/** The speaker, as shown to a reader. */
const stater = async (id: number) =>
  (
    await rows<{ id: string }>(
      `select p.public_id as id from memories m join persons s on s.id = m.stated_by
       join persons p on p.id = coalesce(s.merged_into, s.id) where m.id = ?`,
      id,
    )
  )[0]?.id;

describe("a person", () => {
  it("is made with what is said of it, and found by its id and names", async () => {
    const body = { userId: "ann", name: " Roberta Díaz ", aliases: ["Bobbie", "BOBBIE", "roberta diaz", "R. D."] };
    const { status, json, headers } = await create({ ...body, relationship: "dentist", notes: "Likes tea" });
    expect([status, headers.get("etag")]).toEqual([201, '"1"']);
    expect(json).toMatchObject({
      name: "Roberta Díaz",
      aliases: ["Bobbie", "R. D."],
      userId: null,
      relationship: "dentist",
      notes: "Likes tea",
      createdBy: "ann",
      mergedInto: null,
      mergeId: null,
      version: 1,
    });
    expect((await get(json.id)).json).toEqual(json);
    for (const name of ["ROBERTA DIAZ", "bobbie", "r d"]) expect(idsOf(await named(name))).toEqual([json.id]);
    expect(await actionsOf(json.id)).toEqual(["person.created"]);
  });

  it("is made for a user who is made by the way", async () => {
    expect((await create({ userId: "quite new", name: "X1" })).status).toBe(201);
    expect((await me("quite new")).json.name).toBe("quite new");
  });

  it.each<[string, Body, string]>([
    ["no name", {}, "name"],
    ["a name of no letter or digit", { name: "!? -" }, "name"],
    ["a long name", { name: "x".repeat(201) }, "name"],
    ["an alias of no letter or digit", { name: "x", aliases: ["ok", "…"] }, "aliases[1]"],
    ["too many aliases", { name: "x", aliases: Array.from({ length: 21 }, (_, i) => `a${i}`) }, "aliases"],
    ["a long relationship", { name: "x", relationship: "x".repeat(201) }, "relationship"],
    ["long notes", { name: "x", notes: "x".repeat(2001) }, "notes"],
    ["a user of one's own choice", { name: "x", createdBy: "bob" }, "createdBy"],
  ])("is not made of %s", async (_, body, field) => {
    const { status, json } = await create({ userId: "ann", ...body });
    expect([status, json.fields?.[0]?.path]).toEqual([400, field]);
  });

  it("holds nothing that has no UTF-8", async () => {
    const { json } = await create({
      userId: "ann",
      name: "a\ud800b",
      aliases: ["c\0d"],
      relationship: "e\udfff",
      notes: "\ud800",
    });
    expect(json).toMatchObject({ name: "a\ufffdb", aliases: ["c\ufffdd"], relationship: "e\ufffd", notes: "\ufffd" });
  });

  const card = "card 4111 1111 1111 1111";
  it.each<[string, Body]>([
    ["name", { name: card }],
    ["aliases[1]", { name: "Sec", aliases: ["ok", card] }],
    ["relationship", { name: "Sec", relationship: card }],
    ["notes", { name: "Sec", notes: card }],
  ])("holds no secret in %s", async (field, body) => {
    const before = await rows("select count(*) as n from persons");
    const { status, json, text } = await create({ userId: "ann", ...body });
    expect([status, json.code, json.fields?.[0]?.path]).toEqual([422, "unprocessable", field]);
    expect(json.detail).toContain("card number");
    expect(text).not.toContain("4111");
    expect(await rows("select count(*) as n from persons")).toEqual(before);
    const { id } = await made("Keeper");
    expect((await patch(id, body)).status).toBe(422);
    if (field === "name") expect((await alias("PUT", id, card)).status).toBe(422);
  });

  it("is made once when the same request comes twice", async () => {
    const request = { body: { userId: "ann", name: "Once" }, headers: { "idempotency-key": "person-once" } };
    const first = await h.fetch<Person>("POST", "/v1/people", request);
    const second = await h.fetch<Person>("POST", "/v1/people", request);
    expect(second.json).toEqual({ id: first.json.id, version: 1 });
    expect(idsOf(await named("once"))).toEqual([first.json.id]);
  });
});

describe("a user's own person", () => {
  it("is there however the user was made, once", async () => {
    await say(h, "made-by-append", "hello", { userId: "by append" });
    await h.fetch("PUT", "/v1/users/by%20put");
    await h.fetch("PUT", "/v1/sessions/g", { body: { participants: ["by opening", "by taking part"] } });
    await h.fetch("PUT", "/v1/projects/of-people", { body: { userId: "by project" } });
    await h.fetch("PUT", "/v1/projects/of-people/members/by%20joining?userId=by%20project");
    for (const name of ["append", "put", "opening", "taking part", "project", "joining"]) {
      const { status, json } = await me(`by ${name}`);
      expect([status, json.userId, json.name, json.createdBy]).toEqual([200, ...Array(3).fill(`by ${name}`)]);
      expect(idsOf(await named(`BY ${name}`))).toEqual([json.id]);
    }
    expect(
      await rows(
        "select u.id from users u where (select count(*) from persons p where p.user_id = u.id and p.tenant_id = u.tenant_id) <> 1",
      ),
    ).toEqual([]);
  });

  it("is there for the user of a personal key, who need not be named", async () => {
    const body = { name: "hers", userId: "henrietta", permissions: ["read"] };
    const { key } = (await h.fetch<{ key: string }>("POST", "/v1/keys", { body })).json;
    const { status, json } = await h.fetch<Person>("GET", "/v1/people/me", { key, user: null });
    expect([status, json.userId]).toEqual([200, "henrietta"]);
  });

  it("is 404 for a user who is not known, and nobody is made by asking", async () => {
    expect((await me("nobody at all")).status).toBe(404);
    expect(await rows("select 1 from users where external_id = 'nobody at all'")).toEqual([]);
  });

  it("is found by the user's id under any other name, and stays the user's", async () => {
    const own = await user("u-4711");
    const { json } = await patch(own.id, { userId: "u-4711", name: "Ursula", aliases: ["Uschi"] });
    expect(json).toMatchObject({ name: "Ursula", userId: "u-4711" });
    for (const name of ["u-4711", "ursula", "uschi"]) expect(idsOf(await named(name))).toEqual([own.id]);
    expect((await patch(own.id, { userId: "u-4711", user_id: "ann" })).status).toBe(400);
    expect((await h.fetch("DELETE", `/v1/people/${own.id}?userId=u-4711`)).status).toBe(405);
  });
});

describe("looking people up", () => {
  it.each([
    ["José García", "JOSE GARCIA", "Joseph Garcia"],
    ["Łukasz Żółć", "lukasz zolc", "Lukas"],
    ["李小龙", "李小龙", "李小"],
    ["Мария Иванова", "мария иванова", "Марина"],
    ["أحمد الشريف", "احمد الشريف", "محمد"],
    ["ﾀﾅｶ", "タナカ", "タナ"],
    ["O’Brien", "O'BRIEN", "Brien"],
  ])("%s is found as %s and not as %s", async (name, asked, not) => {
    const { id } = await made(name);
    expect(idsOf(await named(asked))).toEqual([id]);
    expect(idsOf(await named(not))).toEqual([]);
    expect(idsOf(await named(asked, "somebody-else"))).toEqual([id]);
    expect(idsOf(await named(asked, "ann", other))).toEqual([]);
  });

  it("refuses a name that could find nobody", async () => {
    expect((await named("--")).status).toBe(400);
  });

  const pages = async (query: string) => {
    const ids: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { json }: Answer<Page<PersonView>> = await h.fetch(
        "GET",
        `/v1/people?${query}&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      ids.push(...json.items.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      cursor = json.nextCursor;
    }
    return ids;
  };

  it("goes through namesakes in pages, whoever made them, newest first", async () => {
    const ids: string[] = [];
    for (const userId of ["n1", "n2", "n1", "n2", "n3"]) ids.unshift((await made("Namesake", { userId })).id);
    expect(await pages("userId=n1&name=namesake")).toEqual(ids);
  });

  it("lists whom the user made and themselves, newest first, and nobody else", async () => {
    const own = await user("lister");
    const ids = [own.id];
    for (const name of ["L1", "L2", "L3", "L4"]) ids.unshift((await made(name, { userId: "lister" })).id);
    await made("L5", { userId: "another-lister" });
    expect(await pages("userId=lister")).toEqual(ids);
    expect(await pages("userId=nobody-yet")).toEqual([]);
  });
});

describe("who may see and change", () => {
  let person: Person;
  let own: Person;
  let theirs: Person;
  beforeAll(async () => {
    person = await made("Petra", { relationship: "boss", notes: "a private word" });
    await user("paul");
    own = (await patch((await me("paul")).json.id, { userId: "paul", relationship: "myself", notes: "a word of mine" })).json;
    theirs = (await create({ userId: "ann", name: "Theirs", notes: "x" }, other)).json;
  });

  it("the creator's words are returned to the creator only", async () => {
    const words = { relationship: "boss", notes: "a private word", createdBy: "ann" };
    const none = { relationship: null, notes: null, createdBy: null };
    expect((await get(person.id)).json).toMatchObject({ name: "Petra", ...words });
    for (const userId of ["paul", "nobody-yet"]) {
      expect((await get(person.id, userId)).json).toMatchObject({ name: "Petra", ...none });
      expect(nth((await named("petra", userId)).json.items, 0)).toMatchObject({ name: "Petra", ...none });
    }
    expect(nth((await named("petra")).json.items, 0)).toMatchObject(words);
  });

  it("what a person says of themselves is returned to themselves only", async () => {
    expect((await me("paul")).json).toMatchObject({ relationship: "myself", notes: "a word of mine" });
    expect((await get(own.id, "ann")).json).toMatchObject({ userId: "paul", relationship: null, notes: null, createdBy: null });
  });

  it("a person sees and may change what is theirs, even if somebody else created it", async () => {
    const self = await user("selfmade");
    await rows(
      "update persons set created_by = (select created_by from persons where public_id = ?) where public_id = ?",
      person.id,
      self.id,
    );
    await patch(self.id, { userId: "ann", notes: "by Ann" });
    expect((await me("selfmade")).json).toMatchObject({ notes: "by Ann", createdBy: "ann" });
    expect((await patch(self.id, { userId: "selfmade", notes: "by myself" })).status).toBe(200);
    expect((await patch(self.id, { userId: "paul", notes: "by Paul" })).status).toBe(403);
  });

  type Doing = [string, (id: string, userId: string) => Promise<Answer<Person>>];
  const doings: Doing[] = [
    ["update person", (id, userId) => patch(id, { userId, notes: `by ${userId}` })],
    ["add alias", (id, userId) => alias("PUT", id, `Called by ${userId}`, userId)],
    ["remove alias", (id, userId) => alias("DELETE", id, `Called by ${userId}`, userId)],
  ];
  it.each(doings)("%s: the creator and the person may, others may not, of another tenant's nobody knows", async (_, does) => {
    expect((await does(person.id, "ann")).status).toBe(200);
    expect((await does(own.id, "paul")).status).toBe(200);
    const before = await rows("select * from persons where public_id in (?, ?)", person.id, own.id);
    for (const [id, userId] of [
      [person.id, "paul"],
      [person.id, "nobody-yet"],
      [own.id, "ann"],
    ] as const) {
      const { status, json } = await does(id, userId);
      expect([status, json.code]).toEqual([403, "forbidden"]);
    }
    expect(await rows("select * from persons where public_id in (?, ?)", person.id, own.id)).toEqual(before);
    const foreign = await does(theirs.id, "ann");
    const absent = await does("per_01a1f92c-720b-7527-9cd5-76463f8b4abc", "ann");
    const odd = await does("per_x", "ann");
    expect([foreign.status, absent.status, odd.status]).toEqual([404, 404, 404]);
    const sameBut = (answer: Answer<Person>) => ({ ...answer.json, requestId: "" });
    expect(sameBut(foreign)).toEqual(sameBut(absent));
    expect(sameBut(odd)).toEqual(sameBut(absent));
  });

  it("another tenant's person is not read, listed or merged", async () => {
    expect((await get(theirs.id)).status).toBe(404);
    expect((await merge(person.id, theirs.id)).status).toBe(404);
    expect((await merge(theirs.id, person.id)).status).toBe(404);
    expect(idsOf(await named("theirs"))).toEqual([]);
  });
});

describe("changing a person", () => {
  it("changes what is named, keeps the rest, and is found by the new names only", async () => {
    const { id } = await made("Old Name", { aliases: ["Kept"], relationship: "friend", notes: "n" });
    const { status, json, headers } = await patch(id, { name: "New Name", relationship: null });
    expect([status, headers.get("etag")]).toEqual([200, '"2"']);
    expect(json).toMatchObject({ name: "New Name", aliases: ["Kept"], relationship: null, notes: "n", version: 2 });
    expect((await get(id)).json).toEqual(json);
    expect(idsOf(await named("old name"))).toEqual([]);
    for (const name of ["new name", "kept"]) expect(idsOf(await named(name))).toEqual([id]);
    await patch(id, { aliases: ["Other"] });
    expect(idsOf(await named("kept"))).toEqual([]);
    expect(idsOf(await named("other"))).toEqual([id]);
    const details = await rows<{ detail: string }>("select detail from audit where object_id = ? order by seq", id);
    expect(details.map(({ detail }) => JSON.parse(detail))).toEqual([
      { fields: ["name", "aliases", "relationship", "notes"] },
      { fields: ["name", "relationship"] },
      { fields: ["aliases"] },
    ]);
  });

  it("writes nothing where nothing changes", async () => {
    const { id } = await made("Same", { aliases: ["S"], notes: "n" });
    const { json } = await patch(id, { name: "Same", aliases: ["S", "s", "same"], notes: "n" });
    expect([json.version, (await patch(id, {})).json.version]).toEqual([1, 1]);
    expect((await h.fetch("PATCH", `/v1/people/${id}`, {})).status).toBe(403);
    expect(await actionsOf(id)).toEqual(["person.created"]);
  });

  it("is refused with 412 for another version than If-Match names", async () => {
    const { id } = await made("Matched");
    const withTag = (tag: string, notes: string) => patch(id, { notes }, { headers: { "if-match": tag } });
    expect((await withTag('"1"', "a")).status).toBe(200);
    for (const tag of ['"1"', '"3"', '"x"', "2"]) {
      const { status, json } = await withTag(tag, "b");
      expect([status, json.code]).toEqual([412, "precondition_failed"]);
    }
    for (const tag of ['"2"', 'W/"3"', '"1", "4"', "*"]) expect((await withTag(tag, tag)).status).toBe(200);
    expect(await actionsOf(id)).toEqual(["person.created", ...Array(5).fill("person.changed")]);
  });

  it.each([
    ["is made after the other without If-Match", undefined, 200],
    ["is answered with 412 with it, and leaves no audit row", '"1"', 412],
  ])("that loses a race %s", async (_, tag, expected) => {
    const { id } = await made(`Raced ${expected}`);
    const name = `Lost ${expected}`;
    const interruption = createInterruption();
    const slow = await createHarness({ replace: ({ db }) => ({ db: interruption.in(db) }) });
    interruption.beforeBatch(1, async () => {
      expect((await patch(id, { name: "Won", notes: "won" })).status).toBe(200);
    });
    const { status } = await slow.fetch("PATCH", `/v1/people/${id}`, {
      key: h.key,
      body: { userId: "ann", name },
      headers: tag === undefined ? {} : { "if-match": tag },
    });
    expect(status).toBe(expected);
    const isMade = expected === 200;
    expect((await get(id)).json).toMatchObject({ name: isMade ? name : "Won", notes: "won", version: isMade ? 3 : 2 });
    expect(idsOf(await named(name))).toEqual(isMade ? [id] : []);
    expect(await actionsOf(id)).toEqual(["person.created", "person.changed", ...(isMade ? ["person.changed"] : [])]);
  });

  it("by many at once makes one version, one audit row and one answer of 200 each", async () => {
    const { id } = await made("Busy");
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => patch(id, { notes: `n${i}` })));
    const won = answers.filter(({ status }) => status === 200).length;
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await get(id)).json.version).toBe(1 + won);
    expect(await actionsOf(id)).toHaveLength(1 + won);
  });
});

describe("an alias", () => {
  it("is added once and taken away once, whatever its case", async () => {
    const { id } = await made("Wilhelmina");
    expect((await alias("PUT", id, "Minna / Mina")).json).toMatchObject({ aliases: ["Minna / Mina"], version: 2 });
    expect((await alias("PUT", id, "MINNA mina")).json).toMatchObject({ aliases: ["Minna / Mina"], version: 2 });
    expect((await alias("PUT", id, "wilhelmina")).json).toMatchObject({ aliases: ["Minna / Mina"], version: 2 });
    expect(idsOf(await named("minna mina"))).toEqual([id]);
    expect((await alias("DELETE", id, "minna-mina")).json).toMatchObject({ aliases: [], version: 3 });
    expect((await alias("DELETE", id, "minna-mina")).json).toMatchObject({ version: 3 });
    expect((await alias("DELETE", id, "Wilhelmina")).json).toMatchObject({ name: "Wilhelmina", version: 3 });
    expect(idsOf(await named("minna mina"))).toEqual([]);
    expect(idsOf(await named("wilhelmina"))).toEqual([id]);
    expect(await actionsOf(id)).toEqual(["person.created", "person.alias_added", "person.alias_removed"]);
    const [row] = await rows<{ all: string }>("select group_concat(detail) as 'all' from audit where object_id = ?", id);
    expect(row?.all).not.toMatch(/mina/i);
  });

  it("needs a letter, and there are 20 at most", async () => {
    const { id } = await made("Many", { aliases: Array.from({ length: 20 }, (_, i) => `alias ${i}`) });
    expect((await alias("PUT", id, "!")).status).toBe(400);
    expect((await alias("PUT", id, "one more")).status).toBe(409);
    expect((await alias("PUT", id, "ALIAS 3")).status).toBe(200);
  });

  it("is added by each of many at once", async () => {
    const { id } = await made("Crowd");
    const answers = await Promise.all(["A", "B", "C"].map((name) => alias("PUT", id, name)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await get(id)).json.aliases.toSorted()).toEqual(["A", "B", "C"]);
    expect(await actionsOf(id)).toHaveLength(4);
  });
});

describe("merging", () => {
  it("moves what was said about and by the one to the other, and its names; undoing moves it back", async () => {
    const from = await made("Bob", { aliases: ["Bobby", "BK"], notes: "kept with Bob" });
    const into = await made("Robert King", { aliases: ["bk"] });
    const about = await memory({ about: [from.id] });
    const both = await memory({ about: [from.id, into.id], statedBy: from.id });
    const separate = await memory({ about: [into.id], statedBy: into.id });

    const { status, json } = await merge(into.id, from.id);
    expect(status).toBe(201);
    expect(json).toMatchObject({ id: expect.stringMatching(/^mrg_/), undoneAt: null });
    expect(json.into).toMatchObject({ id: into.id, aliases: ["bk", "Bob", "Bobby"], version: 2, mergedInto: null });
    expect(json.from).toMatchObject({ id: from.id, name: "Bob", version: 2, mergedInto: into.id, mergeId: json.id });
    expect((await get(from.id)).json).toEqual(json.from);
    expect([await subjects(about), await subjects(both), await subjects(separate)]).toEqual([[into.id], [into.id], [into.id]]);
    expect([await stater(about), await stater(both), await stater(separate)]).toEqual([undefined, into.id, into.id]);
    for (const name of ["bob", "bobby", "bk", "robert king"]) expect(idsOf(await named(name))).toEqual([into.id]);
    expect(idsOf(await h.fetch("GET", "/v1/people?userId=ann&limit=100"))).not.toContain(from.id);

    const undone = await undo(json.id);
    expect([undone.status, undone.json.undoneAt]).toEqual([200, expect.any(String)]);
    expect(undone.json.into).toMatchObject({ aliases: ["bk"], version: 3 });
    expect(undone.json.from).toMatchObject({
      name: "Bob",
      aliases: ["Bobby", "BK"],
      mergedInto: null,
      mergeId: null,
      version: 3,
    });
    expect([await subjects(about), await subjects(both), await subjects(separate)]).toEqual([
      [from.id],
      [from.id, into.id].toSorted(),
      [into.id],
    ]);
    expect([await stater(both), await stater(separate)]).toEqual([from.id, into.id]);
    expect(idsOf(await named("bob"))).toEqual([from.id]);
    expect(idsOf(await named("bk")).toSorted()).toEqual([from.id, into.id].toSorted());
    expect(await actionsOf(into.id)).toEqual(["person.created", "person.merged", "person.merge_undone"]);
    const details = await rows<{ detail: string }>(
      "select detail from audit where object_id = ? and action like '%merge%'",
      into.id,
    );
    for (const { detail } of details) expect(JSON.parse(detail)).toEqual({ mergeId: json.id, from: from.id });
  });

  it("leaves what was edited or purged since where it is", async () => {
    const [from, into, third] = [await made("F"), await made("I"), await made("T")];
    const edited = await memory({ about: [from.id], statedBy: from.id });
    const replaced = await memory({ about: [from.id, into.id] });
    const purged = await memory({ about: [from.id], statedBy: from.id });
    const { json } = await merge(into.id, from.id);
    await dropSubject(edited, into.id);
    await addSubject(edited, third.id);
    await rows("update memories set stated_by = null where id = ?", edited);
    await dropSubject(replaced, into.id);
    await rows("delete from memory_subjects where memory_id = ?", purged);
    await rows("delete from memories where id = ?", purged);
    expect((await undo(json.id)).status).toBe(200);
    expect([await subjects(edited), await subjects(replaced), await subjects(purged)]).toEqual([[third.id], [], []]);
    expect(await stater(edited)).toBeUndefined();
  });

  it("is undone once", async () => {
    const [from, into] = [await made("U1"), await made("U2")];
    const { json } = await merge(into.id, from.id);
    expect((await undo(json.id)).status).toBe(200);
    const again = await undo(json.id);
    expect([again.status, again.json.detail]).toEqual([409, expect.stringContaining("undone already")]);
    expect((await merge(into.id, from.id)).status).toBe(201);
    expect(await actionsOf(into.id)).toEqual(["person.created", "person.merged", "person.merge_undone", "person.merged"]);
  });

  it("goes along chains, and is undone from their end", async () => {
    const [a, b, c] = [await made("Chain A"), await made("Chain B"), await made("Chain C")];
    const about = await memory({ about: [a.id] });
    const first = await merge(b.id, a.id);
    const second = await merge(c.id, b.id);
    expect(await subjects(about)).toEqual([c.id]);
    expect((await get(a.id)).json.mergedInto).toBe(c.id);
    for (const name of ["chain a", "chain b", "chain c"]) expect(idsOf(await named(name))).toEqual([c.id]);
    for (const refused of [await merge(b.id, (await made("Chain D")).id), await merge(c.id, a.id), await undo(first.json.id)]) {
      expect(refused.status).toBe(409);
      expect(refused.json.detail).toContain(c.id);
    }
    for (const change of [patch(a.id, { name: "no" }), alias("PUT", b.id, "no")]) expect((await change).status).toBe(409);
    expect((await undo(second.json.id)).status).toBe(200);
    expect((await get(a.id)).json.mergedInto).toBe(b.id);
    expect(await subjects(about)).toEqual([b.id]);
    expect(idsOf(await named("chain a"))).toEqual([b.id]);
    expect((await undo(first.json.id)).status).toBe(200);
    expect(await subjects(about)).toEqual([a.id]);
    for (const [name, id] of [
      ["chain a", a.id],
      ["chain b", b.id],
      ["chain c", c.id],
    ] as const)
      expect(idsOf(await named(name))).toEqual([id]);
  });

  it("of several into one is undone in any order, and each gets back what it brought", async () => {
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ];
    for (const order of orders) {
      const [people, into] = [[await made("O0"), await made("O1"), await made("O2")], await made("O")];
      const about = await memory({ about: people.map(({ id }) => id) });
      const merges: string[] = [];
      for (const { id } of people) merges.push((await merge(into.id, id)).json.id);
      const back: string[] = [];
      for (const i of order) {
        expect((await undo(nth(merges, i))).status).toBe(200);
        back.push(nth(people, i).id);
        expect(await subjects(about)).toEqual([...back, ...(back.length < 3 ? [into.id] : [])].toSorted());
      }
    }
  });

  it("has nothing to move back where an edit came between and another merge led there since", async () => {
    const [a, b, c, into] = [await made("E1"), await made("E2"), await made("E3"), await made("E")];
    const about = await memory({ about: [a.id], statedBy: a.id });
    const first = await merge(into.id, a.id);
    await dropSubject(about, into.id);
    for (const { id } of [b, c]) await addSubject(about, id);
    await rows("update memories set stated_by = (select id from persons where public_id = ?) where id = ?", b.id, about);
    const second = await merge(into.id, b.id);
    await undo(first.json.id);
    expect([await subjects(about), await stater(about)]).toEqual([[c.id, into.id].toSorted(), into.id]);
    await undo(second.json.id);
    expect([await subjects(about), await stater(about)]).toEqual([[b.id, c.id].toSorted(), b.id]);
  });

  it("leaves to each of the later merges what it moved or found", async () => {
    const [a, b, c, into] = [await made("G1"), await made("G2"), await made("G3"), await made("G")];
    const about = await memory({ about: [a.id] });
    const first = await merge(into.id, a.id);
    await dropSubject(about, into.id);
    for (const { id } of [b, c]) await addSubject(about, id);
    const second = await merge(into.id, b.id);
    const third = await merge(into.id, c.id);
    await undo(first.json.id);
    expect(await subjects(about)).toEqual([into.id]);
    await undo(third.json.id);
    expect(await subjects(about)).toEqual([c.id, into.id].toSorted());
    await undo(second.json.id);
    expect(await subjects(about)).toEqual([b.id, c.id].toSorted());
  });

  it("is undone for whole trees, and what merged within them is their own", async () => {
    const [f, x, a, b, into] = [await made("T1"), await made("T2"), await made("T3"), await made("T4"), await made("T5")];
    const about = await memory({ about: [f.id, x.id, a.id] });
    const first = await merge(into.id, f.id);
    await merge(a.id, x.id);
    await merge(b.id, a.id);
    const last = await merge(into.id, b.id);
    for (const { id } of [f, x, a, b]) expect((await get(id)).json.mergedInto).toBe(into.id);
    await undo(first.json.id);
    expect(await subjects(about)).toEqual([f.id, into.id].toSorted());
    await undo(last.json.id);
    expect(await subjects(about)).toEqual([f.id, b.id].toSorted());
    for (const { id } of [x, a]) expect((await get(id)).json.mergedInto).toBe(b.id);
    expect([(await get(f.id)).json.mergedInto, (await get(b.id)).json.mergedInto]).toEqual([null, null]);
  });

  it("makes the user it is done for", async () => {
    const [from, own] = [await made("For"), await user("for-user")];
    const merged = await merge(own.id, from.id, "first-heard-of");
    expect([merged.status, (await me("first-heard-of")).status]).toEqual([201, 200]);
    expect((await undo(merged.json.id, "then-heard-of")).status).toBe(200);
    expect((await me("then-heard-of")).status).toBe(200);
  });

  it("leaves a name with the survivor while another who was merged goes by it", async () => {
    const [one, two, into] = [await made("Sam", { aliases: ["Sammy"] }), await made("SAM"), await made("Samuel")];
    const first = await merge(into.id, one.id);
    const second = await merge(into.id, two.id);
    expect((await undo(first.json.id)).json.into.aliases).toEqual(["Sam"]);
    expect(idsOf(await named("sam")).toSorted()).toEqual([one.id, into.id].toSorted());
    expect((await undo(second.json.id)).json.into.aliases).toEqual([]);
    expect(idsOf(await named("sam")).toSorted()).toEqual([one.id, two.id].toSorted());
  });

  it("is refused with 409 beyond 20,000 edges, and nothing moves", async () => {
    const [from, into] = [await made("Heavy"), await made("Light")];
    await rows(
      `insert into memory_subjects (memory_id, person_id) with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
       select 1000000 + i, p.id from n, persons p where p.public_id = ?`,
      from.id,
    );
    const oneMore = await memory({ about: [from.id] });
    expect((await merge(into.id, from.id)).status).toBe(409);
    await dropSubject(oneMore, from.id);
    const { status, json } = await merge(into.id, from.id);
    expect(status).toBe(201);
    const count = async (id: string) =>
      await rows("select count(*) as n from memory_subjects s join persons p on p.id = s.person_id where p.public_id = ?", id);
    expect(await count(into.id)).toEqual([{ n: 20_000 }]);
    expect((await undo(json.id)).status).toBe(200);
    expect(await count(from.id)).toEqual([{ n: 20_000 }]);
  });

  it("that loses a race is answered with 409 and moves nothing", async () => {
    const [from, into, third] = [await made("Race F"), await made("Race I"), await made("Race T")];
    const about = await memory({ about: [from.id] });
    const interruption = createInterruption();
    const slow = await createHarness({ replace: ({ db }) => ({ db: interruption.in(db) }) });
    let won: Answer<Merge> | undefined;
    interruption.afterBatch(1, async () => {
      won = await merge(third.id, from.id);
    });
    const lost = await slow.fetch("POST", `/v1/people/${into.id}/merge`, { key: h.key, body: { userId: "ann", from: from.id } });
    expect([lost.status, won?.status]).toEqual([409, 201]);
    expect(await subjects(about)).toEqual([third.id]);
    expect(await actionsOf(into.id)).toEqual(["person.created"]);

    const id = won?.json.id ?? "";
    interruption.afterBatch(1, () => undo(id));
    expect((await slow.fetch("POST", `/v1/people/merges/${id}/undo`, { key: h.key, body: { userId: "ann" } })).status).toBe(409);
    expect(await subjects(about)).toEqual([from.id]);
    expect(await actionsOf(third.id)).toEqual(["person.created", "person.merged", "person.merge_undone"]);

    interruption.afterBatch(1, () => merge(third.id, into.id));
    const late = await slow.fetch("POST", `/v1/people/${into.id}/merge`, { key: h.key, body: { userId: "ann", from: from.id } });
    expect([late.status, (await get(from.id)).json.mergedInto]).toEqual([409, null]);
  });
});

describe("who may merge", () => {
  type Row = {
    into: "ann's" | "ben's" | "user" | "other user";
    from: "ann's" | "ben's" | "user";
    key: "write" | "admin";
    answer: number;
  };
  const TABLE: Row[] = [
    { into: "ann's", from: "ann's", key: "write", answer: 201 },
    { into: "ann's", from: "ann's", key: "admin", answer: 201 },
    { into: "ann's", from: "ben's", key: "write", answer: 403 },
    { into: "ann's", from: "ben's", key: "admin", answer: 403 },
    { into: "ben's", from: "ann's", key: "write", answer: 403 },
    { into: "ben's", from: "ben's", key: "write", answer: 403 },
    { into: "user", from: "ann's", key: "write", answer: 403 },
    { into: "user", from: "ann's", key: "admin", answer: 201 },
    { into: "user", from: "ben's", key: "admin", answer: 201 },
    { into: "ann's", from: "user", key: "write", answer: 403 },
    { into: "ann's", from: "user", key: "admin", answer: 422 },
    { into: "other user", from: "user", key: "write", answer: 422 },
    { into: "other user", from: "user", key: "admin", answer: 422 },
  ];

  let count = 0;
  const personOf = async (whose: Row["into"]) => {
    count += 1;
    if (whose === "user" || whose === "other user") return await user(`${whose} ${count}`.replaceAll(" ", "-"));
    return await made(`Somebody ${count}`, { userId: whose === "ann's" ? "ann" : "ben" });
  };

  it.each(TABLE)("$from person into $into, by Ann with a key for $key: $answer", async ({ into, from, key, answer }) => {
    const [stays, goes] = [await personOf(into), await personOf(from)];
    const request = { key: key === "admin" ? h.key : writer };
    const before = await memory({ about: [goes.id] });
    const merged = await h.fetch<Merge>("POST", `/v1/people/${stays.id}/merge`, {
      ...request,
      body: { userId: "ann", from: goes.id },
    });
    expect(merged.status).toBe(answer);
    expect(await subjects(before)).toEqual([answer === 201 ? stays.id : goes.id]);
    if (answer === 422) expect(merged.json.code).toBe("unprocessable");
    if (into === "other user") expect(merged.json.detail).toBe("Two users are two people.");
  });

  it("is asked again before a merge is undone", async () => {
    const [a1, a2, own] = [await made("A1"), await made("A2"), await user("undo-user")];
    const between = await merge(a2.id, a1.id);
    expect((await undo(between.json.id, "ben")).status).toBe(403);
    expect((await undo(between.json.id, "ann", { key: writer, body: { userId: "ann" } })).status).toBe(200);
    const intoUser = await merge(own.id, a1.id);
    expect((await undo(intoUser.json.id, "ann", { key: writer })).status).toBe(403);
    expect((await undo(intoUser.json.id, "undo-user", { key: writer })).status).toBe(403);
    expect((await undo(intoUser.json.id, "whoever-it-is")).status).toBe(200);
  });

  it("nobody merges a person into itself, and unknown merges are none", async () => {
    const person = await made("Self");
    const { status, json } = await merge(person.id, person.id);
    expect([status, json.fields?.[0]?.path]).toEqual([422, "from"]);
    expect((await undo("mrg_01a1f92c-720b-7527-9cd5-76463f8b4abc")).status).toBe(404);
    expect((await undo("mrg_x")).status).toBe(404);
    const [from, into] = [await made("N1"), await made("N2")];
    const merged = await merge(into.id, from.id);
    expect((await other.fetch("POST", `/v1/people/merges/${merged.json.id}/undo`, { body: { userId: "ann" } })).status).toBe(404);
  });
});

/**
 * The model: a memory holds mentions, each a path from the person first meant to whom the merges led, with the merge of each step.
 * A merge prolongs the paths that end at `from`, its undoing shortens those whose last step it was, an edit takes paths away.
 */
type Mention = { at: number; merge: number | null; before: Mention | null };
type Move =
  | { do: "merge"; from: number; into: number }
  | { do: "undo"; nth: number }
  | { do: "drop" | "add" | "state"; memory: number; person: number };

const PEOPLE = 6;
const MEMORIES = 3;
const person = fc.nat(PEOPLE - 1);
const aMemory = fc.nat(MEMORIES - 1);
/** Many merges into few, where what one moved and what another found meet. */
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("merge"), from: person, into: fc.oneof(fc.constantFrom(0, 1), person) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("undo"), nth: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("drop", "add", "state"), memory: aMemory, person }) },
);

it("random merges and their undoing in any order, with edits between, move exactly what they should", async () => {
  const seed = Number(import.meta.env.VITE_ISOLATION_SEED ?? 20_260_420);
  // The full run: `npm run test:isolation`.
  const numRuns = Number(import.meta.env.VITE_ISOLATION_RUNS ?? 12);
  const started = fc.array(fc.record({ about: fc.uniqueArray(person, { minLength: 1, maxLength: PEOPLE }), by: person }), {
    minLength: MEMORIES,
    maxLength: MEMORIES,
  });
  await fc.assert(
    fc.asyncProperty(started, fc.array(move, { minLength: 10, maxLength: 25 }), async (start, moves) => {
      const own = await user(`model-${crypto.randomUUID()}`);
      const people = [own.id];
      const idOf = (index: number) => nth(people, index);
      // Fewer names than people, so that some share one.
      const names = ["Modella", "Modello"].map((name) => `${name} ${own.id}`);
      const nameOf = (index: number) => nth(names, index % names.length);
      for (let i = 1; i < PEOPLE; i += 1) people.push((await made(nameOf(i))).id);
      const stored: number[] = [];
      for (const { about, by } of start) stored.push(await memory({ about: about.map(idOf), statedBy: idOf(by) }));

      const first = (at: number): Mention => ({ at, merge: null, before: null });
      const model = start.map(({ about, by }) => ({
        about: about.map(first),
        by: first(by),
        met: new Set(about),
        said: new Set([by]),
      }));
      const merges: { id: string; from: number; into: number; open: boolean }[] = [];
      const leads = (at: number) => merges.some((done) => done.open && done.from === at);

      for (const step of moves) {
        if (step.do === "merge") {
          const answer = await merge(idOf(step.into), idOf(step.from));
          const allowed = step.from !== step.into && step.from !== 0 && !leads(step.from) && !leads(step.into);
          expect(answer.status === 201).toBe(allowed);
          if (!allowed) continue;
          const along = (mention: Mention): Mention =>
            mention.at === step.from ? { at: step.into, merge: merges.length, before: mention } : mention;
          for (const kept of model) Object.assign(kept, { about: kept.about.map(along), by: along(kept.by) });
          for (const kept of model) if (kept.about.some(({ at }) => at === step.into)) kept.met.add(step.into);
          for (const kept of model) kept.said.add(kept.by.at);
          merges.push({ id: answer.json.id, from: step.from, into: step.into, open: true });
        } else if (step.do === "undo") {
          if (merges.length === 0) continue;
          const which = step.nth % merges.length;
          const done = nth(merges, which);
          const allowed = done.open && !leads(done.into);
          expect((await undo(done.id)).status === 200).toBe(allowed);
          if (!allowed) continue;
          done.open = false;
          const back = (mention: Mention): Mention => (mention.merge === which ? (mention.before ?? mention) : mention);
          for (const kept of model) Object.assign(kept, { about: kept.about.map(back), by: back(kept.by) });
        } else {
          const [kept, id] = [nth(model, step.memory), nth(stored, step.memory)];
          // Nobody edits towards one who was merged. Who was taken out and put in again cannot be told from who stayed: the model does not try.
          const isNew = !leads(step.person) && !(step.do === "add" ? kept.met : kept.said).has(step.person);
          if (step.do === "drop") {
            await dropSubject(id, idOf(step.person));
            kept.about = kept.about.filter(({ at }) => at !== step.person);
          } else if (step.do === "add" && isNew) {
            await addSubject(id, idOf(step.person));
            kept.about.push(first(step.person));
            kept.met.add(step.person);
          } else if (step.do === "state" && isNew) {
            await rows(
              "update memories set stated_by = (select id from persons where public_id = ?) where id = ?",
              idOf(step.person),
              id,
            );
            kept.by = first(step.person);
            kept.said.add(step.person);
          }
        }
      }
      for (const [i, kept] of model.entries()) {
        const id = nth(stored, i);
        expect(await subjects(id)).toEqual([...new Set(kept.about.map(({ at }) => idOf(at)))].toSorted());
        expect(await stater(id)).toBe(idOf(kept.by.at));
      }
      const roots = people.filter((_, i) => !leads(i));
      const keys = await rows<{ id: string }>(
        `select distinct p.public_id as id from person_names n join persons p on p.id = n.person_id where p.public_id in (${people.map(() => "?")})`,
        ...people,
      );
      expect(keys.map(({ id }) => id).toSorted()).toEqual(roots.toSorted());
      const rootOf = (i: number): number => {
        const done = merges.find(({ open, from }) => open && from === i);
        return done === undefined ? i : rootOf(done.into);
      };
      for (const [i, id] of people.entries()) expect((await get(id)).json.mergedInto).toBe(leads(i) ? idOf(rootOf(i)) : null);
      for (const name of names) {
        const bearers = people.flatMap((_, i) => (i > 0 && nameOf(i) === name ? [idOf(rootOf(i))] : []));
        const found = idsOf(await named(name)).filter((id) => people.includes(id));
        expect(found.toSorted()).toEqual([...new Set(bearers)].toSorted());
      }
    }),
    { numRuns, seed },
  );
});

describe("what it costs", () => {
  const tripsOf = (answer: Answer<unknown>) => Number(/trips=(\d+)/.exec(answer.headers.get("server-timing") ?? "")?.[1]);

  it("a person is made in one trip, read and listed in one, changed and merged in two", async () => {
    await user("ann");
    const a = await create({ userId: "ann", name: "Trip A" });
    const b = await create({ userId: "trip-new", name: "Trip B" });
    expect([tripsOf(a), tripsOf(b)]).toEqual([1, 1]);
    for (const path of [`/${a.json.id}?userId=ann`, "/me?userId=ann", "?userId=ann", "?userId=ann&name=trip%20a"])
      expect(tripsOf(await h.fetch("GET", `/v1/people${path}`))).toBe(1);
    const c = await made("Trip C");
    expect(tripsOf(await patch(c.id, { notes: "x" }))).toBe(2);
    expect(tripsOf(await alias("PUT", c.id, "x"))).toBe(2);
    const merged = await merge(a.json.id, c.id);
    expect([tripsOf(merged), tripsOf(await undo(merged.json.id))]).toEqual([2, 2]);
  });

  it("lists read no more when there are more people to list", async () => {
    const readOf = async (query: string) =>
      Number(/read=(\d+)/.exec((await h.fetch("GET", `/v1/people?${query}`)).headers.get("server-timing") ?? "")?.[1]);
    const measure = async () => [
      await readOf("userId=reader&limit=3"),
      await readOf("userId=reader&name=many%20of%20them&limit=3"),
    ];
    const make = async (count: number) => {
      for (let i = 0; i < count; i += 1) await made("Many of them", { userId: "reader" });
    };
    await make(6);
    const few = await measure();
    await make(14);
    await create({ userId: "reader", name: "Many of them" }, other);
    expect(await measure()).toEqual(few);
    expect(Math.max(...few)).toBeLessThanOrEqual(60);
  });

  it("no statement reads through a table: each finds its rows by an index", async () => {
    const seen: { query: string; values: unknown[] }[] = [];
    const session = env.DB.withSession("first-primary");
    const spy = {
      prepare: (query: string) => {
        const statement = session.prepare(query);
        const bind = (...values: unknown[]) => {
          seen.push({ query, values });
          return statement.bind(...values);
        };
        return new Proxy(statement, { get: (target, name) => (name === "bind" ? bind : Reflect.get(target, name).bind(target)) });
      },
      batch: <T>(statements: D1PreparedStatement[]) => session.batch<T>(statements),
      getBookmark: () => session.getBookmark(),
    };
    const watched = await createHarness({ replace: () => ({ db: createDb(spy, () => undefined) }) });
    const on = <T = Person>(method: string, path: string, body?: Body) => watched.fetch<T>(method, `/v1/people${path}`, { body });
    const [a, b, c] = [
      (await on("POST", "", { userId: "ann", name: "Plan A", aliases: ["x"] })).json,
      (await on("POST", "", { userId: "ann", name: "Plan B" })).json,
      (await on("POST", "", { userId: "ann", name: "Plan C" })).json,
    ];
    const page = (await on<Page<Person>>("GET", "?userId=ann&limit=1")).json.nextCursor;
    await on("GET", `?userId=ann&limit=1&cursor=${page}`);
    await on("GET", "?userId=ann&name=plan%20a");
    await on("GET", `?userId=ann&name=plan%20a&cursor=${page}`);
    await on("GET", "/me?userId=ann");
    await on("PATCH", `/${a.id}`, { userId: "ann", name: "Plan AA", aliases: ["y"] });
    await on("PUT", `/${a.id}/aliases/z?userId=ann`);
    const first = await on<Merge>("POST", `/${b.id}/merge`, { userId: "ann", from: a.id });
    expect((await on<Merge>("POST", `/${b.id}/merge`, { userId: "ann", from: c.id })).status).toBe(201);
    expect((await on("POST", `/merges/${first.json.id}/undo`, { userId: "ann" })).status).toBe(200);

    const tables = "persons|person_names|person_merges|person_merge_edges|memory_subjects|memories|users|spaces|audit";
    const aliases = "p|s|b|n|x|u|m|mg|lm|d|e|f|g|o|pu|cu|sp";
    const reads: string[] = [];
    for (const { query, values } of seen.filter(({ query }) => /person|stated_by/.test(query))) {
      const plan = await env.DB.prepare(`explain query plan ${query}`)
        .bind(...values)
        .all<{ detail: string }>();
      for (const { detail } of plan.results) {
        if (new RegExp(`^SCAN (${tables}|${aliases})\\b(?! VIRTUAL)`).test(detail)) reads.push(`${detail} in ${query}`);
        if (/USING (AUTOMATIC|.*\(tenant_id=\?\))/.test(detail) && !detail.includes("audit")) reads.push(`${detail} in ${query}`);
      }
    }
    expect(reads).toEqual([]);
    expect(seen.length).toBeGreaterThan(50);
  });
});
