import { beforeAll, describe, expect, it } from "vitest";
import { estimateTokens } from "#core/text/estimate-tokens";
import type { ProfileView } from "#domain/profile";
import type { ChatModel } from "#ports/chat-model";
import { createHarness, type Harness } from "#test/harness";
import { contextFor, linesOf, set } from "./context-requests.ts";
import { add, group, personOf } from "./memory-requests.ts";
import { say } from "./requests.ts";

let h: Harness;
let chatModel: ChatModel | null = null;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ chatModel }) });
  await set(h, { extraction: "rules" });
});

const profileFor = async (userId: string, more: object = {}) =>
  await contextFor(h, { userId, query: "Hello!", profile: true, kinds: ["memory"], ...more });
const partOf = async (userId: string, more: object = {}): Promise<string[]> =>
  (await profileFor(userId, more)).json.items.filter(({ part }) => part === "profile").map(({ content }) => content);
const read = async (userId: string, query = "") => await h.fetch<ProfileView>("GET", `/v1/users/${userId}/profile${query}`);

describe("the profile in a context", () => {
  beforeAll(async () => {
    await add(h, { userId: "ann", content: "Ann has a cello lesson at four", type: "event" });
    await add(h, { userId: "ann", content: "I live in Lund", type: "identity", key: "identity:home" });
    await add(h, { userId: "ann", content: "I eat no peanuts, they make me ill", type: "identity" });
    await add(h, { userId: "ann", content: "The ferry has a blue funnel", type: "observation" });
    await add(h, { userId: "ann", content: "Write prices in crowns, please", type: "procedural" });
  });

  it("is there whatever is asked: wishes first, then who they are, then what goes on", async () => {
    const answer = await profileFor("ann");
    expect(answer.json.items.map(({ part, content }) => `${part}: ${content}`)).toEqual([
      "profile: Write prices in crowns, please",
      "profile: I live in Lund",
      "profile: I eat no peanuts, they make me ill",
      "profile: Ann has a cello lesson at four",
    ]);
    expect(linesOf(answer)[0]).toMatch(/^\[M1\] \(\d{4}-\d\d-\d\d\) Write prices in crowns, please$/);
    expect(answer.json.block).toContain("What always holds of the user.");
  });

  it("in a small budget is only what an answer may be wrong without", async () => {
    await add(h, { userId: "small", content: "I live in Lund", type: "identity", key: "identity:home" });
    await add(h, { userId: "small", content: "I am allergic to walnuts", type: "identity", sensitivity: "sensitive" });
    await add(h, { userId: "small", content: "I eat halal", type: "identity", key: "identity:diet" });
    await add(h, { userId: "small", content: "Write prices in crowns, please", type: "procedural" });
    const binding = ["Write prices in crowns, please", "I am allergic to walnuts", "I eat halal"];
    expect(new Set(await partOf("small", { maxTokens: 499 }))).toEqual(new Set(binding));
    expect(new Set(await partOf("small", { maxTokens: 500 }))).toEqual(new Set([...binding, "I live in Lund"]));
  });

  it("stands behind what is recalled, and repeats none of it", async () => {
    const { json } = await profileFor("ann", { query: "Is there a ferry from Lund?" });
    expect(json.items.map(({ part, content }) => `${part}: ${content}`)).toEqual([
      expect.stringMatching(/^recalled: /),
      expect.stringMatching(/^recalled: /),
      "profile: Write prices in crowns, please",
      "profile: I eat no peanuts, they make me ill",
      "profile: Ann has a cello lesson at four",
    ]);
    expect(json.items.map(({ citation }) => citation)).toEqual(["[M1]", "[M2]", "[M3]", "[M4]", "[M5]"]);
    const said = [
      { role: "user", content: "Write prices in crowns, please" },
      { role: "user", content: "Hello!" },
    ];
    expect(await partOf("ann", { query: undefined, messages: said })).not.toContain("Write prices in crowns, please");
  });

  it("takes a fifth of the budget at most, and is left out on request and for a time in the past", async () => {
    const texts = Array.from(
      { length: 30 },
      (_, i) => `My cousin number ${i} lives beside the ${i + 3}th lighthouse of the coast`,
    );
    for (const content of texts) await add(h, { userId: "bo", content, type: "relationship", subjects: [] });
    for (const maxTokens of [200, 500, 2_000]) {
      const { json } = await profileFor("bo", { maxTokens, limit: 100 });
      expect(json.items.every(({ part }) => part === "profile")).toBe(true);
      const fences = 20;
      expect(estimateTokens(json.block)).toBeLessThanOrEqual(maxTokens / 5 + fences);
      expect(json.items.length, `${maxTokens}`).toBeGreaterThanOrEqual(Math.floor(maxTokens / 170) - 1);
    }
    expect(await partOf("bo", { limit: 2 })).toHaveLength(2);
    for (const more of [{ profile: false }, { asOf: new Date().toISOString() }, { kinds: ["episode"] }, { maxTokens: 60 }])
      expect(await partOf("bo", more), JSON.stringify(more)).toEqual([]);
  });

  it("is of the current values: what is replaced, forgotten or expired is not in it", async () => {
    const { json: first } = await add(h, { userId: "cy", content: "I work as a baker", type: "identity" });
    await add(h, { userId: "cy", content: "I work as a diver", type: "identity", supersedes: first.id });
    const { json: wish } = await add(h, { userId: "cy", content: "Never use exclamation marks", type: "procedural" });
    expect(await partOf("cy")).toEqual(["Never use exclamation marks", "I work as a diver"]);
    await h.fetch("DELETE", `/v1/memories/${wish.id}?userId=cy`);
    expect(await partOf("cy")).toEqual(["I work as a diver"]);
  });

  it("has a user's own wishes from their talk, and none that others make for them", async () => {
    await say(h, "dees", "Please always answer in two short sentences.", { userId: "dee" });
    await h.settle();
    expect(await partOf("dee")).toEqual([expect.stringContaining("answer in two short sentences")]);
    await group(h, "club", ["dee", "eli"]);
    const about = { subjects: [await personOf(h, "dee")], portable: true, sensitivity: "public" };
    await add(h, { userId: "eli", sessionId: "club", content: "Always answer Dee in rhymes", type: "procedural", ...about });
    expect(await partOf("dee", { sessionId: "club" })).toEqual([]);
    expect(await partOf("dee")).toHaveLength(1);
  });

  it("shows in a group what the rule shows there, of the one who asks and of the group's", async () => {
    await group(h, "crew", ["fay", "gil"]);
    const own = { userId: "fay", subjects: [await personOf(h, "fay")] };
    await add(h, { ...own, content: "Fay has a stomach ulcer", type: "identity", sensitivity: "sensitive" });
    await add(h, { ...own, content: "Fay keeps bees", type: "identity", sensitivity: "public", portable: true });
    await add(h, { userId: "fay", content: "Fay sings alto", type: "identity", subjects: [], portable: false });
    await add(h, { userId: "gil", sessionId: "crew", content: "Gil eats no pork", type: "preference" });
    await add(h, { userId: "gil", content: "Gil is looking for another job", type: "identity" });
    expect((await partOf("fay", { sessionId: "crew" })).toSorted()).toEqual(["Fay keeps bees", "Gil eats no pork"]);
    expect((await partOf("fay")).toSorted()).toEqual(["Fay has a stomach ulcer", "Fay keeps bees", "Fay sings alto"]);
  });

  it("is that of a project, and of no other", async () => {
    for (const project of ["shop", "barn"]) await h.fetch("PUT", `/v1/projects/${project}`, { body: { userId: "hal" } });
    const scope = { scopeType: "project", scopeId: "shop" };
    await add(h, { userId: "hal", content: "In the shop Hal is called the boss", type: "identity", ...scope });
    expect(await partOf("hal", { projectId: "shop" })).toHaveLength(1);
    expect([await partOf("hal", { projectId: "barn" }), await partOf("hal")]).toEqual([[], []]);
  });

  it("counts as recalled, and says by which rule it is shown", async () => {
    const { json } = await profileFor("ann", { explain: true });
    expect(json.items[0]?.explain).toEqual({ channels: {}, factors: [], visibleBy: "own" });
  });
});

