import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { encodeCursor } from "#core/page";
import { searchEntities } from "#domain/entities";
import { search } from "#domain/retrieval";
import { episode, extraction, list, makeProject, move, recordEntities, save, seek } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { nth, type Page, rows } from "./requests.ts";

let replaced: (composed: Services) => Partial<Services> = () => ({});
let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: (composed) => ({ log: () => undefined, ...replaced(composed) }) });
  await makeProject(h, "garden", "ann", ["bob"]);
  const entities = [
    { type: "project", name: "Apollo", notes: "flies to the moon, is late" },
    { type: "project", name: "Artemis", notes: "status: follows Apollo" },
    { type: "organisation", name: "北京大学", notes: "上海的合作伙伴" },
    { type: "place", name: "Krankenhaus Spandau", notes: "die Häuser am Fluss" },
    { type: "tool", name: "C++", notes: null },
    { type: "tool", name: "C#", notes: null },
    { type: "tool", name: "Kubernetes", notes: null },
  ];
  for (const entity of entities) await save(h, { userId: "ann", projectId: "garden", ...entity });
  await h.settle();
});
beforeEach(() => {
  replaced = () => ({});
});

const garden = { userId: "ann", projectId: "garden" };
const namesOf = async (query: string, extra: object = {}) =>
  (await seek(h, query, { ...garden, ...extra })).json.hits.map(({ name }) => name);

describe("a search by words", () => {
  it.each([
    ["What is the status of Apollo?", "Apollo"],
    ["北京大学在哪里？", "北京大学"],
    ["谁是上海的伙伴", "北京大学"],
    ["Welche Häuser stehen am Fluss?", "Krankenhaus Spandau"],
    ["im Krankenhaus", "Krankenhaus Spandau"],
    ["do we write C++?", "C++"],
    ["do we write C#?", "C#"],
    ["which organisation", "北京大学"],
  ])("%s finds %s first", async (query, name) => {
    expect((await namesOf(query))[0]).toBe(name);
  });

  it("says how, if asked, and puts what the question names before what mentions it", async () => {
    const { json } = await seek(h, "status of Apollo", { ...garden, explain: true });
    expect(json.hits.map(({ name }) => name).slice(0, 2)).toEqual(["Apollo", "Artemis"]);
    expect(json.hits[0]?.explain).toMatchObject({ namesIt: true, visibleBy: "same_project", channels: { text: { rank: 1 } } });
    expect(json.hits[1]?.explain?.namesIt).toBe(false);
    expect((await seek(h, "status of Apollo", garden)).json.hits[0]?.explain).toBeUndefined();
  });

  it("takes types, a limit, and no words for what was named last", async () => {
    expect(await namesOf("Apollo", { types: ["Tool", "place"] })).toEqual([]);
    expect(await namesOf("Apollo", { limit: 1 })).toEqual(["Apollo"]);
    expect(await namesOf("?!", { types: ["TOOL"] })).toEqual(["Kubernetes", "C#", "C++"]);
    expect((await namesOf("", { limit: 3 })).length).toBe(3);
  });
});

describe("a search by vectors", () => {
  it("finds what no word finds, with the embedded index", async () => {
    const { json } = await seek(h, "kubernettes", { ...garden, explain: true });
    expect(json).toMatchObject({ degraded: [], hits: [{ name: "Kubernetes" }] });
    expect(Object.keys(json.hits[0]?.explain?.channels ?? {})).toEqual(["semantic"]);
    expect(await namesOf("kubernettes", { types: ["place"] })).toEqual([]);
  });

  it("uses a real model's beside the words, and embeds a question once, whoever asks for it", async () => {
    let asked = 0;
    replaced = ({ embedder }) => ({
      embedder: {
        ...embedder,
        nature: "semantic",
        embed: async (texts, purpose) => {
          asked += 1;
          await new Promise((resolve) => setTimeout(resolve, 100));
          return await embedder.embed(texts, purpose);
        },
      },
    });
    const ctx = { ...h.services(), ...extraction(h) };
    const query = `Kubernetes ${crypto.randomUUID()}`;
    const user = { externalId: "ann" };
    const [found] = await Promise.all([
      searchEntities(ctx, { query, user, sessionId: null, projectId: "garden", limit: 5 }),
      search(ctx, {
        query,
        userId: "ann",
        projectId: "garden",
        includeGroups: false,
        reach: "tenant",
        limit: 5,
        adjust: true,
        cut: false,
        explain: false,
        strategy: "hybrid",
      }),
    ]);
    expect([asked, found.hits[0]?.name]).toEqual([1, "Kubernetes"]);
    expect((await searchEntities(ctx, { query, user, sessionId: null, projectId: "garden", limit: 5 })).queryEmbedding).toBe(
      "cached",
    );
    expect(asked).toBe(1);
  });

  it("answers without a channel that fails, and says which", async () => {
    replaced = ({ embedder }) => ({ embedder: { ...embedder, embed: () => Promise.reject(new Error("down")) } });
    const { status, json } = await seek(h, "Apollo flies tomorrow", garden);
    expect([status, json.degraded, json.hits[0]?.name]).toEqual([200, [{ channel: "semantic", reason: "failed" }], "Apollo"]);
    replaced = ({ vectors }) => ({ vectors: { ...vectors, query: () => Promise.reject(new Error("down")) } });
    expect((await seek(h, "Apollo flies tomorrow", garden)).json.degraded).toEqual([{ channel: "semantic", reason: "failed" }]);
  });

  it("leaves vectors of another model out", async () => {
    replaced = ({ embedder }) => ({ embedder: { ...embedder, model: "another@512" } });
    expect(await namesOf("kubernettes")).toEqual([]);
  });
});

