import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";

let h: Harness;
beforeEach(async () => {
  h = await createHarness();
});

type Said = { content: string; occurredAt?: string };

async function append(session: string, messages: Said[], projectId?: string): Promise<void> {
  const body = { userId: "ann", projectId, messages: messages.map((message) => ({ role: "user", ...message })) };
  expect((await h.fetch("POST", `/v1/sessions/${session}/episodes`, { body })).status).toBe(201);
}

async function recent(asked: Record<string, unknown> = {}): Promise<string[]> {
  const body = { query: "", userId: "ann", ...asked };
  const { status, json } = await h.fetch<{ hits: { content: string }[] }>("POST", "/v1/search", { body });
  expect(status).toBe(200);
  return json.hits.map(({ content }) => content);
}

describe("recent", () => {
  it("is not crowded out by sessions in which nothing was said", async () => {
    await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
    await append("said", [{ content: "outside" }]);
    await append("inside", [{ content: "inside" }], "garden");
    for (let i = 0; i < 6; i += 1) {
      await h.fetch("PUT", `/v1/sessions/empty-${i}`, { body: { userId: "ann" } });
      await h.fetch("PUT", `/v1/sessions/empty-in-${i}`, { body: { userId: "ann", projectId: "garden" } });
    }
    expect(await recent({ limit: 3 })).toEqual(["outside"]);
    expect(await recent({ limit: 3, projectId: "garden" })).toEqual(["inside"]);
  });

  it("goes by conversation time among sessions that were imported in any order", async () => {
    for (const year of [2025, 2011, 2019, 2013, 2017])
      await append(`s${year}`, [{ content: `${year}`, occurredAt: `${year}-12-01T00:00:00Z` }]);
    expect(await recent({ limit: 3 })).toEqual(["2025", "2019", "2017"]);
    const { json } = await h.fetch("GET", "/v1/sessions/s2019?userId=ann");
    expect(json).toMatchObject({ lastAt: "2019-12-01T00:00:00.000Z" });
  });

  it("goes by conversation time in a session to which older messages were added later", async () => {
    await append("s", [{ content: "newest", occurredAt: "2025-06-01T00:00:00Z" }]);
    const older = Array.from({ length: 40 }, (_, i) => ({
      messages: [{ role: "user", content: `old ${i}`, occurredAt: `2010-01-01T00:00:${10 + i}Z` }],
    }));
    await h.fetch("POST", "/v1/sessions/s/episodes", { body: { userId: "ann", episodes: older } });
    expect(await recent({ limit: 2 })).toEqual(["newest", "old 39"]);
    expect(await recent({ limit: 2, from: "2025-01-01T00:00:00Z" })).toEqual(["newest"]);
    expect(await recent({ limit: 2, to: "2020-01-01T00:00:00Z" })).toEqual(["old 39", "old 38"]);
  });

  it("cuts a span between the messages of one episode", async () => {
    await append("s", [
      { content: "first", occurredAt: "2025-06-01T10:00:00Z" },
      { content: "second", occurredAt: "2025-06-01T11:00:00Z" },
    ]);
    expect(await recent({ to: "2025-06-01T10:30:00Z" })).toEqual(["first"]);
    expect(await recent({ from: "2025-06-01T10:30:00Z" })).toEqual(["second"]);
  });

  it("reads no more for sessions and episodes beyond the limit", async () => {
    for (let i = 0; i < 12; i += 1) await append(`s${i}`, [{ content: `in ${i}` }]);
    const cost = async () => {
      const { headers } = await h.fetch("POST", "/v1/search", { body: { query: "", userId: "ann", limit: 5 } });
      return /read=(\d+)/.exec(headers.get("server-timing") ?? "")?.[1];
    };
    // The first also reads the tenant's settings.
    await cost();
    const before = await cost();
    for (let i = 12; i < 30; i += 1) await append(`s${i}`, [{ content: `in ${i}` }]);
    expect(await cost()).toBe(before);
  });
});

it("a span reaches back beyond 1970", async () => {
  await append("s", [{ content: "the moon landing", occurredAt: "1969-07-20T20:17:00Z" }]);
  const body = { query: "moon", userId: "ann", strategy: "text", to: "2025-01-01T00:00:00Z" };
  const { json } = await h.fetch<{ hits: unknown[] }>("POST", "/v1/search", { body });
  expect(json.hits).toHaveLength(1);
  expect(await recent({ to: "1970-01-01T00:00:00Z" })).toEqual(["the moon landing"]);
});
