import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { add, addAll, approveOne, contentsOf, fieldsOf, get, group, list, pastOf, personOf } from "./memory-requests.ts";
import { nth, rows } from "./requests.ts";

let h: Harness;
const interruption = createInterruption();
beforeAll(async () => {
  h = await createHarness({
    replace: ({ db }) => ({
      log: () => undefined,
      db: interruption.in(db),
    }),
  });
  await group(h, "club", ["ann", "ben"]);
});
beforeEach(interruption.cancel);

let user = 0;
/** A user of their own for each test, with one key. */
const keyed = () => {
  user += 1;
  const userId = `user-${user}`;
  return { userId, upsert: (content: string, extra: object = {}) => add(h, { userId, key: "drink", content, ...extra }) };
};
const liveOf = (userId: string) =>
  rows<{ content: string; key: string }>(
    "select content, key from memories where owner_id = (select id from users where external_id = ? and tenant_id = ?) and deleted_at is null and superseded_by is null order by id",
    userId,
    h.tenantId,
  );

describe("a key", () => {
  it("changes its memory in place: metadata is merged, what is not named stays, and the old version is kept", async () => {
    const { userId, upsert } = keyed();
    const first = await upsert("Drinks tea.", { metadata: { a: 1, b: { c: 1 } }, confidence: 0.8, sensitivity: "personal" });
    const second = await upsert("Drinks coffee.", { metadata: { b: { d: 2 }, e: 3 } });
    expect([first.status, second.status, second.json.created]).toEqual([201, 200, false]);
    expect(second.json).toMatchObject({
      id: first.json.id,
      content: "Drinks coffee.",
      version: 2,
      confidence: 0.8,
      sensitivity: "personal",
      metadata: { a: 1, b: { d: 2 }, e: 3 },
      seen: { count: 2 },
    });
    const { json: past } = await pastOf(h, first.json.id, `userId=${userId}`);
    expect(past.versions).toMatchObject([
      { version: 1, content: "Drinks tea.", metadata: { a: 1, b: { c: 1 } }, key: "drink", confidence: 0.8 },
    ]);
    expect(contentsOf(await list(h, `userId=${userId}&text=coffee`))).toEqual(["Drinks coffee."]);
    expect(contentsOf(await list(h, `userId=${userId}&text=tea`))).toEqual([]);
  });

  it("with all as it was is only said again: no version is kept", async () => {
    const { upsert } = keyed();
    const said = { metadata: { a: 1 }, workspaceId: "w", type: "preference" };
    await upsert("Drinks tea.", said);
    const again = await upsert("Drinks tea.", { ...said, confidence: 0.7 });
    expect(again.json).toMatchObject({ version: 1, created: false, confidence: 1, seen: { count: 2 } });
    expect(
      await rows("select 1 from memory_versions where memory_id = (select id from memories where public_id = ?)", again.json.id),
    ).toEqual([]);
    const until = await upsert("Drinks tea.", { ...said, expiresAt: "2199-01-01T00:00:00Z" });
    expect(until.json).toMatchObject({ version: 2, expiresAt: "2199-01-01T00:00:00.000Z" });
  });

  it("is a name in its workspace and its space", async () => {
    const { userId, upsert } = keyed();
    const ids = [
      await upsert("Drinks tea."),
      await upsert("Drinks tea.", { workspaceId: "w1" }),
      await upsert("Drinks mate.", { workspaceId: "w2" }),
      await add(h, { userId: "ann", key: "drink", content: "Drinks tea." }),
      await add(h, { userId: "ann", key: "drink", content: "Drinks tea.", sessionId: "club" }),
      await add(h, { key: "drink", content: "Drinks tea.", shared: true }),
    ].map(({ json }) => json.id);
    expect(new Set(ids).size).toBe(6);
    await upsert("Drinks rum.", { workspaceId: "w1" });
    expect(contentsOf(await list(h, `userId=${userId}&workspaceId=w1&ownership=personal`))).toEqual([
      "Drinks rum.",
      "Drinks tea.",
    ]);
  });

  it("takes a keyless memory of the same words for its own", async () => {
    const { userId, upsert } = keyed();
    const keyless = await add(h, { userId, content: "Drinks tea." });
    const adopted = await upsert("drinks tea", { metadata: { a: 1 } });
    expect(adopted.json).toMatchObject({ id: keyless.json.id, key: "drink", created: false, version: 2, metadata: { a: 1 } });
    expect((await add(h, { userId, content: "Drinks tea." })).json).toMatchObject({ id: keyless.json.id, key: "drink" });
  });

  it("beside another with the same words is another memory", async () => {
    const { userId, upsert } = keyed();
    const first = await upsert("Drinks tea.");
    const second = await add(h, { userId, key: "beverage", content: "Drinks tea." });
    expect([second.status, second.json.id === first.json.id]).toEqual([201, false]);
    expect(await liveOf(userId)).toMatchObject([{ key: "drink" }, { key: "beverage" }]);
  });

  it("takes the place of a keyless memory whose words it gets", async () => {
    const { userId, upsert } = keyed();
    const first = await upsert("Drinks tea.");
    const keyless = await add(h, { userId, content: "Drinks coffee." });
    await upsert("Drinks coffee.");
    expect(await liveOf(userId)).toEqual([{ content: "Drinks coffee.", key: "drink" }]);
    expect((await get(h, keyless.json.id, `userId=${userId}`)).status).toBe(404);
    expect((await pastOf(h, keyless.json.id, `userId=${userId}`)).json.memory.supersededBy).toBe(first.json.id);
  });

  it("takes nobody's place while it waits for review", async () => {
    const { userId, upsert } = keyed();
    await upsert("Drinks tea.");
    const keyless = await add(h, { userId, content: "Drinks coffee." });
    expect((await upsert("Drinks coffee.", { confidence: 0.2 })).json.status).toBe("pending");
    expect((await get(h, keyless.json.id, `userId=${userId}`)).status).toBe(200);
  });

  it("leaves what a person decided about the words when only something else changes", async () => {
    const { userId, upsert } = keyed();
    const { json } = await upsert("Her passport number is C01X00T47.");
    expect(json.status).toBe("pending");
    await approveOne(h, json.id, { userId });
    expect((await upsert("Her passport number is C01X00T47.", { metadata: { a: 1 } })).json).toMatchObject({
      status: "approved",
      metadata: { a: 1 },
    });
  });

  it("keeps who said it, unless the words change", async () => {
    const ben = await personOf(h, "ben");
    const ann = await personOf(h, "ann");
    const say = (userId: string, content: string, metadata: object) =>
      add(h, { userId, sessionId: "club", key: "plan", content, metadata });
    expect((await say("ann", "The club will row.", {})).json.statedBy).toBe(ann);
    expect((await say("ben", "The club will row.", { a: 1 })).json).toMatchObject({ version: 2, statedBy: ann });
    expect((await say("ben", "The club will sail.", {})).json.statedBy).toBe(ben);
  });

  it("twenty times at once is one memory, and each version of it is kept", async () => {
    const { userId, upsert } = keyed();
    await upsert("Drinks water.");
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => upsert(`Drinks ${i} cups.`)));
    const done = answers.filter(({ status }) => status === 200);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(done.length).toBeGreaterThan(0);
    const [memory] = await liveOf(userId);
    expect(await liveOf(userId)).toHaveLength(1);
    const { json } = await pastOf(h, nth(done, 0).json.id, `userId=${userId}`);
    expect(json.versions).toHaveLength(done.length);
    const said = new Set([...json.versions.map(({ content }) => content), memory?.content]);
    expect(said).toEqual(new Set(["Drinks water.", ...done.map(({ json: { content } }) => content)]));
  });

  it("that somebody else makes at the same moment is changed, not made twice", async () => {
    const { userId, upsert } = keyed();
    await h.fetch("PUT", `/v1/users/${userId}`);
    interruption.beforeBatch(2, () => upsert("Drinks tea.", { metadata: { a: 1 } }));
    const late = await upsert("Drinks coffee.", { metadata: { b: 2 } });
    expect(late.json).toMatchObject({ created: false, version: 2, metadata: { a: 1, b: 2 } });
    expect(await liveOf(userId)).toEqual([{ content: "Drinks coffee.", key: "drink" }]);
  });
});

