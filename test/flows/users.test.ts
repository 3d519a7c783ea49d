import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UserView } from "#domain/tenants";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { rows } from "./requests.ts";

const interruption = createInterruption();
let h: Harness;
beforeAll(async () => {
  h = await createHarness({
    replace: ({ db }) => ({ log: () => undefined, db: interruption.in(db) }),
  });
});
beforeEach(interruption.cancel);

const save = async (user: string, body?: { name?: string | null }) =>
  await h.fetch<UserView>("PUT", `/v1/users/${user}`, { body });

/** The user's own person: its name, and the keys by which it is found. */
async function personOf(user: string) {
  const found = await rows<{ name: string; version: number; key: string | null }>(
    `select p.name, p.version, n.name_key as key from users u join persons p on p.user_id = u.id
    left join person_names n on n.person_id = p.id where u.tenant_id = ? and u.external_id = ? order by n.name_key`,
    h.tenantId,
    user,
  );
  return { name: found[0]?.name, version: found[0]?.version, keys: found.map(({ key }) => key) };
}

const audited = async () =>
  (await rows<{ n: number }>("select count(*) as n from audit where tenant_id = ? and action = 'user.saved'", h.tenantId))[0]?.n;

describe("saving a user", () => {
  it("makes it once, and is written down once", async () => {
    const before = Number(await audited());
    const first = await save("ann");
    expect([first.status, first.json.name]).toEqual([200, null]);
    expect((await save("ann")).json).toEqual(first.json);
    expect((await save("ann", { name: null })).json).toEqual(first.json);
    expect(await audited()).toBe(before + 1);
  });

  it("that a session has made already is no change", async () => {
    await h.fetch("PUT", "/v1/sessions/s1", { body: { userId: "made" } });
    const before = await audited();
    expect((await save("made")).status).toBe(200);
    expect(await audited()).toBe(before);
  });

  it("gives their own person the name, by which it is found beside the app's id", async () => {
    await save("bob", { name: "Róbert Gál" });
    expect(await personOf("bob")).toMatchObject({ version: 2, name: "Róbert Gál", keys: ["bob", "robert gal"] });
    const before = await audited();
    await save("bob", { name: "Bobby" });
    expect(await personOf("bob")).toMatchObject({ version: 3, name: "Bobby", keys: ["bob", "bobby"] });
    await save("bob", { name: "Bobby" });
    await save("bob", {});
    expect(await audited()).toBe(Number(before) + 1);
    expect((await save("bob", { name: null })).json.name).toBeNull();
    expect(await personOf("bob")).toMatchObject({ name: "bob", keys: ["bob"] });
  });

  it("keeps the key of an old name that is an alias too", async () => {
    await save("cleo", { name: "Cleopatra" });
    await rows("update persons set aliases = '[\"CLEOPATRA\"]' where tenant_id = ? and name = 'Cleopatra'", h.tenantId);
    await save("cleo", { name: "Kleo" });
    expect((await personOf("cleo")).keys).toEqual(["cleo", "cleopatra", "kleo"]);
  });

  it("takes a name without a letter, by which nobody is found", async () => {
    await save("dot", { name: "!?" });
    expect(await personOf("dot")).toMatchObject({ name: "!?", keys: ["dot"] });
  });

  it("leaves other tenants' users and persons of that name alone", async () => {
    const other = await createHarness();
    await other.fetch("PUT", "/v1/users/eve", { body: { name: "Eve" } });
    await save("eve", { name: "Eva" });
    expect((await other.fetch<UserView>("GET", "/v1/users/eve")).json.name).toBe("Eve");
    expect(await rows("select name from persons where tenant_id = ? and name like 'Ev%'", other.tenantId)).toEqual([
      { name: "Eve" },
    ]);
    expect(
      await rows("select name_key from person_names where tenant_id = ? and name_key like 'ev%' order by 1", other.tenantId),
    ).toEqual([{ name_key: "eve" }]);
  });

  it("is decided again when their person changes meanwhile, so that a new alias keeps its key", async () => {
    await save("fay", { name: "Fay One" });
    interruption.beforeBatch(1, () =>
      rows(
        "update persons set aliases = '[\"fay one\"]', version = version + 1 where tenant_id = ? and name = 'Fay One'",
        h.tenantId,
      ),
    );
    const before = await audited();
    expect((await save("fay", { name: "Fay Two" })).json.name).toBe("Fay Two");
    expect((await personOf("fay")).keys).toEqual(["fay", "fay one", "fay two"]);
    expect(await audited()).toBe(Number(before) + 1);
  });

  it("eight times at once makes one user and writes one row", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, async () => await save("gus", { name: "Gus" })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(
      await rows(
        "select count(*) as n from audit where tenant_id = ? and object_id = (select public_id from users where external_id = ?)",
        h.tenantId,
        answers[0]?.json.id ?? "",
      ),
    ).toEqual([{ n: 1 }]);
  });
});
