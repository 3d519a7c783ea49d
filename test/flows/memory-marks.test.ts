import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { set } from "./context-requests.ts";
import { add, group, personOf } from "./memory-requests.ts";
import { repairInvariants } from "./upkeep-rows.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
  await set(h, { extraction: "off" });
});

const found = async (userId: string, query: string, more: object = {}): Promise<string[]> => {
  const body = { userId, query, strategy: "text", ...more };
  const { json } = await h.fetch<{ hits: { content: string }[] }>("POST", "/v1/search", { body });
  return json.hits.map(({ content }) => content);
};

describe("the words of a key and of metadata", () => {
  it("find a memory in every language by what people ask for it", async () => {
    await add(h, { userId: "ann", content: "moved to Trieste last week", type: "identity", key: "identity:home" });
    await add(h, { userId: "ann", content: "Ann sings in a choir" });
    for (const query of [
      "where do I live now?",
      "what city am I in",
      "restaurants near me",
      "Wo wohne ich?",
      "¿Dónde vivo?",
      "où j'habite",
      "我住在哪里",
    ])
      expect(await found("ann", query), query).toContain("moved to Trieste last week");
    expect(await found("ann", "What is my shoe size?")).toEqual([]);
  });

  it("are those that the app gave, in camel case or with dashes, and values of metadata at any depth", async () => {
    const metadata = { kind: "Wombat", nested: { places: ["Ljubljana"] }, count: 3 };
    await add(h, { userId: "bob", content: "size 44", key: "shoeSize:left-foot", metadata });
    for (const query of ["shoe size", "foot", "wombat", "ljubljana"])
      expect(await found("bob", query), query).toEqual(["size 44"]);
  });

  it("change with them", async () => {
    const { json } = await add(h, { userId: "cat", content: "the small one", key: "preference:tram" });
    const patch = async (body: object) => (await h.fetch("PATCH", `/v1/memories/${json.id}?userId=cat`, { body })).status;
    expect(await found("cat", "tram")).toHaveLength(1);
    expect(await patch({ key: "preference:bus" })).toBe(200);
    expect([await found("cat", "tram"), await found("cat", "bus")]).toEqual([[], ["the small one"]]);
    expect(await patch({ metadata: { line: "Nightliner" } })).toBe(200);
    expect(await found("cat", "nightliner")).toHaveLength(1);
    await add(h, { userId: "cat", content: "The long one" });
    await add(h, { userId: "cat", content: "The long one", key: "preference:ferry" });
    expect(await found("cat", "ferry")).toEqual(["The long one"]);
  });

  it("find nothing that is shown without them", async () => {
    await group(h, "team", ["dan", "eve"]);
    const about = { subjects: [await personOf(h, "dan")], portable: true, sensitivity: "public" };
    await add(h, {
      userId: "eve",
      sessionId: "team",
      content: "Dan will bring the kayak",
      key: "event:regatta",
      metadata: { at: "Bled" },
      ...about,
    });
    expect(await found("dan", "kayak", { sessionId: "team" })).toHaveLength(1);
    expect(await found("dan", "regatta", { sessionId: "team" })).toHaveLength(1);
    expect(await found("dan", "my kayak")).toHaveLength(1);
    expect([await found("dan", "my regatta"), await found("dan", "my Bled")]).toEqual([[], []]);
  });

  it("are not the notes of extraction", async () => {
    await add(h, { userId: "fay", content: "Fay plays the harp", metadata: { source: "judge", category: "identity" } });
    expect([await found("fay", "judge"), await found("fay", "identity"), await found("fay", "harp")]).toEqual([
      [],
      [],
      ["Fay plays the harp"],
    ]);
  });
});

it("are added by a repair to entries that were written before", async () => {
  const { json } = await add(h, { userId: "gus", content: "in the attic", key: "preference:lantern" });
  await env.DB.prepare("delete from memory_fts where rowid = (select id from memories where public_id = ?)").bind(json.id).run();
  await env.DB.prepare(
    "insert into memory_fts (rowid, space, text) select id, 's' || space_id, 'attic' from memories where public_id = ?",
  )
    .bind(json.id)
    .run();
  expect([await found("gus", "attic"), await found("gus", "lantern")]).toEqual([["in the attic"], []]);
  const repair = async () => (await repairInvariants(h))["memory.words"];
  expect(await repair()).toMatchObject({ violations: 1 });
  expect(await found("gus", "lantern")).toEqual(["in the attic"]);
  expect(await repair()).toMatchObject({ violations: 0 });
});
