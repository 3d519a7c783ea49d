import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { contextFor, linesOf, set, textsIn } from "./context-requests.ts";
import { add, group, personOf } from "./memory-requests.ts";
import { say } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
  await set(h, { extraction: "off" });
});

describe("in a group", () => {
  beforeAll(async () => {
    await group(h, "team", ["ann", "bob", "cat"]);
    for (const sensitivity of ["public", "personal", "sensitive"])
      await add(h, {
        userId: "bob",
        content: `The doctor said ${sensitivity} things`,
        sensitivity,
        portable: true,
        subjects: [await personOf(h, "bob")],
      });
    await add(h, { userId: "ann", sessionId: "team", content: "The doctor visits the team on Friday", subjects: [] });
    await say(h, "team", "The doctor comes at nine o'clock", { userId: "cat" });
    await say(h, "bobs", "My doctor is Doctor Who", { userId: "bob" });
  });

  const asks = async (userId: string, more = {}) =>
    textsIn(await contextFor(h, { userId, query: "What does the doctor say about me?", ...more })).toSorted();
  const ofTeam = ["The doctor comes at nine o'clock", "The doctor visits the team on Friday"];

  it("nothing sensitive and nothing said in private is returned, not even to the person it is about", async () => {
    const hers = ["The doctor said personal things", "The doctor said public things"];
    expect(await asks("bob", { sessionId: "team" })).toEqual([...hers, ...ofTeam].toSorted());
    expect(await asks("ann", { sessionId: "team" })).toEqual(ofTeam);
    expect(await asks("bob", { includeGroups: false })).toEqual(
      [...hers, "The doctor said sensitive things", "My doctor is Doctor Who"].toSorted(),
    );
  });

  it("people go by their names", async () => {
    const lines = linesOf(await contextFor(h, { userId: "bob", sessionId: "team", query: "my doctor" }));
    expect(lines.filter((line) => line.includes("the user"))).toEqual([]);
    expect(lines.some((line) => line.includes('said by "bob") The doctor said public things'))).toBe(true);
    expect(lines.some((line) => line.includes(`said by "cat") The doctor comes at nine o'clock`))).toBe(true);
  });

  it("what was said in one's groups is returned in private, unless it is to be left out", async () => {
    expect(await asks("ann", { includeGroups: false })).toEqual([]);
    expect(await asks("ann")).toEqual(["The doctor comes at nine o'clock"]);
    const lines = linesOf(await contextFor(h, { userId: "ann", query: "doctor come" }));
    expect(lines.some((line) => line.endsWith(`said by "cat") The doctor comes at nine o'clock`))).toBe(true);
  });
});

describe("a project is kept apart", () => {
  const ofBoat = { scopeType: "project", scopeId: "boat" };
  beforeAll(async () => {
    for (const project of ["boat", "house"]) await h.fetch("PUT", `/v1/projects/${project}`, { body: { userId: "eve" } });
    await h.fetch("PUT", "/v1/sessions/deck", { body: { userId: "eve", projectId: "boat" } });
    await h.fetch("PUT", "/v1/sessions/hall", { body: { userId: "eve", projectId: "house" } });
    await add(h, { userId: "eve", content: "The paint of the boat is blue", ...ofBoat });
    await add(h, { userId: "eve", content: "The paint of the house is white", scopeType: "project", scopeId: "house" });
    await add(h, { userId: "eve", content: "Eve likes paint that dries fast", type: "preference" });
    await say(h, "deck", "The paint needs two days", { userId: "eve" });
    await say(h, "hall", "The paint needs three days", { userId: "eve" });
    await say(h, "alone", "I paint at night", { userId: "eve" });
  });
  const asks = async (more: object) => textsIn(await contextFor(h, { userId: "eve", query: "paint", ...more })).toSorted();
  const always = "Eve likes paint that dries fast";

  it("with its episodes, and with memories that belong to it", async () => {
    const inBoat = [always, "The paint needs two days", "The paint of the boat is blue"];
    expect(await asks({ sessionId: "deck" })).toEqual(inBoat);
    expect(await asks({ projectId: "boat" })).toEqual(inBoat);
    expect(await asks({ sessionId: "hall" })).toEqual([always, "The paint needs three days", "The paint of the house is white"]);
    expect(await asks({})).toEqual([always, "I paint at night"]);
  });

  it("whatever scope is asked for, while a search by that scope outside projects finds what it names", async () => {
    expect(await asks({ sessionId: "hall", ...ofBoat, kinds: ["memory"] })).toEqual([]);
    expect(await asks({ sessionId: "deck", ...ofBoat, kinds: ["memory"] })).toEqual(["The paint of the boat is blue"]);
    const find = async (more: object) => {
      const body = { userId: "eve", query: "paint", kinds: ["memory"], sessionId: "hall", ...more };
      const { json } = await h.fetch<{ hits: { content: string }[] }>("POST", "/v1/search", { body });
      return json.hits.map(({ content }) => content).toSorted();
    };
    expect(await find({})).toEqual([always, "The paint of the house is white"]);
    expect(await find(ofBoat)).toEqual([]);
    expect(await find({ ...ofBoat, sessionId: undefined })).toEqual(["The paint of the boat is blue"]);
  });

  it("and the entities that it has", async () => {
    const put = async (projectId: string, name: string, notes: string | null) =>
      await h.fetch("POST", "/v1/entities", { body: { userId: "eve", projectId, type: "tool", name, notes } });
    await put("boat", "Sander Z3", "smooths the hull");
    await put("boat", "Sander", null);
    await put("house", "Sander X9", "smooths the floor");
    const answer = await contextFor(h, { userId: "eve", query: "Where is the sander?", sessionId: "deck", explain: true });
    expect(textsIn(answer).toSorted()).toEqual(["Sander", "Sander Z3: smooths the hull", "The paint needs two days"]);
    expect(linesOf(answer)[0]).toMatch(/^\[M1\] \(\d{4}-\d\d-\d\d \d\d:\d\d, tool\) Sander/);
    expect(answer.json.items[0]).toMatchObject({ kind: "entity", explain: { visibleBy: "same_project" } });
    for (let i = 0; i < 12; i += 1) await put("boat", `Wrench ${i}`, null);
    expect(await asks({ query: "wrench", sessionId: "deck", kinds: ["entity"], limit: 100 })).toHaveLength(10);
    for (const nowhere of [
      {},
      { sessionId: "hall", kinds: ["memory", "episode"] },
      { sessionId: "deck", asOf: "2026-01-01T00:00:00Z" },
    ])
      expect((await asks({ query: "sander", ...nowhere })).join()).not.toContain("Sander");
  });
});