describe("one call", () => {
  it("stores a hundred in their order", async () => {
    const { userId } = keyed();
    const { status, json } = await addAll(
      h,
      Array.from({ length: 100 }, (_, i) => ({ content: `Stone number ${i}.`, key: `stone:${i}`, subjects: [] })),
      { userId },
    );
    expect([status, json.items.length]).toEqual([201, 100]);
    expect(json.items.map(({ content }) => content)).toEqual(Array.from({ length: 100 }, (_, i) => `Stone number ${i}.`));
    expect(contentsOf(await list(h, `userId=${userId}&limit=100`))).toEqual(json.items.map(({ content }) => content).reverse());
    const refused = await addAll(
      h,
      Array.from({ length: 101 }, (_, i) => `Stone ${i}`),
      { userId },
    );
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ["memories"]]);
  });

  it.each([
    [{ content: "" }, 400, "memories[3].content"],
    [{ content: "My password is hunter2hunter2" }, 422, "memories[3].content"],
    [{ content: "x", type: "opinion" }, 422, "memories[3].type"],
    [{ content: "Pebble 0", subjects: ["per_01a1f92c-720b-7527-9cd5-76463f8b4abc"] }, 422, "memories[3].subjects[0]"],
    [{ content: "x", scopeId: "1" }, 422, "memories[3].scopeId"],
  ])("is stored as a whole or not at all: %j", async (bad, status, path) => {
    const { userId } = keyed();
    const memories = [...Array.from({ length: 3 }, (_, i) => ({ content: `Pebble ${i}` })), bad, { content: "Pebble 4" }];
    const answer = await addAll(h, memories, { userId });
    expect([answer.status, fieldsOf(answer)]).toEqual([status, [path]]);
    expect(await liveOf(userId)).toEqual([]);
    expect(await rows("select 1 from users where external_id = ?", userId)).toEqual([]);
  });

  it("has each key once", async () => {
    const { userId } = keyed();
    const twice = await addAll(
      h,
      [
        { content: "a", key: "k" },
        { content: "b", key: "k" },
      ],
      { userId },
    );
    expect([twice.status, fieldsOf(twice)]).toEqual([422, ["memories[1].key"]]);
    const separate = await addAll(
      h,
      [
        { content: "a", key: "k" },
        { content: "b", key: "k", workspaceId: "w" },
      ],
      { userId },
    );
    expect(separate.status).toBe(201);
  });

  it("makes of the same words, with a key and without, one memory with the key", async () => {
    const { userId } = keyed();
    await add(h, { userId, content: "Drinks tea." });
    const { json } = await addAll(
      h,
      ["Drinks tea.", { content: "Drinks tea.", key: "drink" }, "Eats rice.", { content: "Eats rice.", key: "food" }],
      { userId },
    );
    expect(json.items.map(({ created }) => created)).toEqual([false, false, true, false]);
    expect(json.items.map(({ key }) => key)).toEqual(["drink", "drink", "food", "food"]);
    expect(await liveOf(userId)).toMatchObject([{ key: "drink" }, { key: "food" }]);
  });

  it("gives a keyless memory to the first of two keys with its words", async () => {
    const { userId } = keyed();
    await add(h, { userId, content: "Drinks tea." });
    const { json } = await addAll(
      h,
      [
        { content: "Drinks tea.", key: "a" },
        { content: "Drinks tea.", key: "b" },
      ],
      { userId },
    );
    expect(json.items.map(({ created, key }) => [created, key])).toEqual([
      [false, "a"],
      [true, "b"],
    ]);
  });

  it("keeps words that a key gives up in the same call", async () => {
    const { userId, upsert } = keyed();
    await upsert("Drinks tea.");
    const { json } = await addAll(h, [{ content: "Drinks coffee.", key: "drink" }, "Drinks tea."], { userId });
    expect(json.items.map(({ created, content }) => [created, content])).toEqual([
      [false, "Drinks coffee."],
      [true, "Drinks tea."],
    ]);
  });

  it("with an idempotency key is carried out once", async () => {
    const { userId } = keyed();
    const post = () =>
      h.fetch<{ items: { id: string }[] }>("POST", "/v1/memories", {
        body: { userId, memories: [{ content: "Walks." }, { content: "Runs." }] },
        headers: { "idempotency-key": `batch of ${userId}` },
      });
    const [first, second] = [await post(), await post()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json.items).toEqual(first.json.items.map(({ id }) => ({ id, created: true, version: 1 })));
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await rows("select seen_count as n from memories where content in ('Walks.', 'Runs.')")).toEqual([{ n: 1 }, { n: 1 }]);
  });
});
