import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { answerTo, appendText, ask, COLORS, listed, storeFact, values } from "./fact-requests.ts";
import { append, rows } from "./requests.ts";

const ABSENT = "I don't have that stored yet.";
const FIRST = "What's my first favorite color?";
const SECOND = "What's my second favorite color?";
const THIRD = "What's my third favorite color?";

let h: Harness;
beforeEach(async () => {
  h = await createHarness();
});

const project = (name: string, userId = "ann") => h.fetch("PUT", `/v1/projects/${name}`, { body: { userId } });
const member = (name: string, who: string) => h.fetch("PUT", `/v1/projects/${name}/members/${who}?userId=ann`);
const move = (sessionId: string, projectId: string | null, userId = "ann") =>
  h.fetch("PUT", `/v1/sessions/${sessionId}`, { body: { userId, projectId } });
const group = (sessionId: string, participants: string[], projectId?: string) =>
  h.fetch("PUT", `/v1/sessions/${sessionId}`, { body: { userId: participants[0], participants, projectId } });
const ann = (sessionId: string) => ({ userId: "ann", sessionId });

describe("a project", () => {
  it("shares a list between its sessions, at once after moves in and out", async () => {
    await project("garden");
    await appendText(h, "g1", COLORS, { userId: "ann", projectId: "garden" });
    await appendText(h, "g2", "Hello there", { userId: "ann", projectId: "garden" });
    expect((await ask(h, SECOND, ann("g2"))).json).toMatchObject({ text: "Green.", scope: "project" });
    expect((await ask(h, SECOND, ann("g1"))).json).toMatchObject({ text: "Green.", scope: "session" });
    expect(await answerTo(h, SECOND, { userId: "ann", projectId: "garden" })).toBe("Green.");
    expect(await values(h, ann("g2"))).toEqual(["1 Blue", "2 Green", "3 Black"]);

    await move("g1", null);
    expect(await answerTo(h, SECOND, ann("g2"))).toBe(ABSENT);
    expect(await values(h, ann("g2"))).toEqual([]);
    expect(await values(h, { userId: "ann", projectId: "garden" })).toEqual([]);
    expect(await answerTo(h, SECOND, ann("g1"))).toBe("Green.");
    await project("kitchen");
    await move("g1", "kitchen");
    expect(await answerTo(h, SECOND, ann("g2"))).toBe(ABSENT);
    expect(await answerTo(h, SECOND, { userId: "ann", projectId: "kitchen" })).toBe("Green.");
    await move("g2", "kitchen");
    expect(await answerTo(h, SECOND, ann("g2"))).toBe("Green.");
  });

  it("answers from one list: the session's own, else the one said last, never of ranks of two", async () => {
    await project("garden");
    const say = (session: string, text: string, day: number) =>
      appendText(h, session, text, { userId: "ann", projectId: "garden", occurredAt: `2026-03-0${day}T00:00:00Z` });
    await say("g2", "My favorite colors are 1) Red, 2) White", 2);
    await say("g1", COLORS, 1);
    await say("g3", "Hello there", 3);
    expect(await answerTo(h, FIRST, ann("g3"))).toBe("Red.");
    expect(await answerTo(h, THIRD, ann("g3"))).toBe(ABSENT);
    expect(await answerTo(h, THIRD, ann("g1"))).toBe("Black.");
    expect(await answerTo(h, THIRD, ann("g2"))).toBe(ABSENT);
    await storeFact(h, {
      userId: "ann",
      projectId: "garden",
      topic: "color",
      rank: 1,
      value: "Gold",
      createdAt: "2026-03-01T12:00:00Z",
    });
    expect(await answerTo(h, FIRST, ann("g3"))).toBe("Red.");
    await storeFact(h, {
      userId: "ann",
      projectId: "garden",
      topic: "color",
      rank: 1,
      value: "Gold",
      createdAt: "2026-03-04T00:00:00Z",
    });
    expect(await answerTo(h, FIRST, ann("g3"))).toBe("Gold.");
    expect(await answerTo(h, FIRST, { userId: "ann", projectId: "garden" })).toBe("Gold.");
    expect(await answerTo(h, FIRST, ann("g1"))).toBe("Blue.");
    await h.fetch("DELETE", "/v1/facts?userId=ann&projectId=garden&topic=color");
    expect(await answerTo(h, FIRST, ann("g3"))).toBe("Red.");
    // A list that was taken away is none.
    await h.fetch("DELETE", "/v1/facts?userId=ann&sessionId=g2&topic=color");
    expect(await answerTo(h, FIRST, ann("g3"))).toBe("Blue.");
    expect(await answerTo(h, FIRST, ann("g2"))).toBe("Blue.");
  });

  it("keeps what each member said to themselves, and returns it to nobody outside", async () => {
    await project("garden");
    await member("garden", "bob");
    await appendText(h, "g1", COLORS, { userId: "ann", projectId: "garden" });
    await appendText(h, "b1", "My favorite colors are 1) Pink, 2) White", { userId: "bob", projectId: "garden" });
    expect(await answerTo(h, SECOND, { userId: "bob", sessionId: "b1" })).toBe("White.");
    expect(await answerTo(h, SECOND, { userId: "bob", projectId: "garden" })).toBe("White.");
    expect(await answerTo(h, SECOND, { userId: "bob", sessionId: "g1" })).toBe(404);
    for (const [userId, projectId] of [
      ["ann", "garden"],
      ["bob", "garden"],
      ["ann", "kitchen"],
    ] as const) {
      if (projectId === "kitchen") await project("kitchen");
      await storeFact(h, { userId, projectId, topic: "candy", rank: 1, value: `${userId} ${projectId}` });
    }
    const candy = (userId: string, projectId: string) => answerTo(h, "What's my first favorite candy?", { userId, projectId });
    expect([await candy("ann", "garden"), await candy("bob", "garden"), await candy("ann", "kitchen")]).toEqual([
      "ann garden.",
      "bob garden.",
      "ann kitchen.",
    ]);
    expect(await answerTo(h, "What's my first favorite candy?", { userId: "bob", sessionId: "b1" })).toBe("bob garden.");
    expect(await answerTo(h, SECOND, { userId: "carol", projectId: "garden" })).toBe(404);
    expect((await listed(h, { userId: "carol", projectId: "garden" })).status).toBe(404);
    await h.fetch("DELETE", "/v1/projects/garden/members/bob?userId=ann");
    expect(await answerTo(h, SECOND, { userId: "bob", projectId: "garden" })).toBe(404);
    expect(await answerTo(h, SECOND, { userId: "bob", sessionId: "b1" })).toBe(404);
    expect(await answerTo(h, SECOND, { userId: "bob" })).toBe(ABSENT);
  });

  it("is closed to a group with outsiders, which sees its own session only", async () => {
    await project("garden");
    await member("garden", "bob");
    await appendText(h, "g1", COLORS, { userId: "ann", projectId: "garden" });
    await storeFact(h, { userId: "ann", projectId: "garden", topic: "candy", rank: 1, value: "Toffee" });
    await group("club", ["ann", "bob"], "garden");
    expect(await answerTo(h, SECOND, ann("club"))).toBe("Green.");
    expect(await answerTo(h, "What's my first favorite candy?", ann("club"))).toBe("Toffee.");
    await group("club", ["ann", "bob", "carol"], "garden");
    expect(await answerTo(h, SECOND, ann("club"))).toBe(ABSENT);
    expect(await answerTo(h, "What's my first favorite candy?", ann("club"))).toBe(ABSENT);
    expect(await values(h, ann("club"))).toEqual([]);
    await appendText(h, "club", "My favorite colors are 1) Teal, 2) Lime", { userId: "ann" });
    expect(await answerTo(h, SECOND, ann("club"))).toBe("Lime.");
    expect(await answerTo(h, THIRD, ann("club"))).toBe(ABSENT);
  });
});

