import { beforeEach, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { appendText, COLORS, storeFact, values } from "./fact-requests.ts";
import { rows } from "./requests.ts";

const START = Date.parse("2026-03-01T00:00:00Z");
const TO_COME = "2026-03-01T23:00:00Z";
const RED = "My favorite colors are 1) Red, 2) White";

let now = START;
let h: Harness;
beforeEach(async () => {
  now = START;
  h = await createHarness({ replace: () => ({ now: () => now }) });
});

const place = { userId: "ann", sessionId: "s" };
const own = { userId: "ann" };
const later = () => {
  now += 60_000;
};
const forget = (query: Record<string, string>) =>
  h.fetch("DELETE", `/v1/facts?${new URLSearchParams({ topic: "color", ...query })}`);

it("a list that says it is of a time to come loses against the next", async () => {
  await appendText(h, "s", COLORS, { userId: "ann", occurredAt: TO_COME });
  later();
  await appendText(h, "s", RED, { userId: "ann" });
  expect(await values(h, place)).toEqual(["1 Red", "2 White"]);
});

it("of two in one append, the later one counts", async () => {
  const messages = [
    { role: "user", content: COLORS, occurredAt: TO_COME },
    { role: "user", content: RED },
  ];
  await h.fetch("POST", "/v1/sessions/s/episodes", { body: { userId: "ann", messages } });
  expect(await values(h, place)).toEqual(["1 Red", "2 White"]);
});

it("a fact stored with a time to come is of now, and loses against the next", async () => {
  const fact = { ...own, topic: "color", rank: 1 };
  const stored = await storeFact(h, { ...fact, value: "Blue", createdAt: TO_COME });
  expect(stored.json).toMatchObject({ written: true, createdAt: new Date(START).toISOString() });
  later();
  expect((await storeFact(h, { ...fact, value: "Red" })).json).toMatchObject({ written: true, value: "Red" });
});

it("what is taken away makes room for what is said after it", async () => {
  await appendText(h, "s", COLORS, { userId: "ann", occurredAt: TO_COME });
  await storeFact(h, { ...own, topic: "color", rank: 1, value: "Blue", createdAt: TO_COME });
  // As a release that took any time would have left it.
  await rows("update facts set created_at = ? where tenant_id = ?", Date.parse(TO_COME), h.tenantId);
  later();
  await forget(place);
  await forget(own);
  later();
  await appendText(h, "s", RED, { userId: "ann" });
  await storeFact(h, { ...own, topic: "color", rank: 1, value: "Red" });
  expect(await values(h, own)).toEqual(["1 Red"]);
  expect(await values(h, place)).toEqual(["1 Red", "1 Red", "2 White"]);
});
