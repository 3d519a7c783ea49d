import { beforeEach, describe, expect, it } from "vitest";
import type { ErasedView } from "#domain/audit";
import { createHarness, type Harness } from "#test/harness";
import { tamper, threeStretches, verify, write, writeMany } from "./audit-rows.ts";
import { type Problem, rows } from "./requests.ts";

let h: Harness;
const makeHarness = () => createHarness({ replace: () => ({ log: () => undefined }) });
beforeEach(async () => {
  h = await makeHarness();
});

describe("erased content", () => {
  const erase = async (body: Record<string, unknown>) => await h.fetch<ErasedView & Problem>("POST", "/v1/audit/erase", { body });
  const content = async (condition: string) =>
    await rows(
      `select count(*) as n, count(user_id) as users, count(detail) as details, count(salt) as salts, count(content_hash) as hashes
      from audit where tenant_id = ? and ${condition}`,
      h.tenantId,
    );

  it("is gone, the chain goes on through it, and its rows still stand for something", async () => {
    await h.fetch("PUT", "/v1/users/ann", { body: { name: "Ann" } });
    await threeStretches(h);
    const head = (await verify(h)).head;
    expect((await erase({ userId: "ann" })).json).toEqual({ erased: 1, nextCursor: null });
    expect(await content("seq = 1")).toEqual([{ n: 1, users: 0, details: 0, salts: 0, hashes: 1 }]);
    expect(await verify(h, `?seq=${head.seq}&hash=${head.hash}`)).toMatchObject({
      intact: true,
      checked: 11,
      noted: { onChain: true },
    });
    const { json } = await h.fetch<{ items: unknown[] }>("GET", "/v1/audit");
    expect(json.items.at(-1)).toMatchObject({ seq: 1, action: "user.saved", userId: null, detail: null, erased: true });
    expect(json.items[0]).toMatchObject({
      action: "audit.erased",
      userId: null,
      detail: { rows: 1, by: "userId" },
      erased: false,
    });
    expect((await erase({ userId: "ann" })).json).toEqual({ erased: 0, nextCursor: null });
  });

  it.each([
    ["content_hash = lower(hex(randomblob(32)))", "changed_row"],
    ["action = 'x'", "changed_row"],
    [`detail = '{}'`, "changed_row"],
    ["user_id = 1", "changed_row"],
    ["content_hash = null", "changed_row"],
    ["erased_at = null", "changed_row"],
    [`erased_at = null, content_hash = null, salt = 'aa', detail = '{}'`, "changed_row"],
  ])("that somebody touches shows: %s", async (assignment, kind) => {
    await threeStretches(h);
    const [row] = await rows<{ id: string }>("select id from audit where tenant_id = ? and seq = 5", h.tenantId);
    expect((await erase({ ids: [row?.id] })).json.erased).toBe(1);
    expect((await verify(h)).intact).toBe(true);
    await tamper(h, assignment, 5);
    expect(await verify(h)).toMatchObject({ intact: false, checked: 3, problem: { kind } });
  });

  it("of a user is what was done for them, to them, and names them", async () => {
    const ann = { userId: "ann" };
    await h.fetch("PUT", "/v1/users/bob");
    await h.fetch("PUT", "/v1/projects/bob", { body: ann });
    await h.fetch("PUT", "/v1/projects/bob/members/bob?userId=ann");
    await h.fetch("PUT", "/v1/sessions/all", { body: { ...ann, participants: ["ann", "bob"] } });
    await h.fetch("PUT", "/v1/sessions/bob", { body: { ...ann, projectId: "bob" } });
    await h.fetch("PUT", "/v1/sessions/all", { body: { ...ann, participants: ["ann"] } });
    expect((await erase({ userId: "bob" })).json.erased).toBe(4);
    const written = await rows<{ action: string; erased: number }>(
      "select action, erased_at is not null as erased from audit where tenant_id = ? and action <> 'audit.erased' order by seq",
      h.tenantId,
    );
    expect(written.map(({ action, erased }) => `${action} ${erased}`)).toEqual([
      "user.saved 1",
      "project.created 0",
      "project.member_added 1",
      "session.opened 1",
      // In the project "bob", which is no user.
      "session.opened 0",
      "session.participants 1",
    ]);
  });

  it("is sealed before it is erased", async () => {
    await write(h, 3);
    const [row] = await rows<{ id: string }>("select id from audit where tenant_id = ? and seq = 2", h.tenantId);
    await erase({ ids: [row?.id] });
    expect(await rows("select seq from audit_seals where tenant_id = ?", h.tenantId)).toEqual([{ seq: 3 }]);
  });

  it("of an object covers the rows about it, and no other tenant's", async () => {
    const other = await makeHarness();
    for (const on of [h, other]) await on.fetch("PATCH", "/v1/settings", { body: { maxTokens: 1 } });
    expect((await erase({ objectId: "settings" })).json.erased).toBe(1);
    expect(await rows("select count(*) as n from audit where tenant_id = ? and detail is null", other.tenantId)).toEqual([
      { n: 0 },
    ]);
  });

  describe("of an id that several objects have", () => {
    const erased = async () =>
      (
        await rows<{ action: string }>(
          "select action from audit where tenant_id = ? and erased_at is not null order by seq",
          h.tenantId,
        )
      ).map(({ action }) => action);
    const nameAll = async (id: string) => {
      await h.fetch("PUT", `/v1/users/${id}`, { body: { name: "Ann" } });
      await h.fetch("PUT", `/v1/projects/${id}`, { body: { userId: "bob" } });
      await h.fetch("PUT", `/v1/sessions/${id}`, { body: { userId: "bob" } });
    };
    const refused = { status: 422, json: { code: "unprocessable", fields: [{ path: "objectKind" }] } };

    it("is not erased until the kind is named", async () => {
      await nameAll("1");
      expect(await erase({ objectId: "1" })).toMatchObject(refused);
      expect((await erase({ objectId: "1" })).json.detail).toContain("objectKind");
      expect(await erased()).toEqual([]);
    });

    it.each([
      ["session", "session.opened"],
      ["project", "project.created"],
      ["user", "user.saved"],
    ])("is erased of the kind that is named: %s", async (objectKind, action) => {
      await nameAll("1");
      expect((await erase({ objectId: "1", objectKind })).json).toEqual({ erased: 1, nextCursor: null });
      expect(await erased()).toEqual([action]);
    });

    it("is not erased where one is named by the app, and one by the service", async () => {
      await h.fetch("PUT", "/v1/users/settings", { body: { name: "Ann" } });
      await h.fetch("PUT", "/v1/users/allotment", { body: { name: "Bob" } });
      const nouns = { nouns: [{ noun: "allotment" }] };
      expect((await h.fetch("PUT", "/v1/topics/allotment", { body: nouns })).status).toBe(201);
      await h.fetch("PATCH", "/v1/settings", { body: { maxTokens: 1 } });
      for (const objectId of ["settings", "allotment"]) expect(await erase({ objectId })).toMatchObject(refused);
      // Rows about a topic stay when the topic is deleted.
      await h.fetch("DELETE", "/v1/topics/allotment");
      expect(await erase({ objectId: "allotment" })).toMatchObject(refused);
      expect(await erased()).toEqual([]);
      for (const objectId of ["settings", "allotment"])
        expect((await erase({ objectId, objectKind: "user" })).json.erased).toBe(1);
      expect(await erased()).toEqual(["user.saved", "user.saved"]);
    });

    it("is erased without a kind where only another tenant has the others", async () => {
      const other = await makeHarness();
      await other.fetch("PUT", "/v1/projects/1", { body: { userId: "bob" } });
      await h.fetch("PUT", "/v1/users/1", { body: { name: "Ann" } });
      expect((await erase({ objectId: "1" })).json.erased).toBe(1);
    });

    it("is erased by an id of the service's own, without a kind", async () => {
      await nameAll("1");
      const [session] = await rows<{ id: string }>(
        "select public_id as id from sessions where tenant_id = ? and external_id = '1'",
        h.tenantId,
      );
      expect((await erase({ objectId: session?.id })).json.erased).toBe(1);
      expect(await erased()).toEqual(["session.opened"]);
    });

    it("has a kind only together with the id", async () => {
      for (const named of [{ userId: "ann" }, { ids: ["aud_1"] }])
        expect(await erase({ ...named, objectKind: "user" })).toMatchObject(refused);
      expect((await erase({ objectKind: "user" })).status).toBe(400);
      expect((await erase({ objectId: "1", objectKind: "memory" })).status).toBe(400);
    });
  });

  it("is erased a bounded number of rows a call, and the cursor goes on", async () => {
    await writeMany(h, 12_000);
    const [first, second] = [await erase({ objectId: "object_7" }), await erase({ objectId: "nothing" })];
    expect([first.json.erased, second.json.erased]).toEqual([10, 0]);
    expect((await erase({ objectId: "object_7", cursor: first.json.nextCursor })).json).toEqual({ erased: 2, nextCursor: null });
    await rows("update audit set object_id = 'one' where tenant_id = ? and seq between 100 and 1000", h.tenantId);
    const half = await erase({ objectId: "one" });
    expect(Number(/\bread=(\d+)/.exec(half.headers.get("server-timing") ?? "")?.[1])).toBeLessThan(5_000);
    expect([half.json.erased, (await erase({ objectId: "one", cursor: half.json.nextCursor })).json.erased]).toEqual([500, 401]);
  });

  it("must be named in one way", async () => {
    for (const body of [{}, { userId: "ann", objectId: "settings" }, { ids: [] }, { cursor: "W10" }])
      expect((await erase(body)).json.code).toBe("invalid_input");
  });

  it("is erased once by two at once", async () => {
    await write(h, 5);
    const ids = (await rows<{ id: string }>("select id from audit where tenant_id = ?", h.tenantId)).map(({ id }) => id);
    const answers = await Promise.all([erase({ ids }), erase({ ids })]);
    expect(answers.reduce((sum, { json }) => sum + json.erased, 0)).toBe(5);
    expect(await rows("select 1 from audit where tenant_id = ? and action = 'audit.erased'", h.tenantId)).toHaveLength(1);
    expect((await verify(h)).intact).toBe(true);
  });
});
