import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { answerTo, appendText, ask, COLORS, storeFact } from "./fact-requests.ts";
import { rows } from "./requests.ts";

const ABSENT = "I don't have that stored yet.";
const AND_SECOND = "And the second?";
const MY_SECOND = "What's my second favorite?";

let h: Harness;
beforeEach(async () => {
  h = await createHarness();
});

const ann = (sessionId: string) => ({ userId: "ann", sessionId });

describe("a question without a topic", () => {
  it("is of what the session last spoke of, and the reply says so", async () => {
    await appendText(h, "s1", COLORS, { userId: "ann" });
    expect((await ask(h, AND_SECOND, ann("s1"))).json).toEqual({
      routed: true,
      found: true,
      text: "From your favorite colors: Green.",
      topic: "favorite_colors",
      topicAssumed: true,
      ask: "rank",
      rank: 2,
      values: [{ rank: 2, value: "Green" }],
      scope: "session",
    });
    await appendText(h, "s1", "My favorite tv shows are 1) Dark, 2) Lost", { userId: "ann" });
    expect(await answerTo(h, AND_SECOND, ann("s1"))).toBe("From your favorite TV shows: Lost.");
    // What is older, or not newer, does not change what the session last spoke of.
    await appendText(h, "s1", COLORS, { userId: "ann", occurredAt: "2020-01-01T00:00:00Z" });
    expect(await answerTo(h, MY_SECOND, ann("s1"))).toBe("From your favorite TV shows: Lost.");
  });

  it("is of what was last asked about, stored or not", async () => {
    await appendText(h, "s1", COLORS, { userId: "ann" });
    await ask(h, "What's my first favorite tv show?", ann("s1"));
    await h.settle();
    expect((await ask(h, AND_SECOND, ann("s1"))).json).toMatchObject({ topic: "favorite_tv", topicAssumed: true, text: ABSENT });
    await ask(h, "What's my first favorite color?", ann("s1"));
    await h.settle();
    expect(await answerTo(h, AND_SECOND, ann("s1"))).toBe("From your favorite colors: Green.");
  });

  it("is each user's own, of their own session", async () => {
    await h.fetch("PUT", "/v1/sessions/club", { body: { userId: "ann", participants: ["ann", "bob"] } });
    await appendText(h, "club", COLORS, { userId: "ann" });
    expect((await ask(h, MY_SECOND, { userId: "bob", sessionId: "club" })).json).toMatchObject({ text: ABSENT, topic: null });
    await appendText(h, "s1", "Hello there", { userId: "ann" });
    expect(await answerTo(h, MY_SECOND, ann("s1"))).toBe(ABSENT);
    expect(await answerTo(h, MY_SECOND, { userId: "ann" })).toBe(ABSENT);
    expect(await answerTo(h, AND_SECOND, ann("club"))).toBe("From your favorite colors: Green.");
  });

  it("is none of ours where nobody has spoken of a topic, unless it asks for what is one's own", async () => {
    await appendText(h, "s1", "There are three ways to Lisbon.", { userId: "ann" });
    expect((await ask(h, AND_SECOND, ann("s1"))).json).toMatchObject({ routed: false, text: null });
    expect((await ask(h, MY_SECOND, ann("s1"))).json).toMatchObject({ routed: true, found: false, text: ABSENT, topic: null });
    expect((await ask(h, AND_SECOND, { userId: "eve", sessionId: "s1" })).status).toBe(404);
  });

  it("is of what was stored for the session through the API, too", async () => {
    await appendText(h, "s1", "Hello there", { userId: "ann" });
    await storeFact(h, { ...ann("s1"), topic: "candy", rank: 2, value: "Toffee" });
    expect(await answerTo(h, AND_SECOND, ann("s1"))).toBe("From your favorite candies: Toffee.");
  });

  it("cannot be held to a time to come", async () => {
    await appendText(h, "s1", COLORS, { userId: "ann", occurredAt: new Date(Date.now() + 23 * 3_600_000).toISOString() });
    await appendText(h, "s1", "My favorite tv shows are 1) Dark, 2) Lost", { userId: "ann" });
    expect(await answerTo(h, AND_SECOND, ann("s1"))).toBe("From your favorite TV shows: Lost.");
  });
});

describe("what is counted", () => {
  it("is answers, and those that were found; not what is no question of ours", async () => {
    await appendText(h, "s1", COLORS, { userId: "ann" });
    await ask(h, "What's my first favorite color?", ann("s1"));
    await ask(h, "What's my ninth favorite color?", ann("s1"));
    await ask(h, "How far is it to Lisbon?", ann("s1"));
    await h.settle();
    expect(await rows("select answers, answers_found as found from usage where tenant_id = ?", h.tenantId)).toEqual([
      { answers: 2, found: 1 },
    ]);
  });
});
