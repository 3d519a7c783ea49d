import { beforeEach, describe, expect, it } from "vitest";
import { countUsage, type UsageView } from "#domain/usage";
import { createHarness, type Harness } from "#test/harness";
import { contextFor, set } from "./context-requests.ts";
import { type Answered, add, fieldsOf } from "./memory-requests.ts";

const DAY_MS = 86_400_000;
const NONE = {
  ...{ contexts: 0, hitRate: null, tokensInjected: 0, answers: 0, answersFound: 0, completions: 0, extractionCalls: 0 },
  ...{ extractionInputTokens: 0, extractionOutputTokens: 0, memoriesExtracted: 0 },
};

let now = Date.parse("2026-11-20T23:59:00Z");
let h: Harness;
beforeEach(async () => {
  now = Date.parse("2026-11-20T23:59:00Z");
  h = await createHarness({ replace: () => ({ now: () => now }) });
});

async function usageOf(query = "", key?: string): Promise<Answered<UsageView>> {
  return await h.fetch("GET", `/v1/usage?${query}`, key === undefined ? {} : { key });
}

async function count(counts: Parameters<typeof countUsage>[1], of = h): Promise<void> {
  const actor = { kind: "system", id: "test" } as const;
  await countUsage({ ...h.services(), tenantId: of.tenantId, actor, requestId: "test", idempotent: null }, counts);
}

describe("what a tenant used", () => {
  it("is nothing at first, of thirty days", async () => {
    expect((await usageOf()).json).toEqual({ from: "2026-10-22", to: "2026-11-20", days: [], totals: NONE });
  });

  it("is counted by the day in UTC, and summed", async () => {
    await count({ contexts: 3, contextsWithItems: 1, tokensInjected: 100, answers: 1 });
    await count({ contexts: 1, contextsWithItems: 1, completions: 2 });
    now += 60_000;
    await count({
      contexts: 4,
      extractionCalls: 1,
      extractionInputTokens: 900,
      extractionOutputTokens: 90,
      memoriesExtracted: 2,
    });
    await count({ answers: 2, answersFound: 1 });
    const { json } = await usageOf();
    expect(json.days).toEqual([
      { ...NONE, day: "2026-11-20", contexts: 4, hitRate: 0.5, tokensInjected: 100, answers: 1, completions: 2 },
      {
        ...{ ...NONE, day: "2026-11-21", contexts: 4, hitRate: 0, answers: 2, answersFound: 1, extractionCalls: 1 },
        ...{ extractionInputTokens: 900, extractionOutputTokens: 90, memoriesExtracted: 2 },
      },
    ]);
    expect(json.totals).toEqual({
      ...{ contexts: 8, hitRate: 0.25, tokensInjected: 100, answers: 3, answersFound: 1, completions: 2, extractionCalls: 1 },
      ...{ extractionInputTokens: 900, extractionOutputTokens: 90, memoriesExtracted: 2 },
    });
  });

  it("is the tenant's own", async () => {
    const other = await createHarness();
    await count({ contexts: 5 }, other);
    expect((await usageOf()).json.totals).toEqual(NONE);
  });

  it("takes one round trip, and whoever may read may see it", async () => {
    await usageOf();
    expect((await usageOf()).headers.get("server-timing")).toMatch(/trips=1 statements=1/);
    expect((await usageOf("", await h.as(["read"]))).status).toBe(200);
    expect((await usageOf("", await h.as(["write"]))).status).toBe(403);
  });
});

describe("a span of days", () => {
  it("has its first and its last day", async () => {
    for (let day = 0; day < 4; day += 1) {
      await count({ completions: 1 });
      now += DAY_MS;
    }
    const daysOf = async (query: string) => (await usageOf(query)).json.days.map(({ day }) => day);
    expect(await daysOf("from=2026-11-21&to=2026-11-22")).toEqual(["2026-11-21", "2026-11-22"]);
    expect(await daysOf("from=2026-11-23")).toEqual(["2026-11-23"]);
    expect(await daysOf("to=2026-11-20")).toEqual(["2026-11-20"]);
    expect(await daysOf("from=2026-12-01")).toEqual([]);
    expect((await usageOf("to=2026-11-20")).json).toMatchObject({ from: "2026-10-22", to: "2026-11-20" });
  });

  it.each([
    ["from=2026-11-22&to=2026-11-21", "to"],
    ["from=2025-11-20&to=2026-11-21", "from"],
    ["from=2020-01-01", "from"],
    ["to=0000-01-10", "to"],
    ["from=0000-01-01&to=0000-01-10", "from to"],
    ["to=1969-12-31", "to"],
    ["from=1969-12-31&to=1970-01-02", "from"],
  ])("that cannot be is refused: %s", async (query, field) => {
    const answer = await usageOf(query);
    expect([answer.status, fieldsOf(answer)]).toEqual([422, field.split(" ")]);
  });

  it.each([
    ["from=yesterday", "from"],
    ["to=2026-02-30", "to"],
    ["month=5", "month"],
  ])("that is none is refused: %s", async (query, field) => {
    const answer = await usageOf(query);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });

  it("begins with the first day that there can be", async () => {
    expect((await usageOf("to=1970-01-10")).json).toMatchObject({ from: "1970-01-01", to: "1970-01-10", days: [] });
    expect((await usageOf("to=9999-12-31")).json).toMatchObject({ from: "9999-12-02", to: "9999-12-31", days: [] });
    expect((await usageOf("from=9999-12-31")).json).toMatchObject({ from: "9999-12-31", to: "9999-12-31", days: [] });
  });

  it("is of a year at most", async () => {
    expect((await usageOf("from=2025-11-20&to=2026-11-20")).status).toBe(200);
  });
});

describe("contexts are counted after their answer", () => {
  it("those that had content, and the tokens of their blocks", async () => {
    await add(h, { userId: "ann", content: "The otter lives under the bridge" });
    const { json } = await contextFor(h, { userId: "ann", query: "otter" });
    await contextFor(h, { userId: "ann", query: "xylophone" });
    await h.settle();
    expect((await usageOf()).json.totals).toEqual({ ...NONE, contexts: 2, hitRate: 0.5, tokensInjected: json.tokens.used });
    expect(json.tokens.used).toBeGreaterThan(0);
  });

  it("and none while memory is off, or has no budget", async () => {
    await set(h, { maxTokens: 0 });
    await contextFor(h, { userId: "ann", query: "otter" });
    await set(h, { enabled: false, maxTokens: null });
    await contextFor(h, { userId: "ann", query: "otter" });
    await h.settle();
    expect((await usageOf()).json.totals).toEqual(NONE);
  });
});
