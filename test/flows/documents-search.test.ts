import { beforeAll, describe, expect, it } from "vitest";
import type { SearchView } from "#domain/retrieval";
import { plantDocument } from "#test/documents";
import { makeProject } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { at } from "#test/vectors";
import { add } from "./memory-requests.ts";
import { nth, rows, say } from "./requests.ts";

const DAY_MS = 86_400_000;

let h: Harness;
let other: Harness;
beforeAll(async () => {
  [h, other] = [await createHarness(), await createHarness()];
  await makeProject(h, "garden", "ann", ["bob"]);
  await makeProject(h, "attic", "ann");
  await h.fetch("PUT", "/v1/users/cat");
  await plantDocument(h, {
    ...{ source: "handbook", path: "staff/holidays.md", title: "Holidays" },
    passages: [
      { text: "Everybody has thirty days of leave.", headings: ["Holidays", "Leave"], page: 4 },
      { text: "Sick leave is not counted.", headings: ["Holidays", "Illness"] },
    ],
  });
  await plantDocument(h, {
    source: "plans",
    path: "beds.md",
    projectId: "garden",
    passages: ["The leave mould goes on the beds."],
  });
  await plantDocument(other, { source: "handbook", path: "leave.md", passages: ["Leave is theirs."] });
});

async function ask(userId: string, query: string, extra: object = {}): Promise<SearchView> {
  const { status, json, text } = await h.fetch<SearchView>("POST", "/v1/search", { body: { userId, query, ...extra } });
  expect(status, text).toBe(200);
  return json;
}
const textsOf = ({ hits }: SearchView) => hits.map(({ content }) => content).toSorted();
const LIBRARY = ["Everybody has thirty days of leave.", "Sick leave is not counted."];
const GARDEN = ["The leave mould goes on the beds."];

describe("a hit of a document", () => {
  it("says where it stands, by which rule it is seen, and how it was found", async () => {
    const { hits } = await ask("ann", "thirty days of leave", { explain: true });
    const hit = nth(hits, 0);
    expect(hit).toMatchObject({
      ...{ kind: "chunk", citation: "[M1]", content: LIBRARY[0], passage: { start: 0, end: 35 } },
      ...{ message: null, memory: null, sessionId: null, projectId: null, indexed: { text: true, vector: true } },
      document: {
        ...{ sourceId: "handbook", source: "The handbook", path: "staff/holidays.md", title: "Holidays" },
        ...{ page: 4, headings: ["Holidays", "Leave"] },
      },
      explain: { visibleBy: "library", channels: { text: { rank: 1 } } },
    });
    expect(hit.id).toMatch(/^chk_/);
    expect(hit.document?.fileId).toMatch(/^fil_/);
    expect(hit.explain?.factors.map(({ name }) => name)).toEqual(["heading"]);
    expect((await ask("ann", "leave mould", { projectId: "garden", explain: true })).hits[0]).toMatchObject({
      ...{ projectId: "garden", explain: { visibleBy: "same_project" } },
    });
  });

  it.each(["text", "semantic", "hybrid"])("is found by %s", async (strategy) => {
    expect(textsOf(await ask("ann", "thirty days of leave for everybody", { strategy }))).toContain(LIBRARY[0]);
  });

  it("stands beside what was said and what is known", async () => {
    await say(h, "dan-1", "My leave begins on Monday.", { userId: "dan" });
    await add(h, { userId: "dan", content: "Likes a long leave" });
    const kinds = (await ask("dan", "leave")).hits.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["episode", "memory", "chunk"]));
    expect((await ask("dan", "leave", { limit: 1 })).hits).toHaveLength(1);
  });

  it("is found first under the heading that the question names", async () => {
    await plantDocument(h, {
      ...{ source: "handbook", path: "money.md" },
      passages: [
        { text: "Ask for the zeppelin allowance.", headings: ["Travel"] },
        { text: "Ask for it at the desk.", headings: ["Zeppelin allowance"] },
        { text: "The zeppelin allowance has a limit.", headings: ["Limits"] },
      ],
    });
    expect(nth((await ask("ann", "zeppelin allowance", { strategy: "text" })).hits, 0).document?.headings).toEqual([
      "Zeppelin allowance",
    ]);
  });
});