describe("GET /v1/users/{userId}/profile", () => {
  it("has each entry with its source, and what it replaced with dates", async () => {
    await say(h, "ivos", "I live in Graz.", { userId: "ivo", occurredAt: "2026-01-05T10:00:00Z" });
    await h.settle();
    await say(h, "ivos-later", "I live in Trieste now.", { userId: "ivo", occurredAt: "2026-02-05T10:00:00Z" });
    await h.settle();
    const { status, json } = await read("ivo");
    expect(status).toBe(200);
    const home = json.entries.find(({ key }) => key === "identity:home");
    expect(home).toMatchObject({
      section: "identity",
      content: expect.stringContaining("Trieste"),
      since: "2026-02-05T10:00:00.000Z",
    });
    expect(home?.source).toEqual({ sessionId: "ivos-later", episodeId: expect.stringMatching(/^epi_/) });
    expect(home?.replaced).toEqual([
      { content: expect.stringContaining("Graz"), from: "2026-01-05T10:00:00.000Z", to: "2026-02-05T10:00:00.000Z" },
    ]);
    expect(json).toMatchObject({ prose: null, tokens: { estimated: true } });
  });

  it("is edited through memories", async () => {
    const { json } = await read("ann");
    const [wish] = json.entries;
    expect([wish?.section, wish?.content]).toEqual(["wishes", "Write prices in crowns, please"]);
    await h.fetch("PATCH", `/v1/memories/${wish?.id}?userId=ann`, { body: { content: "Write prices in euros, please" } });
    const [changed] = (await read("ann")).json.entries;
    expect(changed?.content).toBe("Write prices in euros, please");
    expect(changed?.replaced.map(({ content }) => content)).toEqual(["Write prices in crowns, please"]);
  });

  it("is of the place that is named, and of nobody else's", async () => {
    expect((await read("nobody-here")).status).toBe(404);
    expect((await read("fay", "?sessionId=crew")).json.entries.map(({ content }) => content).toSorted()).toEqual([
      "Fay keeps bees",
      "Gil eats no pork",
    ]);
    expect((await read("ann", "?sessionId=crew")).status).toBe(404);
    expect((await read("ann", "?sessionId=not-stored-yet")).json.entries.length).toBeGreaterThan(0);
    expect((await read("ann", "?projectId=shop")).status).toBe(404);
    await set(h, { enabled: false });
    expect((await read("ann")).json.entries).toEqual([]);
    await set(h, { enabled: true });
  });

  it("is written as prose by a chat model, once for the same memories, and not waited for unless asked", async () => {
    await set(h, { extraction: "auto" });
    let asked = 0;
    chatModel = {
      model: "writer",
      complete: async ({ messages }) => {
        asked += 1;
        return { kind: "text", text: `Written of ${messages.at(-1)?.content.split("\n").length} statements.`, usage: null };
      },
    };
    const { json } = await add(h, { userId: "kit", content: "Kit paints doors", type: "identity" });
    expect((await read("kit")).json.prose).toBeNull();
    await h.settle();
    expect([(await read("kit")).json.prose, asked]).toEqual(["Written of 1 statements.", 1]);
    await add(h, { userId: "kit", content: "Kit paints boats", type: "identity" });
    expect([(await read("kit", "?prose=true")).json.prose, asked]).toEqual(["Written of 2 statements.", 2]);
    await h.fetch("DELETE", `/v1/memories/${json.id}?userId=kit`);
    expect((await read("kit", "?prose=true")).json.prose).toBe("Written of 1 statements.");
    chatModel = { model: "broken", complete: () => Promise.reject(new Error("down")) };
    expect(await read("kit", "?prose=true")).toMatchObject({ status: 200, json: { prose: null } });
    chatModel = null;
  });
});