describe("a place in which one has no part", () => {
  it("is refused", async () => {
    await h.fetch("PUT", "/v1/projects/secret", { body: { userId: "fay" } });
    await say(h, "fays", "hello", { userId: "fay" });
    await h.fetch("PUT", "/v1/users/gus");
    for (const kinds of [undefined, ["entity"]]) {
      const answered = async (place: object) => {
        const { status, text } = await contextFor(h, { userId: "gus", query: "hello", ...place, ...(kinds && { kinds }) });
        return [status, text.replace(/"requestId":"[^"]*"/, "")];
      };
      expect(await answered({ sessionId: "fays" })).toEqual([404, expect.stringContaining("no such session")]);
      expect(await answered({ projectId: "secret" })).toEqual([404, expect.stringContaining("no such project")]);
      expect(await answered({ projectId: "secret" })).toEqual(await answered({ projectId: "none" }));
    }
  });

  it("while a session that is not stored yet is a new private one", async () => {
    const ofGus = async (more: object) => await contextFor(h, { userId: "gus", query: "hummus", ...more });
    await add(h, { userId: "gus", content: "Gus eats hummus for breakfast" });
    expect(textsIn(await ofGus({ sessionId: "first-turn" }))).toEqual(textsIn(await ofGus({})));
    expect((await ofGus({ sessionId: "first-turn", projectId: "secret" })).text).toContain("no such project");
    expect((await ofGus({ sessionId: "proxy:fay" })).status).toBe(404);
    expect((await ofGus({ sessionId: "first-turn", kinds: ["entity"] })).json.items).toEqual([]);
    const newcomer = { userId: "newcomer", sessionId: "first-turn" };
    expect((await ofGus(newcomer)).json).toMatchObject({ items: [], answer: null, memory: "on" });
    expect((await ofGus({ ...newcomer, kinds: ["entity"] })).status).toBe(200);
    expect((await ofGus({ ...newcomer, sessionId: "fays" })).status).toBe(404);
    // It is not stored by being read.
    expect((await h.fetch("GET", "/v1/sessions/first-turn?userId=gus")).status).toBe(404);
  });

  it("and a user who is not stored gets what every user of the tenant does", async () => {
    await add(h, { shared: true, content: "The office closes at six" });
    const known = await contextFor(h, { userId: "gus", query: "office" });
    expect(textsIn(known)).toEqual(["The office closes at six"]);
    expect(textsIn(await contextFor(h, { userId: "nobody", query: "office" }))).toEqual(["The office closes at six"]);
    expect((await contextFor(h, { userId: "nobody", query: "Gus" })).text).not.toMatch(/gus|fay/iu);
    for (const kinds of [["memory"], ["entity"]])
      expect((await contextFor(h, { userId: "nobody", query: "hello", sessionId: "fays", kinds })).status).toBe(404);
  });

  it("needs the permission to read", async () => {
    const { status } = await contextFor(h, { query: "office" }, { key: await h.as(["write"]) });
    expect(status).toBe(403);
  });
});
