import { describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { expectNoReach, expectReach, history, makeProject, say } from "./reach.ts";

const putGroup = async (harness: Harness, session: string, user: string, body: Record<string, unknown>) =>
  await harness.fetch("PUT", `/v1/sessions/${session}`, { body: { userId: user, ...body } });

/** Ann's garden, of which Ben is a member, with a private session of Ann's; a group in it; Ann's and Ben's own sessions outside. */
async function gardenWith(participants: string[]): Promise<Harness> {
  const harness = await createHarness();
  await makeProject(harness, "garden", "ann", ["ben"]);
  await say(harness, "anns", "ann", "roses and thorns", "garden");
  await putGroup(harness, "group", "ann", { projectId: "garden", participants });
  await say(harness, "group", "ann", "meeting on Mondays");
  await say(harness, "anns-own", "ann", "a dentist at noon");
  await say(harness, "bens-own", "ben", "trains to Lisbon");
  await say(harness, "cats-own", "cat", "a violin lesson");
  await harness.settle();
  return harness;
}

describe("a group in a project", () => {
  it("sees the whole project while everybody in it is the owner or a member", async () => {
    const harness = await gardenWith(["ann", "ben"]);
    for (const user of ["ann", "ben"]) {
      await expectReach(harness, { user, session: "group" }, ["anns", "group"]);
      await expectReach(harness, { user, session: "group", includeGroups: true }, ["anns", "group"]);
      expect(await history(harness, "anns", { user, project: "garden" })).toHaveLength(1);
    }
  });

  it("sees itself alone with one outsider in it, whoever asks", async () => {
    const harness = await gardenWith(["ann", "ben", "cat"]);
    for (const user of ["ann", "ben", "cat"]) {
      await expectReach(harness, { user, session: "group" }, ["group"]);
      expect(await history(harness, "group", { user })).toHaveLength(1);
    }
    expect(await history(harness, "anns", { user: "cat", project: "garden" })).toBe(404);
    await expectNoReach(harness, { user: "cat", project: "garden" });
    await expectReach(harness, { user: "ann", session: "anns" }, ["anns", "group"]);
  });

  it("never names the project to an outsider, nor confirms a guess of its name", async () => {
    const harness = await gardenWith(["ann", "cat"]);
    const seenBy = async (user: string) => {
      const search = { query: "meeting", userId: user, sessionId: "group", explain: true };
      return [
        await harness.fetch("GET", `/v1/sessions/group?userId=${user}`),
        await harness.fetch("GET", `/v1/sessions?userId=${user}`),
        await putGroup(harness, "group", user, { title: "Mondays" }),
        await harness.fetch("POST", "/v1/search", { body: search }),
        await harness.fetch("GET", `/v1/sessions/group/episodes?userId=${user}`),
      ].map(({ text }) => text.includes("garden"));
    };
    expect(await seenBy("cat")).toEqual([false, false, false, false, false]);
    expect(await seenBy("ann")).toEqual([true, true, true, false, false]);
    expect((await say(harness, "group", "cat", "guessing", "garden")).status).toBe(404);
    expect((await say(harness, "group", "cat", "guessing", "shed")).status).toBe(404);
  });

  it("sees the project again when the outsider has left, and no longer when one joins", async () => {
    const harness = await gardenWith(["ann", "cat"]);
    await expectReach(harness, { user: "ann", session: "group" }, ["group"]);
    await putGroup(harness, "group", "ann", { participants: ["ann"] });
    await expectReach(harness, { user: "ann", session: "group" }, ["anns", "group"]);
    await expectNoReach(harness, { user: "cat", session: "group" });
    await putGroup(harness, "group", "ann", { participants: ["ann", "cat"] });
    await expectReach(harness, { user: "ann", session: "group" }, ["group"]);
    await expectReach(harness, { user: "cat", session: "group" }, ["group"]);
  });

  it("lets a removed user take their own private session with them, and see nothing before", async () => {
    const harness = await gardenWith(["ann", "ben"]);
    await say(harness, "bens-garden", "ben", "seeds in the shed", "garden");
    expect((await harness.fetch("DELETE", "/v1/projects/garden/members/ben?userId=ann")).status).toBe(200);
    const put = async (user: string, body: Record<string, unknown>) =>
      (await harness.fetch("PUT", "/v1/sessions/bens-garden", { body: { userId: user, ...body } })).status;
    expect(await history(harness, "bens-garden", { user: "ben" })).toBe(404);
    await expectNoReach(harness, { user: "ben", session: "bens-garden" });
    expect([
      await put("ben", {}),
      await put("ben", { title: "Mine" }),
      await put("ben", { projectId: null, title: "Mine" }),
    ]).toEqual([404, 404, 404]);
    expect([await put("ann", { projectId: null }), await put("cat", { projectId: null })]).toEqual([404, 404]);
    expect(await put("ben", { projectId: null })).toBe(200);
    expect(await history(harness, "bens-garden", { user: "ben" })).toHaveLength(1);
    expect(await history(harness, "bens-garden", { user: "ann", project: "garden" })).toBe(404);
  });

  it("sees itself alone from the moment a participant is removed from the project", async () => {
    const harness = await gardenWith(["ann", "ben"]);
    expect((await harness.fetch("DELETE", "/v1/projects/garden/members/ben?userId=ann")).status).toBe(200);
    for (const user of ["ann", "ben"]) await expectReach(harness, { user, session: "group" }, ["group"]);
    await expectNoReach(harness, { user: "ben", project: "garden" });
    expect(await history(harness, "anns", { user: "ben", project: "garden" })).toBe(404);
    expect((await harness.fetch("PUT", "/v1/projects/garden/members/ben?userId=ann")).status).toBe(200);
    for (const user of ["ann", "ben"]) await expectReach(harness, { user, session: "group" }, ["anns", "group"]);
  });

  it("shows nothing to who has left it, by no way of reading", async () => {
    const harness = await gardenWith(["ann", "ben", "cat"]);
    await putGroup(harness, "group", "cat", { participants: ["ann", "ben"] });
    await expectNoReach(harness, { user: "cat", session: "group" });
    expect(await history(harness, "group", { user: "cat" })).toBe(404);
    expect((await harness.fetch("GET", "/v1/sessions/group?userId=cat")).status).toBe(404);
    expect((await harness.fetch("GET", "/v1/sessions?userId=cat")).text).not.toContain('"group"');
    expect((await say(harness, "group", "cat", "one more thing")).status).toBe(404);
    expect((await putGroup(harness, "group", "cat", { participants: ["cat"] })).status).toBe(404);
    await expectReach(harness, { user: "cat", includeGroups: true }, ["cats-own"]);
    expect(await history(harness, "group", { user: "ann" })).toHaveLength(1);
  });
});

describe("a group outside projects", () => {
  async function bookClub(): Promise<Harness> {
    const harness = await gardenWith(["ann", "ben"]);
    await putGroup(harness, "club", "ann", { participants: ["ann", "cat"] });
    await say(harness, "club", "cat", "a novel by Eliot");
    await putGroup(harness, "others", "ben", { participants: ["ben", "cat"] });
    await say(harness, "others", "ben", "an opera in Verona");
    await harness.settle();
    return harness;
  }

  it("sees itself alone", async () => {
    const harness = await bookClub();
    for (const user of ["ann", "cat"]) {
      await expectReach(harness, { user, session: "club" }, ["club"]);
      await expectReach(harness, { user, session: "club", includeGroups: true }, ["club"]);
    }
    await expectNoReach(harness, { user: "ben", session: "club" });
  });

  it("is read along in private by who takes part and asks for groups", async () => {
    const harness = await bookClub();
    await expectReach(harness, { user: "ann" }, ["anns-own"]);
    await expectReach(harness, { user: "ann", includeGroups: true }, ["anns-own", "club"]);
    await expectReach(harness, { user: "ann", session: "anns-own" }, ["anns-own"]);
    await expectReach(harness, { user: "ann", session: "anns-own", includeGroups: true }, ["anns-own", "club"]);
    await expectReach(harness, { user: "ann", session: "anns", includeGroups: true }, ["anns", "group"]);
    await expectReach(harness, { user: "cat", includeGroups: true }, ["cats-own", "club", "others"]);
    await expectReach(harness, { user: "ben", includeGroups: true }, ["bens-own", "others"]);
  });

  it("goes out of private reading when it enters a project, or when the reader leaves", async () => {
    const harness = await bookClub();
    await putGroup(harness, "club", "ann", { projectId: "garden" });
    await expectReach(harness, { user: "ann", includeGroups: true }, ["anns-own"]);
    await expectReach(harness, { user: "cat", includeGroups: true }, ["cats-own", "others"]);
    await expectReach(harness, { user: "ann", project: "garden" }, ["anns", "club", "group"]);
    await putGroup(harness, "others", "cat", { participants: ["ben"] });
    await expectReach(harness, { user: "cat", includeGroups: true }, ["cats-own"]);
  });

  it("is found whole by who takes part in very many groups", async () => {
    const harness = await bookClub();
    const names = Array.from({ length: 120 }, (_, i) => `g${String(i).padStart(3, "0")}`);
    for (const name of names) {
      await putGroup(harness, name, "dan", { participants: ["dan"] });
      await say(harness, name, "dan", `matter ${name} of ${name}x and ${name}y`);
    }
    const body = { query: "marmalade", strategy: "text", userId: "dan", includeGroups: true, limit: 100, maxTokens: 8000 };
    const { json } = await harness.fetch<{ hits: unknown[]; degraded: unknown[] }>("POST", "/v1/search", { body });
    expect(json.degraded).toEqual([]);
    expect(json.hits).toHaveLength(100);
  });
});
