import { beforeEach, describe, expect, it } from "vitest";
import type { SearchView } from "#domain/retrieval";
import { createHarness, type Harness } from "#test/harness";
import { at } from "#test/vectors";
import { add, addAll } from "./memory-requests.ts";
import { rows } from "./requests.ts";

const userId = "ann";
const QUERY = "Which instrument?";
const ANSWER = "Practises the cello";
/** The question points to 0°: what is near it crowds out the answer, which shares no word with the question either. */
const degreesOf = (text: string) => (text === QUERY ? 0 : text === ANSWER ? 40 : text.startsWith("Near") ? 10 : 88);

let h: Harness;
/** The number of vectors that each query asked for. */
let asked: number[];
/** What happens while a text is being embedded. */
let meanwhile: (() => Promise<unknown>) | null;

beforeEach(async () => {
  [asked, meanwhile] = [[], null];
  h = await createHarness({
    replace: ({ embedder, vectors }) => ({
      embedder: {
        ...embedder,
        model: "compass@8",
        dimensions: 8,
        nature: "semantic",
        cosines: { unrelated: 0, floor: 0.3 },
        embed: async (texts) => {
          const happens = meanwhile;
          meanwhile = null;
          await happens?.();
          return texts.map((text) => at(degreesOf(text)));
        },
      },
      vectors: {
        ...vectors,
        query: (tenantId, query) => {
          asked.push(query.topK);
          return vectors.query(tenantId, query);
        },
      },
    }),
  });
});

const near = (count: number, more: Record<string, unknown>) =>
  Array.from({ length: count }, (_, i) => ({ content: `Near ${String.fromCharCode(97 + (i % 26))}${i}`, ...more }));

async function store(memories: readonly Record<string, unknown>[]): Promise<void> {
  for (let i = 0; i < memories.length; i += 50) {
    const { status, text } = await addAll(h, memories.slice(i, i + 50), { userId });
    expect(status, text).toBeLessThan(300);
  }
  await h.settle();
}

async function find(more: object): Promise<string[]> {
  asked = [];
  const { json } = await h.fetch<SearchView>("POST", "/v1/search", {
    body: { userId, query: QUERY, kinds: ["memory"], limit: 5, ...more },
  });
  return json.hits.map(({ content }) => content);
}

async function storedVectors(): Promise<number> {
  const spaces = await rows<{ id: number }>("select id from spaces where tenant_id = ?", h.tenantId);
  const query = { vector: at(0), spaces: spaces.map(({ id }) => id), filter: {}, topK: 100 };
  return (await h.services().vectors.query(h.tenantId, query)).length;
}

describe("memories that the question cannot be answered with do not hide the one that answers it", () => {
  it("eighty of another scope", async () => {
    await store([
      ...near(80, { scopeType: "topic", scopeId: "home" }),
      { content: ANSWER, scopeType: "topic", scopeId: "music" },
    ]);
    expect(await find({ scopeType: "topic", scopeId: "music" })).toEqual([ANSWER]);
    expect(asked).toEqual([50]);
  });

  it("eighty of the scope of a project, asked for outside of it", async () => {
    await h.fetch("PUT", "/v1/projects/house", { body: { userId } });
    await store([...near(80, { scopeType: "project", scopeId: "house" }), { content: ANSWER }]);
    expect(await find({})).toEqual([ANSWER]);
    expect(asked).toEqual([50]);
    expect((await find({ projectId: "house" })).length).toBe(5);
  });

  it("eighty from outside, asked in a project that they do not come into", async () => {
    await h.fetch("PUT", "/v1/projects/house", { body: { userId } });
    await store([...near(80, {}), { content: ANSWER, scopeType: "project", scopeId: "house" }]);
    expect(await find({ projectId: "house" })).toEqual([ANSWER]);
    expect(asked).toEqual([50, 50]);
  });

  it("sixty that were replaced: their vectors go with the change, and the current one's stays", async () => {
    await store([{ content: ANSWER }]);
    let last = (await add(h, { userId, content: "Near" })).json.id;
    for (const memory of near(60, {})) {
      await h.settle();
      last = (await add(h, { userId, ...memory, supersedes: last })).json.id;
    }
    await h.settle();
    expect(await storedVectors()).toBe(2);
    expect(await find({})).toEqual(["Near h59", ANSWER]);
    expect(asked).toEqual([50]);
  });

  it("one that is replaced while it is being embedded leaves no vector", async () => {
    const { json } = await add(h, { userId, content: "Near a" });
    meanwhile = () => add(h, { userId, content: "Near b", supersedes: json.id });
    await h.settle();
    expect(await storedVectors()).toBe(1);
  });

  it("sixty that only the rules can tell apart: more of the nearest are asked for, once", async () => {
    await store([...near(60, { scopeType: "house", scopeId: "h" }), { content: ANSWER, scopeType: "topic", scopeId: "t" }]);
    expect(await find({ scopeType: "topic" })).toEqual([ANSWER]);
    expect(asked).toEqual([50, 100]);
  });
});

describe("the floor of a model", () => {
  it("keeps out what only a vector brings, below it", async () => {
    await store([{ content: ANSWER }, { content: "Buys the bread on Fridays" }]);
    expect(await find({})).toEqual([ANSWER]);
  });
});