describe("who finds documents", () => {
  it.each([
    ["ann", {}, LIBRARY],
    ["cat", {}, LIBRARY],
    ["cat", { sessionId: "a-new-one" }, LIBRARY],
    ["ann", { projectId: "garden" }, GARDEN],
    ["bob", { projectId: "garden" }, GARDEN],
    ["ann", { projectId: "attic" }, []],
    ["a newcomer", {}, LIBRARY],
    ["a newcomer", { sessionId: "a-new-one" }, LIBRARY],
  ])("%s with %j", async (userId, place, found) => {
    for (const strategy of ["text", "hybrid", "semantic"])
      expect(textsOf(await ask(userId, "leave", { kinds: ["chunk"], strategy, ...place })), strategy).toEqual(
        expect.arrayContaining(found),
      );
    expect(textsOf(await ask(userId, "leave", { kinds: ["chunk"], strategy: "text", ...place }))).toEqual(found);
  });

  it("a group outside projects reads the library, one of a project with an outsider nothing", async () => {
    const open = (session: string, body: object) => h.fetch("PUT", `/v1/sessions/${session}`, { body });
    await open("table", { userId: "ann", participants: ["ann", "cat"] });
    await open("beds", { userId: "ann", projectId: "garden", participants: ["ann", "bob"] });
    await open("visit", { userId: "ann", projectId: "garden", participants: ["ann", "cat"] });
    const found = async (sessionId: string) =>
      textsOf(await ask("ann", "leave", { kinds: ["chunk"], strategy: "text", sessionId }));
    expect(await found("table")).toEqual(LIBRARY);
    expect(await found("beds")).toEqual(GARDEN);
    expect(await found("visit")).toEqual([]);
  });

  it("a newcomer reads the library before their first reply, and nothing of a project, a group or another's session", async () => {
    const context = async (place: object) =>
      await h.fetch<{ block: string }>("POST", "/v1/context", { body: { userId: "newcomer", query: "leave", ...place } });
    for (const place of [{}, { sessionId: "first" }]) expect((await context(place)).json.block).toContain(LIBRARY[0]);
    await say(h, "diary of ann", "I take leave in May.", { userId: "ann" });
    await h.settle();
    for (const place of [{ projectId: "garden" }, { sessionId: "table" }, { sessionId: "diary of ann" }])
      expect((await context(place)).status, JSON.stringify(place)).toBe(404);
    expect((await context({})).text).not.toContain("May");
    expect(await rows("select 1 from users where external_id = 'newcomer' and tenant_id = ?", h.tenantId)).toEqual([]);
  });

  it("a place without access is not found", async () => {
    const { status } = await h.fetch("POST", "/v1/search", {
      body: { userId: "cat", query: "leave", kinds: ["chunk"], projectId: "garden" },
    });
    expect(status).toBe(404);
  });
});

describe("what a filter leaves of documents", () => {
  it("filters of memories and a span leave none, and what is recent has none", async () => {
    for (const extra of [
      { types: ["preference"] },
      { from: "2020-01-01T00:00:00Z" },
      { to: "2099-01-01T00:00:00Z" },
      { strategy: "recent" },
      { kinds: ["episode", "memory"] },
    ])
      expect(
        (await ask("ann", "leave", extra)).hits.filter(({ kind }) => kind === "chunk"),
        JSON.stringify(extra),
      ).toEqual([]);
    expect((await ask("ann", "leave", { kinds: ["chunk"], from: "2020-01-01T00:00:00Z" })).hits).toEqual([]);
    expect((await ask("ann", "", { kinds: ["chunk"] })).hits).toEqual([]);
  });

  it("a time in the past has the files that have not changed since", async () => {
    const now = Date.now();
    const passages = ["The turnstile is green."];
    await plantDocument(h, { source: "old", path: "a.md", passages, updatedAt: now - 10 * DAY_MS });
    await plantDocument(h, { source: "old", path: "b.md", passages: ["The turnstile is red."], updatedAt: now - 2 * DAY_MS });
    const asOf = new Date(now - 5 * DAY_MS).toISOString();
    expect(textsOf(await ask("ann", "turnstile", { kinds: ["chunk"], asOf }))).toEqual(passages);
    expect(textsOf(await ask("ann", "turnstile", { kinds: ["chunk"] }))).toHaveLength(2);
  });

  it("of a file the revision that was read, whichever is being read", async () => {
    const file = { source: "news", path: "news.md" };
    await plantDocument(h, { ...file, passages: ["The carillon rings at noon."], revision: 1, readRevision: 1 });
    await plantDocument(h, { ...file, passages: ["The carillon rings at ten."], revision: 2, readRevision: 1 });
    const found = async () => textsOf(await ask("ann", "carillon", { kinds: ["chunk"] }));
    expect(await found()).toEqual(["The carillon rings at noon."]);
    await rows("update files set read_revision = 2 where path = 'news.md' and tenant_id = ?", h.tenantId);
    expect(await found()).toEqual(["The carillon rings at ten."]);
  });
});

it("many documents take no place from the vectors of what was said", async () => {
  const degreesOf = (text: string) => (text.startsWith("Near") ? 10 : text.includes("samovar") ? 40 : 0);
  const compass = await createHarness({
    replace: ({ embedder }) => ({
      embedder: {
        ...{ ...embedder, model: "compass@8", dimensions: 8, nature: "semantic" },
        cosines: { unrelated: 0, floor: 0.3 },
        embed: async (texts) => texts.map((text) => at(degreesOf(text))),
      },
    }),
  });
  await say(compass, "eve-1", "We bought a samovar.", { userId: "eve" });
  await compass.settle();
  await plantDocument(compass, { source: "tea", path: "tea.md", passages: Array.from({ length: 60 }, (_, i) => `Near ${i}`) });
  const body = { userId: "eve", query: "Which kettle?", limit: 100, maxTokens: 8000 };
  const { json } = await compass.fetch<SearchView>("POST", "/v1/search", { body });
  const found = json.hits.map(({ content }) => content);
  expect(
    found.filter((text) => !text.startsWith("Near")),
    JSON.stringify(found),
  ).toEqual(["We bought a samovar"]);
  expect(found).toHaveLength(51);
});
