import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { contextFor, linesOf } from "./context-requests.ts";
import { add, addAll, fieldsOf, group, personOf } from "./memory-requests.ts";
import { append, rows } from "./requests.ts";

let h: Harness;
let alice = "";
let bob = "";
let eve = "";

beforeEach(async () => {
  h = await createHarness();
  for (const name of ["Alice", "Bob", "Eve"]) await h.fetch("PUT", `/v1/users/${name.toLowerCase()}`, { body: { name } });
  [alice, bob, eve] = [await personOf(h, "alice"), await personOf(h, "bob"), await personOf(h, "eve")];
});

const byEve = async (more: Record<string, unknown>) =>
  await add(h, { userId: "eve", content: "Lives in Forgedville", portable: true, sensitivity: "public", ...more });
/** What Alice's context says of her home, without the mark and the day. */
const aliceSaid = async (more: Record<string, unknown> = {}) =>
  linesOf(await contextFor(h, { userId: "alice", query: "What do you know about me?", kinds: ["memory"], ...more })).map((line) =>
    line.replace(/^\[M\d+\] \([\d :-]+, /, "("),
  );

describe("statedBy is earned", () => {
  it("a memory about Alice that Eve stores as stated by Alice is refused, and nothing is stored", async () => {
    await group(h, "club", ["eve", "bob"]);
    await group(h, "past", ["eve", "alice"]);
    const { json: before } = await append(h, "past", { userId: "eve", messages: [{ role: "user", content: "Hello" }] });
    await h.fetch("PUT", "/v1/sessions/past", { body: { participants: ["eve", "bob"], userId: "eve" } });
    await append(h, "eves", { userId: "eve", messages: [{ role: "user", content: "Hello" }] });
    const forged = { subjects: [alice], statedBy: alice };
    for (const place of [
      {},
      { learnedIn: { sessionId: "eves" } },
      { learnedIn: { sessionId: "club" } },
      { sessionId: "club" },
      { learnedIn: { sessionId: "past" } },
    ]) {
      const answer = await byEve({ ...forged, ...place });
      expect([answer.status, answer.json.code, fieldsOf(answer)], JSON.stringify(place)).toEqual([
        422,
        "unprocessable",
        ["statedBy"],
      ]);
      expect(answer.json.fields?.[0]?.message).toMatch(/took part in the session of learnedIn/);
    }
    const many = await addAll(h, ["Is fine.", { content: "Lives in Forgedville", ...forged }], { userId: "eve" });
    expect([many.status, fieldsOf(many)]).toEqual([422, ["memories[1].statedBy"]]);
    expect(await rows("select id from memories where tenant_id = ?", h.tenantId)).toEqual([]);
    expect(await aliceSaid()).toEqual([]);
    // While Alice took part, it may have been said.
    const learnedIn = { sessionId: "past", episodeId: before.id };
    expect((await byEve({ ...forged, learnedIn })).status).toBe(201);
  });

  it("neither is it by somebody who is no user, nor in a memory of the tenant", async () => {
    const { json: may } = await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "eve", name: "Aunt May" } });
    expect(fieldsOf(await byEve({ statedBy: may.id }))).toEqual(["statedBy"]);
    const shared = await add(h, { content: "Prices are in euro", shared: true, statedBy: alice });
    expect([shared.status, fieldsOf(shared)]).toEqual([422, ["statedBy"]]);
  });

  it("one's own person and a participant of learnedIn, or of the group itself, may be named", async () => {
    await group(h, "club", ["eve", "bob"]);
    expect((await byEve({ statedBy: eve })).json.statedBy).toBe(eve);
    expect((await byEve({ content: "Rows on Mondays", statedBy: bob, learnedIn: { sessionId: "club" } })).json.statedBy).toBe(
      bob,
    );
    expect((await byEve({ content: "The club rows", statedBy: bob, sessionId: "club" })).json.statedBy).toBe(bob);
    const made = await add(h, { userId: "new", content: "I am new", statedBy: alice });
    expect([made.status, await rows("select id from users where tenant_id = ? and external_id = 'new'", h.tenantId)]).toEqual([
      422,
      [],
    ]);
  });
});

