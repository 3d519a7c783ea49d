import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { answerTo, appendText, COLORS, listed, storeFact, values } from "./fact-requests.ts";
import { nth, type Problem, rows } from "./requests.ts";

const ABSENT = "I don't have that stored yet.";
const at = (day: number) => `2026-03-${String(day).padStart(2, "0")}T00:00:00.000Z`;

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

let made = 0;
/** A user of whom no other test knows. */
const fresh = () => {
  made += 1;
  return `u${made}`;
};

describe("POST /v1/facts", () => {
  it("stores one, ranked or single, of the user alone", async () => {
    const userId = fresh();
    const ranked = await storeFact(h, {
      userId,
      topic: "colour",
      rank: 2,
      value: " Green ",
      createdAt: at(1),
      sourceMessageId: "m1",
    });
    expect(ranked.status).toBe(201);
    expect(ranked.json).toEqual({
      topic: "favorite_colors",
      kind: "ranked",
      rank: 2,
      written: true,
      value: "Green",
      createdAt: at(1),
    });
    expect((await storeFact(h, { userId, topic: "candy", value: "Toffee" })).json).toMatchObject({ kind: "single", rank: null });
    expect((await listed(h, { userId })).json.items).toMatchObject([
      { topic: "favorite_candies", kind: "single", rank: null, scope: "user", sessionId: null, projectId: null },
      { topic: "favorite_colors", kind: "ranked", rank: 2, sourceMessageId: "m1", episodeId: null, createdAt: at(1) },
    ]);
    expect(await answerTo(h, "What's my first favorite candy?", { userId })).toBe("Toffee.");
    expect(await answerTo(h, "What's my second favorite candy?", { userId })).toBe(ABSENT);
    expect((await h.fetch("GET", `/v1/facts/candy/1?userId=${userId}`)).json).toMatchObject({ kind: "single", value: "Toffee" });
  });

  it("returns for each of many whether it was written or lost to something newer", async () => {
    const userId = fresh();
    await storeFact(h, { userId, topic: "color", rank: 1, value: "Blue", createdAt: at(5) });
    const facts = [
      { topic: "color", rank: 1, value: "Red", createdAt: at(4) },
      { topic: "color", rank: 2, value: "White", createdAt: at(4) },
      { topic: "color", rank: 3, value: "Late", createdAt: at(7) },
      { topic: "color", rank: 3, value: "Early", createdAt: at(6) },
    ];
    const { status, json } = await h.fetch<{ items: unknown[] }>("POST", "/v1/facts", { body: { userId, facts } });
    expect(status).toBe(201);
    expect(json.items).toMatchObject([
      { rank: 1, written: false, value: "Blue", createdAt: at(5) },
      { rank: 2, written: true, value: "White" },
      { rank: 3, written: true, value: "Late" },
      { rank: 3, written: false, value: "Late", createdAt: at(7) },
    ]);
    const again = await h.fetch<{ items: { written: boolean }[] }>("POST", "/v1/facts", { body: { userId, facts } });
    expect([again.status, ...again.json.items.map(({ written }) => written)]).toEqual([200, false, false, false, false]);
    const body = { userId, facts: Array.from({ length: 100 }, (_, i) => ({ topic: `thing ${i}`, value: `v${i}` })) };
    expect((await h.fetch("POST", "/v1/facts", { body })).status).toBe(201);
  });

  it("is decided by who may write there", async () => {
    await h.fetch("PUT", "/v1/users/eve");
    await appendText(h, "anns", "Hello there", { userId: "ann" });
    await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
    const fact = { topic: "color", rank: 1, value: "Grey" };
    const places: Record<string, string>[] = [
      { sessionId: "anns" },
      { sessionId: "no-such" },
      { projectId: "garden" },
      { projectId: "no-such" },
    ];
    for (const place of places) {
      expect((await storeFact(h, { userId: "eve", ...place, ...fact })).status).toBe(404);
      expect(
        (await h.fetch("DELETE", `/v1/facts?${new URLSearchParams({ userId: "eve", topic: "color", ...place })}`)).status,
      ).toBe(404);
    }
    expect(await rows("select 1 from facts where tenant_id = ? and value = 'Grey'", h.tenantId)).toEqual([]);
    expect((await storeFact(h, { userId: "ann", sessionId: "anns", ...fact })).status).toBe(201);
    expect((await storeFact(h, { userId: "ann", projectId: "garden", ...fact })).status).toBe(201);
    expect(await values(h, { userId: "ann", sessionId: "anns" })).toEqual(["1 Grey"]);
    expect(await values(h, { userId: "ann", projectId: "garden" })).toEqual(["1 Grey"]);
    expect(await values(h, { userId: "ann" })).toEqual([]);
  });

  it.each([
    [{ topic: "color", rank: 1, value: "my password is hunter2" }, 422, "value"],
    [{ topic: "color", rank: 0, value: "x" }, 400, "rank"],
    [{ topic: "color", rank: 51, value: "x" }, 400, "rank"],
    [{ topic: "color", rank: 1, value: "x".repeat(501) }, 400, "value"],
    [{ topic: "color", rank: 1, value: "  " }, 400, "value"],
    [{ topic: "color", kind: "ranked", value: "x" }, 422, "rank"],
    [{ topic: "color", kind: "single", rank: 1, value: "x" }, 422, "rank"],
    [{ topic: "??", value: "x" }, 422, "topic"],
    [{ topic: "color", value: "x", sessionId: "a", projectId: "b" }, 422, "projectId"],
    [{ topic: "color", value: "x", createdAt: "yesterday" }, 400, "createdAt"],
  ])("refuses %j", async (body, status, path) => {
    const answer = await h.fetch<Problem>("POST", "/v1/facts", { body: { userId: "ann", ...body } });
    expect([answer.status, answer.json.fields?.[0]?.path]).toEqual([status, path]);
  });

  it("names the fact of many that it refuses, and stores none of them", async () => {
    const userId = fresh();
    const body = {
      userId,
      facts: [
        { topic: "color", value: "Blue" },
        { topic: "candy", value: "my password is hunter2" },
      ],
    };
    const { status, json } = await h.fetch<Problem>("POST", "/v1/facts", { body });
    expect([status, json.fields?.[0]?.path]).toEqual([422, "facts[1].value"]);
    expect(await values(h, { userId })).toEqual([]);
  });
});

