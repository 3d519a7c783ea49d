import { beforeAll, describe, expect, it } from "vitest";
import { estimateTokens } from "#core/text/estimate-tokens";
import { createHarness, type Harness } from "#test/harness";
import { settings } from "./extraction-requests.ts";
import { append, find, nth, say, textsOf } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
  // Hits are passages here, and each is found once.
  await settings(h, { extraction: "off" });
});

it.each([
  ["English", "My brother restores antique clocks in Vermont.", "Who restores an antique clock?"],
  ["Chinese", "我妹妹下个月要搬到成都去工作。", "成都"],
  ["Japanese", "来週の金曜日に京都で会議があります。", "京都の会議"],
  ["Thai", "แมวของฉันชอบกินปลาทูน่า", "ปลาทูน่า"],
  ["German", "Die Übergabe der Schlüssel findet im Gebäude der Stadtwerke statt.", "Schlüssel übergabe"],
  ["Arabic", "والدتي تزرع الورود في حديقة البيت", "حديقة"],
])("%s is found in the very next request", async (language, text, question) => {
  const userId = `reader of ${language}`;
  await say(h, `${language} noise`, "Nothing of interest is said here at all.", { userId });
  await say(h, language, text, { userId });
  const { json } = await find(h, question, { userId, strategy: "text" });
  expect(json.hits[0]).toMatchObject({
    content: text,
    sessionId: language,
    citation: "[M1]",
    kind: "episode",
    indexed: { text: true, vector: false },
  });
});

describe("strategies", () => {
  const userId = "strategist";
  beforeAll(async () => {
    for (const [text, occurredAt] of [
      ["The ferry to Naxos leaves at nine.", "2024-03-01T09:00:00Z"],
      ["We booked the ferries for the island.", "2024-06-01T09:00:00Z"],
      ["Lunch was a bowl of lentils.", "2024-09-01T09:00:00Z"],
    ]) {
      // In a session of its own, because words also speak for the passages around them.
      await say(h, text?.startsWith("Lunch") ? "kitchen" : "voyage", text ?? "", { userId, occurredAt });
    }
    await h.settle();
  });

  it("text finds words, recent goes by time, semantic by vectors, hybrid by all", async () => {
    const ask = (strategy: string, query = "the ferry") => find(h, query, { userId, strategy, explain: true });
    const channels = async (strategy: string) => Object.keys((await ask(strategy)).json.hits[0]?.explain?.channels ?? {}).sort();
    expect(textsOf(await ask("recent"))).toEqual([
      "Lunch was a bowl of lentils.",
      "We booked the ferries for the island.",
      "The ferry to Naxos leaves at nine.",
    ]);
    expect((await ask("exact")).json.strategy).toBe("recent");
    expect(new Set(textsOf(await ask("text")))).toEqual(
      new Set(["The ferry to Naxos leaves at nine.", "We booked the ferries for the island."]),
    );
    expect([await channels("text"), await channels("semantic"), await channels("recent"), await channels("hybrid")]).toEqual([
      ["text"],
      ["semantic"],
      ["recent"],
      ["semantic", "text"],
    ]);
  });

  it("takes an empty question for what is recent", async () => {
    const { json } = await find(h, "  ", { userId, limit: 1 });
    expect([json.strategy, json.hits.map(({ content }) => content)]).toEqual(["recent", ["Lunch was a bowl of lentils."]]);
  });

  it.each(["text", "recent", "semantic"])("keeps to a span of time, its start in and its end out: %s", async (strategy) => {
    const inSpan = await find(h, "ferry", { userId, strategy, from: "2024-03-01T09:00:00Z", to: "2024-06-01T09:00:00Z" });
    expect(textsOf(inSpan)).toEqual(["The ferry to Naxos leaves at nine."]);
    expect(
      textsOf(await find(h, "ferry", { userId, strategy, from: "2024-03-01T09:00:00.001Z", to: "2024-06-01T09:00:00.001Z" })),
    ).toEqual(["We booked the ferries for the island."]);
    expect(textsOf(await find(h, "ferry", { userId, strategy, to: "2023-01-01T00:00:00Z" }))).toEqual([]);
  });

  it("refuses a span that ends before it begins", async () => {
    expect((await find(h, "ferry", { userId, from: "2024-06-01T00:00:00Z", to: "2024-03-01T00:00:00Z" })).status).toBe(422);
  });

  it("explains each hit and the viewer's place", async () => {
    const { json } = await find(h, "ferry", { userId, strategy: "text", explain: true });
    expect(json.explain).toEqual({
      viewer: { pool: "user", rule: "no_project" },
      terms: [{ term: "ferri", found: 2 }],
      leftOut: [],
      queryEmbedding: "unused",
    });
    const hit = nth(json.hits, 0);
    expect(hit.explain).toMatchObject({ visibleBy: "own_private_session", similar: 0, tokens: estimateTokens(hit.content) });
    expect(hit.explain?.channels.text?.rank).toBe(1);
    expect(nth((await find(h, "ferry", { userId })).json.hits, 0)).not.toHaveProperty("explain");
  });

  it("leaves the factors out on request", async () => {
    const factors = async (adjust: boolean) =>
      (await find(h, "ferry now", { userId, strategy: "text", adjust, explain: true })).json.hits[0]?.explain?.factors;
    expect((await factors(true))?.length).toBeGreaterThan(0);
    expect(await factors(false)).toEqual([]);
  });
});