describe("a personal key states what its own user said", () => {
  it("and names nobody else as who said it: 403, and nothing is stored", async () => {
    const issued = await h.fetch<{ key: string }>("POST", "/v1/keys", {
      user: null,
      body: { name: "eve's", userId: "eve", permissions: ["read", "write"] },
    });
    const { key } = issued.json;
    const opened = await h.fetch("PUT", "/v1/sessions/trap", { key, user: null, body: { participants: ["eve", "alice"] } });
    expect(opened.status).toBe(201);
    const state = async (more: Record<string, unknown>) =>
      await add(h, { content: "Alice hates Bob", ...more }, { key, user: null });
    for (const place of [{ learnedIn: { sessionId: "trap" } }, { sessionId: "trap" }, {}]) {
      const answer = await state({ statedBy: alice, ...place });
      expect([answer.status, answer.json.code], JSON.stringify(place)).toEqual([403, "forbidden"]);
      expect(answer.json.detail).toMatch(/bound to one user/);
    }
    const unknown = "per_01890000-0000-7000-8000-000000000000";
    expect((await state({ statedBy: unknown, learnedIn: { sessionId: "trap" } })).status).toBe(403);
    expect(await rows("select id from memories where tenant_id = ?", h.tenantId)).toEqual([]);
    const own = await state({ statedBy: eve, learnedIn: { sessionId: "trap" } });
    expect([own.status, own.json.statedBy]).toEqual([201, eve]);
  });
});

describe("in another owner's block the line says who noted it", () => {
  beforeEach(async () => {
    await group(h, "pair", ["eve", "alice", "bob"]);
  });
  const learnedIn = { sessionId: "pair" };

  it("instead of that the user said it", async () => {
    await byEve({ subjects: [alice], statedBy: alice, learnedIn });
    expect(await aliceSaid()).toEqual(['(knowledge, noted by "Eve", about the user) Lives in Forgedville']);
    expect(await aliceSaid({ sessionId: "pair" })).toEqual(['(knowledge, noted by "Eve", about "Alice") Lives in Forgedville']);
    const { items } = (await contextFor(h, { userId: "alice", query: "What do you know about me?", kinds: ["memory"] })).json;
    expect(items[0]?.speaker).toBeNull();
  });

  it("instead of a bare claim, to who was not there", async () => {
    await group(h, "others", ["eve", "bob"]);
    await byEve({ subjects: [alice], learnedIn: { sessionId: "others" } });
    expect(await aliceSaid()).toEqual(["(knowledge, noted by another user, about the user) Lives in Forgedville"]);
  });

  it("beside whoever is said to have said it; what its owner said themselves is said by them", async () => {
    await byEve({ subjects: [alice], statedBy: bob, learnedIn });
    await byEve({ content: "Alice lives by the sea", subjects: [alice], learnedIn });
    expect((await aliceSaid()).toSorted()).toEqual([
      '(knowledge, noted by "Eve" as said by "Bob", about the user) Lives in Forgedville',
      '(knowledge, said by "Eve", about the user) Alice lives by the sea',
    ]);
  });

  it("of a group's memory that comes from elsewhere, that a group noted it", async () => {
    await byEve({ subjects: [alice], statedBy: alice, sessionId: "pair" });
    expect(await aliceSaid()).toEqual(["(knowledge, noted by a group, about the user) Lives in Forgedville"]);
  });

  it("one's own memories say who said them as before", async () => {
    await add(h, { userId: "alice", content: "I live in Lisbon" });
    expect(await aliceSaid()).toEqual(["(knowledge, said by the user) I live in Lisbon"]);
  });
});