it("a search without a place, for whoever injects, finds nothing and asks nobody", async () => {
  const ctx = { ...h.services(), ...extraction(h) };
  const nowhere = { query: "Apollo", user: { externalId: "ann" }, sessionId: null, projectId: null, limit: 5 };
  expect(await searchEntities(ctx, nowhere)).toMatchObject({ hits: [] });
  expect(await searchEntities(ctx, { ...nowhere, projectId: "nowhere" })).toMatchObject({ hits: [] });
  const place = { ...nowhere, user: { externalId: "stranger" }, projectId: "garden" };
  expect(await searchEntities(ctx, place)).toMatchObject({ hits: [] });
  await expect(searchEntities(ctx, { ...place, requiresPlace: true })).rejects.toMatchObject({ code: "not_found" });
});

describe("lists", () => {
  const pages = async (query: string) => {
    const names: string[] = [];
    let cursor = "";
    do {
      const { json } = await list(h, `userId=ann&projectId=garden&limit=2${query}${cursor}`);
      names.push(...json.items.map(({ name }) => name));
      cursor = json.nextCursor === null ? "" : `&cursor=${json.nextCursor}`;
    } while (cursor !== "");
    return names;
  };

  it("go by when they were last named, by type and words, page by page", async () => {
    expect(await pages("")).toEqual(["Kubernetes", "C#", "C++", "Krankenhaus Spandau", "北京大学", "Artemis", "Apollo"]);
    expect(await pages("&type=Tool")).toEqual(["Kubernetes", "C#", "C++"]);
    expect(await pages("&text=Apollo")).toEqual(["Artemis", "Apollo"]);
    expect(await pages("&text=Apollo late")).toEqual(["Apollo"]);
    expect(await pages("&text=Apollo&type=tool")).toEqual([]);
    expect(await pages("&text=%21")).toEqual([]);
  });

  it("of equals go on where they ended", async () => {
    await rows("update entities set last_seen_at = 5 where tenant_id = ?", h.tenantId);
    const all = await pages("");
    expect([all.length, new Set(all).size]).toEqual([7, 7]);
    for (const cursor of ["x", encodeCursor("entities", [1]), encodeCursor("entities", ["a", "b"])])
      expect((await list(h, `userId=ann&projectId=garden&cursor=${cursor}`)).status).toBe(422);
  });

  it("need a place", async () => {
    expect((await list(h, "userId=ann")).status).toBe(422);
    expect((await seek(h, "Apollo", { userId: "ann" })).status).toBe(422);
  });
});

describe("mentions", () => {
  type Mention = { episodeId: string; sessionId: string; at: string };
  const mentionsOf = async (id: string, query: string) =>
    (await h.fetch<Page<Mention>>("GET", `/v1/entities/${id}/mentions?${query}`)).json;

  it("are the episodes that the viewer may see, the latest first", async () => {
    await makeProject(h, "lab", "ann", ["bob"]);
    const laser = { type: "tool", name: "Laser" };
    const made: string[] = [];
    for (const [session, at] of [
      ["l1", 7_000],
      ["l2", 9_000],
      ["l1", 8_000],
      ["l3", 1_000],
    ] as const) {
      const { id, internal } = await episode(h, session, "ann", { projectId: "lab" });
      await recordEntities(h, internal, [laser], at);
      made.push(id);
    }
    const { id } = nth((await list(h, "userId=ann&projectId=lab")).json.items, 0);
    const first = await mentionsOf(id, "userId=bob&projectId=lab&limit=3");
    expect(first.items.map(({ episodeId, sessionId }) => [episodeId, sessionId])).toEqual([
      [made[1], "l2"],
      [made[2], "l1"],
      [made[0], "l1"],
    ]);
    const second = await mentionsOf(id, `userId=bob&projectId=lab&limit=3&cursor=${first.nextCursor}`);
    expect([second.items.map(({ episodeId }) => episodeId), second.nextCursor]).toEqual([[made[3]], null]);
    await move(h, "l1", "ann", null);
    const after = await mentionsOf(id, "userId=ann&sessionId=l2");
    expect(after.items.map(({ episodeId }) => episodeId)).toEqual([made[1], made[3]]);
    expect((await h.fetch("GET", `/v1/entities/${id}/mentions?userId=ann&sessionId=l1`)).status).toBe(404);
  });
});