describe("limit and budget", () => {
  const userId = "budgeter";
  const texts = Array.from(
    { length: 6 },
    (_, i) => `The lighthouse keeper number ${i} wrote about ${"storm whale gull rope tar lamp".split(" ")[i]} ${i}.`,
  );
  beforeAll(async () => {
    await append(h, "logbook", { userId, episodes: texts.map((text) => ({ messages: [{ role: "user", content: text }] })) });
  });

  it("answers no more than the limit", async () => {
    for (const strategy of ["text", "recent"])
      expect((await find(h, "lighthouse", { userId, strategy, limit: 2 })).json.hits).toHaveLength(2);
  });

  it("takes hits while they fit, and one in any case", async () => {
    const budget = estimateTokens(texts[0] ?? "") * 2 + 1;
    const { json } = await find(h, "lighthouse", { userId, strategy: "text", maxTokens: budget });
    expect(json.hits).toHaveLength(2);
    expect(json.tokens).toEqual({
      used: json.hits.reduce((sum, { content }) => sum + estimateTokens(content), 0),
      budget,
      estimated: true,
    });
    expect((await find(h, "lighthouse", { userId, strategy: "text", maxTokens: 1 })).json.hits).toHaveLength(1);
  });
});

it("lets one hit stand for those that say the same", async () => {
  const userId = "repeater";
  for (const text of [
    "Remember to feed the tortoise on Sunday.",
    "remember to feed the tortoise on sunday",
    "The tortoise likes dandelions.",
  ])
    await say(h, "pets", text, { userId });
  const { json } = await find(h, "tortoise sunday", { userId, strategy: "text", explain: true });
  expect(json.hits.map(({ explain }) => explain?.similar)).toEqual([1, 0]);
});

it("counts a question's embedding as known when it is asked again", async () => {
  const userId = "asker";
  await say(h, "asked", "an unrelated remark", { userId });
  const embedding = async () =>
    (await find(h, "what was never asked before?", { userId, strategy: "semantic", explain: true })).json.explain?.queryEmbedding;
  const before = h.services().caches.queryEmbeddings.counts();
  expect([await embedding(), await embedding()]).toEqual(["computed", "cached"]);
  const after = h.services().caches.queryEmbeddings.counts();
  expect([after.hits - before.hits, after.misses - before.misses]).toEqual([1, 1]);
});

it("finds nothing for a user whom nobody knows, and 404 in a place that is not theirs", async () => {
  expect((await find(h, "ferry", { userId: "nobody" })).json.hits).toEqual([]);
  expect((await find(h, "ferry", { userId: "nobody", sessionId: "voyage" })).status).toBe(404);
  expect((await find(h, "ferry", { userId: "budgeter", sessionId: "voyage" })).status).toBe(404);
  expect((await find(h, "ferry", { userId: "strategist", projectId: "no-such" })).status).toBe(404);
});

it("takes every filter at once, for now and for a time in the past", async () => {
  const filters = {
    ...{
      userId: "filterer",
      strategy: "recent",
      sessionId: "filtered",
      workspaceId: "w",
      scopeType: "a",
      scopeId: "b",
      includeGroups: true,
    },
    ...{ types: ["preference"], about: ["per_01a1f92c-720b-7527-9cd5-76463f8b4abc"] },
    ...{ from: "2020-01-01T00:00:00Z", to: "2040-01-01T00:00:00Z" },
  };
  for (const asOf of [undefined, "2025-01-01T00:00:00Z"]) {
    for (const strategy of ["recent", "hybrid", "text"])
      expect((await find(h, "ferry", { ...filters, strategy, ...(asOf === undefined ? {} : { asOf }) })).status).toBe(200);
  }
});