describe("DELETE /v1/facts", () => {
  const forget = (query: Record<string, string>) =>
    h.fetch<{ retracted: number }>("DELETE", `/v1/facts?${new URLSearchParams(query)}`);

  it("takes a rank or a topic away for good: what is older does not come back", async () => {
    const userId = fresh();
    const place = { userId, sessionId: `${userId}-s` };
    await appendText(h, place.sessionId, COLORS, { userId, occurredAt: at(1) });
    expect((await forget({ ...place, topic: "color", rank: "2" })).json).toEqual({ topic: "favorite_colors", retracted: 1 });
    expect(await values(h, place)).toEqual(["1 Blue", "3 Black"]);
    expect((await h.fetch("GET", `/v1/facts/color/2?${new URLSearchParams(place)}`)).status).toBe(404);
    await appendText(h, place.sessionId, COLORS, { userId, occurredAt: at(1) });
    expect(await values(h, place)).toEqual(["1 Blue", "3 Black"]);
    expect((await forget({ ...place, topic: "color" })).json.retracted).toBe(2);
    expect((await forget({ ...place, topic: "color" })).json.retracted).toBe(0);
    await appendText(h, place.sessionId, "My favorite colors are 1) Red, 2) White, 3) Pink, 4) Gold", {
      userId,
      occurredAt: at(2),
    });
    expect(await values(h, place)).toEqual([]);
    expect(
      await rows(
        "select value from facts where value in ('Blue', 'Black') and user_id = (select id from users where tenant_id = ? and external_id = ?)",
        h.tenantId,
        userId,
      ),
    ).toEqual([]);
    await appendText(h, place.sessionId, "My favorite colors are 1) Teal, 2) Lime", { userId });
    expect(await values(h, place)).toEqual(["1 Teal", "2 Lime"]);
  });

  it("beats what was said before it, of whatever time it said it was", async () => {
    const userId = fresh();
    const fact = {
      userId,
      topic: "color",
      rank: 1,
      value: "Blue",
      createdAt: new Date(Date.now() + 23 * 3_600_000).toISOString(),
    };
    await storeFact(h, fact);
    expect((await forget({ userId, topic: "color" })).json.retracted).toBe(1);
    expect((await storeFact(h, { ...fact, createdAt: at(5) })).json).toMatchObject({ written: false, value: null });
    expect(await values(h, { userId })).toEqual([]);
  });

  it("touches one kind, one home, one topic and one user", async () => {
    const [userId, other] = [fresh(), fresh()];
    const session = { userId, sessionId: `${userId}-s` };
    await appendText(h, session.sessionId, COLORS, { userId });
    await storeFact(h, { userId, topic: "color", rank: 1, value: "Gold" });
    await storeFact(h, { userId, topic: "color", value: "Rose" });
    await storeFact(h, { userId, topic: "candy", rank: 1, value: "Toffee" });
    await storeFact(h, { userId: other, topic: "color", rank: 1, value: "Lime" });
    expect((await storeFact(h, { ...session, topic: "color", value: "Rose", createdAt: at(1) })).json.written).toBe(true);
    await forget({ ...session, topic: "color", kind: "single" });
    await forget({ userId, topic: "color", kind: "ranked" });
    expect(await values(h, { userId })).toEqual(["1 Toffee", "- Rose"]);
    await forget({ userId, topic: "color" });
    expect(await values(h, { userId })).toEqual(["1 Toffee"]);
    expect(await values(h, { ...session, topic: "color" })).toEqual(["1 Blue", "2 Green", "3 Black"]);
    expect(await values(h, { userId: other })).toEqual(["1 Lime"]);
  });
});