describe("a group", () => {
  it("keeps two people's lists apart", async () => {
    await group("club", ["ann", "bob"]);
    await appendText(h, "club", COLORS, { userId: "ann" });
    await appendText(h, "club", "My favorite colors are 1) Pink, 2) White", { userId: "bob" });
    expect(await answerTo(h, SECOND, ann("club"))).toBe("Green.");
    expect(await answerTo(h, SECOND, { userId: "bob", sessionId: "club" })).toBe("White.");
    // One's older list is not less than another's newer one.
    await appendText(h, "club", "My favorite tv shows are 1) Dark, 2) Lost", { userId: "bob" });
    await appendText(h, "club", "My favorite tv shows are 1) Fargo, 2) Alf", {
      userId: "ann",
      occurredAt: "2020-01-01T00:00:00Z",
    });
    expect(await answerTo(h, "What's my second favorite tv show?", ann("club"))).toBe("Alf.");
    expect(await answerTo(h, SECOND, { userId: "carol", sessionId: "club" })).toBe(404);
    await group("club", ["bob"]);
    expect(await answerTo(h, SECOND, ann("club"))).toBe(404);
  });

  it("sees nothing that a participant keeps for themselves", async () => {
    await storeFact(h, { userId: "ann", topic: "color", rank: 2, value: "Gold" });
    await group("club", ["ann", "bob"]);
    expect(await answerTo(h, SECOND, ann("club"))).toBe(ABSENT);
    expect(await answerTo(h, SECOND, { userId: "ann" })).toBe("Gold.");
  });

  it("takes a list for whom its userId names, and by a label for nobody but who sends it", async () => {
    await group("club", ["ann", "bob", "carol"]);
    await h.fetch("PUT", "/v1/users/bob", { body: { name: "Robert" } });
    const speak = (by: { speaker?: string; saidBy?: string }, value: string) =>
      appendText(h, "club", `My favorite colors are 1) ${value}, 2) ${value} too`, { userId: "ann", ...by });
    const second = (userId: string) => answerTo(h, SECOND, { userId, sessionId: "club" });
    await speak({ saidBy: "bob", speaker: "Ann" }, "Teal");
    await speak({ speaker: "Ann" }, "Lime");
    expect([await second("ann"), await second("bob"), await second("carol")]).toEqual(["Lime too.", "Teal too.", null]);
    for (const other of ["Robert", "bob", "carol"]) await expect(speak({ speaker: other }, "Grey")).rejects.toThrow("422");
    // Nobody of that name, somebody who does not take part, a person that is no user, and a name without a letter.
    await h.fetch("PUT", "/v1/users/dave", { body: { name: "Dave" } });
    await h.fetch("POST", "/v1/people", { body: { userId: "ann", name: "Rose" } });
    for (const nobody of ["Zoe", "Dave", "Rose", "!!"]) await speak({ speaker: nobody }, "Grey");
    expect([await second("ann"), await second("bob"), await second("carol")]).toEqual(["Lime too.", "Teal too.", null]);
    expect(await rows("select value from facts where tenant_id = ? and value like 'Grey%'", h.tenantId)).toEqual([]);
  });

  it("of a private session has its one user, whoever is said to speak", async () => {
    await h.fetch("PUT", "/v1/users/bob");
    await append(h, "s1", { userId: "ann", messages: [{ role: "user", content: COLORS, speaker: "bob" }] });
    expect(await rows("select 1 from facts where tenant_id = ?", h.tenantId)).toEqual([]);
    await append(h, "s1", { userId: "ann", messages: [{ role: "user", content: COLORS, speaker: "ann" }] });
    expect(await answerTo(h, SECOND, ann("s1"))).toBe("Green.");
  });
});

