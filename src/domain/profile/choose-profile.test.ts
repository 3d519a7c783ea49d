import { describe, expect, it } from "vitest";
import { limitsOf, sectionOf, stability } from "./choose-profile.ts";

const NOW = Date.parse("2026-06-01T00:00:00Z");
const DAY_MS = 86_400_000;

type Traits = Parameters<typeof stability>[0];
const memory = (more: Partial<Traits> = {}): Traits => ({
  ...{ type: "identity", key: null, pinned: false, confidence: 0.9, seenCount: 1, expiresAt: null, sensitivity: "public" },
  ...{ hasSubject: true, isSubject: true, hasStated: true, isOwner: true, validFrom: NOW, visibilityReason: "own" },
  ...{ statedBy: { id: "per_1", name: "Ann", isReader: true }, ...more },
});
const worth = (more: Partial<Traits> = {}) => stability(memory(more), NOW);

it("what lasts, fills a slot, is sure and was repeated is worth more than what does not", () => {
  expect(worth()).toBeGreaterThan(worth({ type: "event" }));
  expect(worth({ key: "identity:home" })).toBeGreaterThan(worth());
  expect(worth({ confidence: 0.7 })).toBeLessThan(worth());
  expect(worth({ seenCount: 4 })).toBeGreaterThan(worth());
  expect(worth({ type: "event", expiresAt: NOW + 30 * DAY_MS })).toBeLessThan(worth({ type: "event" }));
  expect(worth({ sensitivity: "sensitive" })).toBeGreaterThan(worth());
  expect(worth({ pinned: true })).toBe(2 * worth());
});

it("what is about others is worth less, unless it says who they are to the user", () => {
  expect(worth({ isSubject: false })).toBeLessThan(worth());
  expect(worth({ type: "relationship", isSubject: false })).toBe(worth({ type: "relationship" }));
  expect(worth({ hasSubject: false, isSubject: false })).toBe(worth());
});

it("of two the newer is worth more, and age alone never outweighs what a key does", () => {
  expect(worth({ validFrom: NOW - 100 * DAY_MS })).toBeLessThan(worth());
  expect(worth({ validFrom: NOW - 3_000 * DAY_MS, key: "identity:name" })).toBeGreaterThan(worth());
});

describe("a wish", () => {
  const wish = (more: Partial<Traits>) => sectionOf(memory({ type: "procedural", ...more }));

  it("is the user's own, or stored for them", () => {
    expect(wish({})).toBe("wishes");
    expect(wish({ statedBy: null })).toBe("wishes");
    expect(wish({ visibilityReason: "same_group" })).toBe("wishes");
  });

  it("is nobody else's", () => {
    const other = { id: "per_2", name: "Eve", isReader: false };
    expect(wish({ statedBy: other })).toBeNull();
    expect(wish({ statedBy: other, visibilityReason: "same_group" })).toBeNull();
    expect(wish({ statedBy: null, visibilityReason: "same_group" })).toBeNull();
  });
});

it("what is seen in passing is in no section", () => {
  const sections = (["identity", "preference", "relationship", "knowledge", "task", "observation"] as const).map((type) =>
    sectionOf(memory({ type })),
  );
  expect(sections).toEqual(["identity", "preferences", "people", "current", "current", null]);
});

it("wishes, diets and what was pinned limit any answer, an illness limits advice", () => {
  const limits = (more: Partial<Traits>, section = sectionOf(memory(more))) => section && limitsOf(memory(more), section);
  expect(limits({ type: "procedural" })).toBe("answers");
  expect(limits({ key: "preference:diet" })).toBe("answers");
  expect(limits({ pinned: true })).toBe("answers");
  expect(limits({ sensitivity: "sensitive" })).toBe("advice");
  expect(limits({})).toBeNull();
});