describe("GET /v1/facts", () => {
  it("pages by topic and rank, filters, and makes no cursor for others", async () => {
    const userId = fresh();
    const place = { userId, sessionId: `${userId}-s` };
    await appendText(h, place.sessionId, COLORS, { userId });
    for (const rank of [1, 2]) await storeFact(h, { userId, topic: "candy", rank, value: `Candy ${rank}` });
    for (const rank of [1, 2]) await storeFact(h, { userId, topic: "color", rank, value: `Own ${rank}` });
    const all = ["1 Candy 1", "2 Candy 2", "1 Own 1", "2 Own 2", "1 Blue", "2 Green", "3 Black"];
    expect(await values(h, place)).toEqual(all);
    for (const limit of [1, 2, 3]) {
      const seen: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const query: Record<string, string> = { ...place, limit: String(limit), ...(cursor === "" ? {} : { cursor }) };
        const { json } = await listed(h, query);
        seen.push(...json.items.map(({ rank, value }) => `${rank} ${value}`));
        cursor = json.nextCursor;
      }
      expect(seen).toEqual(all);
    }
    expect(await values(h, { ...place, topic: "Farben", rank: "2" })).toEqual(["2 Own 2", "2 Green"]);
    expect(await values(h, { ...place, kind: "single" })).toEqual([]);
    const { json } = await listed(h, { ...place, limit: "6" });
    expect(await values(h, { userId: fresh(), cursor: json.nextCursor ?? "" })).toEqual([]);
    expect(atob(nth([json.nextCursor ?? ""], 0))).not.toMatch(/%2C\d{2,}/);
  });
});