describe("outside projects", () => {
  it("a session sees its own facts, then the later of the user's and of their other sessions'", async () => {
    await storeFact(h, { userId: "ann", topic: "color", rank: 1, value: "Gold" });
    await appendText(h, "s1", "My favorite colors are 1) Blue, 2) Green", { userId: "ann" });
    await appendText(h, "s2", "Hello there", { userId: "ann" });
    expect((await ask(h, FIRST, ann("s1"))).json).toMatchObject({ text: "Blue.", scope: "session" });
    expect((await ask(h, FIRST, ann("s2"))).json).toMatchObject({ text: "Blue.", scope: "user" });
    expect(await answerTo(h, SECOND, ann("s2"))).toBe("Green.");
    await storeFact(h, { userId: "ann", topic: "color", rank: 1, value: "Gold" });
    expect(await answerTo(h, FIRST, ann("s2"))).toBe("Gold.");
    expect(await answerTo(h, FIRST, { userId: "ann" })).toBe("Gold.");
    expect(await values(h, { userId: "ann" })).toEqual(["1 Gold"]);
    expect(await values(h, ann("s1"))).toEqual(["1 Gold", "1 Blue", "2 Green"]);
    expect(await values(h, { userId: "ann", everywhere: "true" })).toEqual(["1 Gold", "1 Blue", "2 Green"]);
    expect(await values(h, { userId: "bob", everywhere: "true" })).toEqual([]);
    await project("garden");
    await move("s1", "garden");
    expect(await values(h, ann("s1"))).toEqual(["1 Blue", "2 Green"]);
    expect(await values(h, { userId: "ann", everywhere: "true" })).toEqual(["1 Gold"]);
    await move("s2", "garden");
    expect(await answerTo(h, FIRST, ann("s2"))).toBe("Blue.");
  });
});
