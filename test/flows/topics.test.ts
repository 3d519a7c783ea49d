import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { answerTo, appendText, ask, storeFact, values } from "./fact-requests.ts";
import { type Page, type Problem, rows } from "./requests.ts";

type Topic = { key: string; builtIn: boolean; nouns: { noun: string; language: string | null }[] };

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

const save = <T = Topic & Problem>(key: string, nouns: unknown[]) => h.fetch<T>("PUT", `/v1/topics/${key}`, { body: { nouns } });
const keys = async (query = "") => (await h.fetch<Page<Topic>>("GET", `/v1/topics${query}`)).json;

describe("topics", () => {
  it("are built in, and a tenant's own, page by page", async () => {
    const builtIn = ["favorite_candies", "favorite_colors", "favorite_cryptos", "favorite_tv"];
    expect((await keys()).items).toMatchObject(builtIn.map((key) => ({ key, builtIn: true })));
    expect(
      (
        await save("favorite_beers", [
          { noun: "beer", language: "en" },
          { noun: "Bier", language: "de" },
        ])
      ).status,
    ).toBe(201);
    const all = ["favorite_beers", ...builtIn];
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Page<Topic> = await keys(`?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seen.push(...page.items.map(({ key }) => key));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(all);
    expect((await h.fetch("GET", "/v1/topics/favorite_beers")).json).toMatchObject({
      label: "favorite beers",
      builtIn: false,
      nouns: [
        { noun: "beer", language: "en" },
        { noun: "Bier", language: "de" },
      ],
    });
    expect((await h.fetch("GET", "/v1/topics/favorite_wines")).status).toBe(404);
    expect((await (await createHarness()).fetch("GET", "/v1/topics/favorite_beers")).status).toBe(404);
  });

  it("count at once: a noun of one's own names its topic in lists, questions and requests", async () => {
    const place = { userId: "ann", sessionId: "drinks" };
    await appendText(h, "drinks", "Hello there, my friend", { userId: "ann" });
    await save("drinks_hot", [{ noun: "brew" }, { noun: "infusion" }]);
    await appendText(h, "drinks", "My favorite brews are 1) Oolong, 2) Mate", { userId: "ann" });
    expect((await ask(h, "What's my second favorite infusion?", place)).json).toMatchObject({
      topic: "drinks_hot",
      text: "Mate.",
    });
    expect(await values(h, { ...place, topic: "drinks_hot" })).toEqual(["1 Oolong", "2 Mate"]);
    expect((await storeFact(h, { ...place, topic: "drinks_hot", rank: 3, value: "Cocoa" })).status).toBe(201);
    await save("favorite_colors", [{ noun: "hue" }]);
    await storeFact(h, { ...place, topic: "hue", rank: 1, value: "Teal" });
    expect(await answerTo(h, "What's my first favorite color?", place)).toBe("Teal.");
    expect((await h.fetch("DELETE", "/v1/topics/drinks_hot")).status).toBe(204);
    expect((await h.fetch("DELETE", "/v1/topics/drinks_hot")).status).toBe(404);
    expect((await ask(h, "What's my second favorite infusion?", place)).json).toMatchObject({
      topic: "favorite_infusions",
      found: false,
    });
  });

  it.each([
    ["a built-in topic's", "Colour", "favorite_colors"],
    ["another topic's, in the plural", "teas", "favorite_teas"],
  ])("refuse %s noun, and name it", async (_, noun, owner) => {
    await save("favorite_teas", [{ noun: "tea" }]);
    const { status, json } = await save("favorite_mine", [{ noun: "fine word" }, { noun }]);
    expect(status).toBe(409);
    expect(json).toMatchObject({
      code: "conflict",
      fields: [{ path: "nouns[1].noun", message: `This noun belongs to ${owner}.` }],
    });
    expect((await h.fetch("GET", "/v1/topics/favorite_mine")).status).toBe(404);
  });

  it("refuse keys and nouns that are none", async () => {
    for (const key of ["Favorite", "a-b", "a%20b", "x".repeat(81)])
      expect((await save(key, [{ noun: "thing" }])).status).toBe(400);
    for (const nouns of [[], [{ noun: " " }], [{ noun: "a", language: "xx" }]])
      expect((await save("favorite_none", nouns)).status, JSON.stringify(nouns)).toBe(400);
    for (const nouns of [[{ noun: "42" }], [{ noun: "one two three four five six seven" }]])
      expect((await save("favorite_none", nouns)).status, JSON.stringify(nouns)).toBe(422);
  });

  it("are replaced as a whole, so that a noun that is given up is free", async () => {
    await save("favorite_games", [{ noun: "game" }, { noun: "match" }]);
    expect((await save("favorite_games", [{ noun: "game" }])).status).toBe(200);
    expect((await save("favorite_fires", [{ noun: "match" }])).status).toBe(201);
    expect((await save("favorite_games", [{ noun: "game" }])).status).toBe(200);
    const audited = await rows(
      "select 1 from audit where tenant_id = ? and action = 'topic.saved' and object_id = 'favorite_games'",
      h.tenantId,
    );
    expect(audited).toHaveLength(2);
  });

  it("that are made at the same moment have each noun once", async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((i) => save(`race_${i}`, [{ noun: "runner" }, { noun: `lane ${"abcdef"[i - 1]}` }])),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    expect(await rows("select 1 from topic_nouns where tenant_id = ? and noun = 'runners'", h.tenantId)).toHaveLength(1);
  });

  it("that are there already and take the same noun at the same moment have it once, too", async () => {
    const each = [1, 2, 3, 4, 5, 6].map((i) => ({ key: `walk_${i}`, noun: `track ${"abcdef"[i - 1]}` }));
    for (const { key, noun } of each) await save(key, [{ noun }]);
    const answers = await Promise.all(each.map(({ key, noun }) => save(key, [{ noun }, { noun: "walker" }])));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it("are changed by admins only", async () => {
    const key = await h.as(["read", "write"]);
    expect((await h.fetch("PUT", "/v1/topics/favorite_x", { key, body: { nouns: [{ noun: "xylograph" }] } })).status).toBe(403);
    expect((await h.fetch("DELETE", "/v1/topics/favorite_beers", { key })).status).toBe(403);
    expect((await h.fetch("GET", "/v1/topics", { key })).status).toBe(200);
  });
});
