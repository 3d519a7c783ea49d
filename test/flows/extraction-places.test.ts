import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { jobOf, memoriesOf } from "./extraction-requests.ts";
import { contentsOf, forgetOne, group, list, pastOf, personOf } from "./memory-requests.ts";
import { append, nth, rows, say } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

const sayAndExtract = async (session: string, text: string, extra: Record<string, unknown> = {}, occurredAt?: string) => {
  const message = { role: "user", content: text, ...(occurredAt === undefined ? {} : { occurredAt }) };
  await append(h, session, { userId: "ann", messages: [message], ...extra });
  await h.settle();
};
const subjectsOf = async (content: string) =>
  (
    await rows<{ id: string }>(
      `select p.public_id as id from memories m join memory_subjects s on s.memory_id = m.id join persons p on p.id = s.person_id
       where m.tenant_id = ? and m.content = ? order by p.id`,
      h.tenantId,
      content,
    )
  ).map(({ id }) => id);

describe("in a project", () => {
  it("what is said stays in it, and what one prefers too", async () => {
    await h.fetch("PUT", "/v1/projects/shop", { body: { userId: "ann" } });
    await sayAndExtract("inside", "I chose Postgres for the shop", { projectId: "shop" });
    await sayAndExtract("inside", "I prefer tea with milk");
    const scopes = (await memoriesOf(h)).map(({ content, scope_type, scope_id }) => [content, scope_type, scope_id]);
    expect(scopes).toEqual([
      ["I chose Postgres for the shop", "project", "shop"],
      ["I prefer tea with milk", "project", "shop"],
    ]);
  });

  it("what concerns a group goes where its session goes", async () => {
    await h.fetch("PUT", "/v1/projects/shop", { body: { userId: "ann" } });
    await group(h, "team", ["ann", "bob"]);
    for (const userId of ["ann", "bob"]) await h.fetch("PUT", `/v1/projects/shop/members/${userId}`, { body: { userId: "ann" } });
    await h.fetch("PUT", "/v1/sessions/team", { body: { projectId: "shop", userId: "ann" } });
    await append(h, "team", {
      userId: "ann",
      messages: [{ role: "user", content: "Remember that our stand-up is at 9. I chose Postgres for the shop." }],
    });
    await h.settle();
    expect((await memoriesOf(h)).map(({ content, scope_id }) => [content, scope_id])).toEqual([
      ["our stand-up is at 9", null],
      ["I chose Postgres for the shop", "shop"],
    ]);
    await h.fetch("PUT", "/v1/sessions/team", { body: { projectId: null, userId: "ann" } });
    const { json } = await h.fetch<{ text: string }>("POST", "/v1/context", {
      body: { userId: "bob", sessionId: "team", query: "When is our stand-up?" },
    });
    expect(JSON.stringify(json)).toContain("our stand-up is at 9");
  });

  it("of others, whoever is no member gets no memory of it that names it", async () => {
    await h.fetch("PUT", "/v1/projects/shop", { body: { userId: "ann" } });
    await group(h, "team", ["ann", "bob"]);
    await h.fetch("PUT", "/v1/sessions/team", { body: { projectId: "shop", userId: "ann" } });
    await append(h, "team", { userId: "bob", messages: [{ role: "user", content: "I chose Postgres for the shop" }] });
    await append(h, "team", { userId: "ann", messages: [{ role: "user", content: "Remember that our stand-up is at 9" }] });
    await h.settle();
    expect((await memoriesOf(h)).map(({ content, scope_id }) => [content, scope_id])).toEqual([
      ["I chose Postgres for the shop", null],
      ["our stand-up is at 9", null],
    ]);
  });
});

describe("of a group", () => {
  it("what concerns all of it is its own memory, and what concerns one is theirs", async () => {
    await group(h, "team", ["ann", "bob"]);
    await sayAndExtract("team", "Remember that our stand-up is at 9. I live in Lisbon.");
    expect((await list(h, "userId=bob&sessionId=team&ownership=group")).json.items).toMatchObject([
      { content: "our stand-up is at 9", ownership: "group", sessionId: "team", subjects: [] },
    ]);
    expect(contentsOf(await list(h, "userId=ann&ownership=personal"))).toEqual(["I live in Lisbon"]);
    expect(contentsOf(await list(h, "userId=ann&ownership=group"))).toEqual([]);
  });
});

