import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MEMORY_TYPES, typesOf } from "#domain/memories";
import { AGE_STEP_MS, type Evictable, evictionOrder } from "./eviction-order.ts";

const NOW = 1_800_000_000_000;
const plain: Evictable = {
  id: 1,
  type: "knowledge",
  pinned: false,
  confidence: 1,
  lastSeenAt: NOW - 1_000,
  recalledAt: NOW,
  expiresAt: null,
};

/** Two memories that differ as said, the second of them with the lower id: which goes first. */
function firstOf(a: Partial<Evictable>, b: Partial<Evictable>): "a" | "b" {
  const [first] = evictionOrder(
    [
      { ...plain, id: 2, ...a },
      { ...plain, id: 1, ...b },
    ],
    NOW,
  );
  return first?.id === 2 ? "a" : "b";
}

describe("the order of eviction", () => {
  const old = { lastSeenAt: NOW - AGE_STEP_MS };
  const cases: [string, Partial<Evictable>, Partial<Evictable>][] = [
    ["the expired before the ephemeral", { expiresAt: NOW }, { type: "task" }],
    ["not yet what expires later", { type: "task" }, { expiresAt: NOW + 1 }],
    ["the ephemeral before the old", { type: "event" }, { lastSeenAt: 0 }],
    ["the older before the never recalled", old, { recalledAt: null }],
    ["the never recalled before the uncertain", { recalledAt: null }, { confidence: 0 }],
    ["the uncertain before what was said a little earlier", { confidence: 0.5 }, { lastSeenAt: NOW - AGE_STEP_MS + 1 }],
    ["what was said earlier before what was stored first", { lastSeenAt: NOW - 1_001 }, {}],
  ];
  it.each(cases)("%s", (_, a, b) => expect(firstOf(a, b)).toBe("a"));

  it("takes, of two that are equal, the one that was stored first", () => expect(firstOf({}, {})).toBe("b"));

  const anything: fc.Arbitrary<Evictable> = fc.record({
    id: fc.integer({ min: 1, max: 1_000_000 }),
    type: fc.constantFrom(...MEMORY_TYPES),
    pinned: fc.boolean(),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    lastSeenAt: fc.integer({ min: NOW - 20 * AGE_STEP_MS, max: NOW }),
    recalledAt: fc.option(fc.constant(NOW)),
    expiresAt: fc.option(fc.integer({ min: NOW - 10, max: NOW + 10 })),
  });
  const many = fc.uniqueArray(anything, { selector: ({ id }) => id, maxLength: 30 });

  it("holds everything but what is pinned, each once, and does not depend on the order given", () => {
    fc.assert(
      fc.property(many, (memories) => {
        const order = evictionOrder(memories, NOW);
        expect(order.map(({ id }) => id).toSorted()).toEqual(
          memories.flatMap(({ id, pinned }) => (pinned ? [] : [id])).toSorted(),
        );
        expect(evictionOrder(memories.toReversed(), NOW)).toEqual(order);
      }),
    );
  });

  it("never takes a long-lived memory that counts before an ephemeral one, nor the younger of two of a kind by steps", () => {
    const ephemeral = typesOf("episodic");
    fc.assert(
      fc.property(many, (memories) => {
        const alive = evictionOrder(memories, NOW).filter(({ expiresAt }) => expiresAt === null || expiresAt > NOW);
        const kinds = alive.map(({ type }) => ephemeral.includes(type));
        expect(kinds).toEqual(kinds.toSorted((a, b) => Number(b) - Number(a)));
        for (const [i, memory] of alive.entries()) {
          const next = alive[i + 1];
          if (next === undefined || kinds[i] !== kinds[i + 1]) continue;
          expect(next.lastSeenAt - memory.lastSeenAt).toBeGreaterThan(-AGE_STEP_MS);
        }
      }),
    );
  });
});