describe("people whom rules find", () => {
  it("are made once for each speaker, and the speaker is a subject too", async () => {
    await sayAndExtract("s", "My wife is Sarah.");
    await sayAndExtract("s", "I have a dog. My wife is Sarah!");
    await sayAndExtract("other", "My wife is sarah");
    await append(h, "bobs", { userId: "bob", messages: [{ role: "user", content: "My wife is Sarah" }] });
    await h.settle();
    const made = await rows<{ id: string; by: string; relationship: string }>(
      `select p.public_id as id, u.external_id as by, p.relationship from persons p join users u on u.id = p.created_by
       where p.tenant_id = ? and p.user_id is null order by p.id`,
      h.tenantId,
    );
    expect(made.map(({ by, relationship }) => [by, relationship])).toEqual([
      ["ann", "wife"],
      ["bob", "wife"],
    ]);
    const about = (await list(h, "userId=ann&type=relationship&text=Sarah")).json.items;
    const ann = await personOf(h, "ann");
    expect(Object.fromEntries(about.map(({ content, seen, subjects }) => [content, [seen.count, subjects.toSorted()]]))).toEqual({
      // A word in lower case is no name, but who the wife is was said.
      "My wife is Sarah": [3, [ann, nth(made, 0).id].toSorted()],
    });
  });

  it("are never users from elsewhere, though they have the name", async () => {
    const stranger = await personOf(h, "Sarah");
    await sayAndExtract("s", "My wife is Sarah");
    expect(await subjectsOf("My wife is Sarah")).not.toContain(stranger);
    await group(h, "team", ["ann", "Sarah"]);
    await sayAndExtract("team", "My wife is Sarah, you know her");
    const here = (await memoriesOf(h)).filter(({ learned_in }) => learned_in !== null);
    expect(here.length).toBeGreaterThan(0);
    const bySession = await rows<{ session: string; who: string }>(
      `select s.external_id as session, group_concat(p.public_id) as who from memories m join sessions s on s.id = m.learned_in
       join memory_subjects ms on ms.memory_id = m.id join persons p on p.id = ms.person_id where m.tenant_id = ? group by m.id`,
      h.tenantId,
    );
    expect(bySession.find(({ session }) => session === "s")?.who).not.toContain(stranger);
  });
});

describe("time", () => {
  it("old talk that comes in after new does not move anybody back, and later talk does", async () => {
    await sayAndExtract("now", "I live in Rome", {}, "2025-06-01T00:00:00Z");
    await sayAndExtract("import", "I live in Berlin", {}, "2017-06-01T00:00:00Z");
    expect(contentsOf(await list(h, "userId=ann"))).toEqual(["I live in Rome"]);
    expect((await jobOf(h)).result).toEqual({ by: "rules", episodes: 1, older: 1 });
    await sayAndExtract("now", "I live in Oslo", {}, "2025-07-01T00:00:00Z");
    const [memory] = (await list(h, "userId=ann")).json.items;
    expect([memory?.content, memory?.validFrom]).toEqual(["I live in Oslo", "2025-07-01T00:00:00.000Z"]);
    expect((await pastOf(h, memory?.id ?? "", "userId=ann")).json.versions.map(({ content }) => content)).toEqual([
      "I live in Rome",
    ]);
  });

  it("a clock that is ahead holds nobody's place", async () => {
    await sayAndExtract(
      "s",
      "I live in Atlantis. I need to call Poseidon",
      {},
      new Date(Date.now() + 23 * 3_600_000).toISOString(),
    );
    const [memory] = (await list(h, "userId=ann&type=identity")).json.items;
    expect(Date.parse(memory?.validFrom ?? "")).toBeLessThanOrEqual(Date.now());
    const [task] = (await list(h, "userId=ann&type=task")).json.items;
    expect(Date.parse(task?.expiresAt ?? "")).toBeLessThanOrEqual(Date.now() + 30 * 86_400_000);
    await sayAndExtract("s", "I live in Oslo");
    expect(contentsOf(await list(h, "userId=ann&type=identity"))).toEqual(["I live in Oslo"]);
  });

  it("an import in whatever order ends with what was said last, and keeps what came before", async () => {
    const homes: [string, string][] = [
      ["Rome", "2021"],
      ["Oslo", "2024"],
      ["Berlin", "2017"],
    ];
    const episodes = homes.map(([home, year]) => ({
      messages: [{ role: "user", content: `I live in ${home}`, occurredAt: `${year}-01-01T00:00:00Z` }],
    }));
    await append(h, "import", { userId: "ann", episodes });
    await h.settle();
    const [memory] = (await list(h, "userId=ann")).json.items;
    expect(memory?.content).toBe("I live in Oslo");
    expect((await pastOf(h, memory?.id ?? "", "userId=ann")).json.versions.map(({ content }) => content)).toEqual([
      "I live in Rome",
      "I live in Berlin",
    ]);
  });

  it("what would have expired by now is not stored, and what has not expires as it would have", async () => {
    await sayAndExtract("import", "I need to call the dentist", {}, "2019-01-01T00:00:00Z");
    expect((await jobOf(h)).result).toEqual({ by: "rules", episodes: 1, expired: 1 });
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    await sayAndExtract("import", "I need to call the dentist", {}, yesterday);
    const [memory] = (await list(h, "userId=ann")).json.items;
    expect(Date.parse(memory?.expiresAt ?? "") - Date.parse(yesterday)).toBe(14 * 86_400_000);
  });

  it("what a user forgot stays forgotten until they say it again", async () => {
    await sayAndExtract("s", "I prefer dark mode");
    const [memory] = (await list(h, "userId=ann")).json.items;
    await forgetOne(h, memory?.id ?? "", "userId=ann");
    await rows("update jobs set status = 'pending', due_at = 0 where tenant_id = ? and kind = 'episodes.index'", h.tenantId);
    await h.settle();
    expect(contentsOf(await list(h, "userId=ann"))).toEqual([]);
  });
});

describe("secrets", () => {
  it("drop what they are in, and nothing else", async () => {
    await say(h, "s", "Remember that my password is hunter2222. I prefer dark mode.", { userId: "ann" });
    await h.settle();
    expect((await memoriesOf(h)).map(({ content }) => content)).toEqual(["I prefer dark mode"]);
    expect(JSON.stringify(await memoriesOf(h))).not.toContain("redacted");
  });
});
