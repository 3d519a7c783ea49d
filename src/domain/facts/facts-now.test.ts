import { describe, expect, it } from "vitest";
import { createFactsNow, type StatedFact } from "./facts-now.ts";
import { createTopicIndex } from "./topics.ts";

const FOODS = "My favorite foods are 1) pizza, 2) tacos, 3) ramen";
const fact = (rank: number, value: string, more: Partial<StatedFact> = {}): StatedFact => ({
  ...{ topic: "favorite_foods", session: 1, kind: "ranked", rank, value, createdAt: 1 },
  ...more,
});
/** What is left of facts after these messages of session 1, the earliest first. */
const nowAfter = (...texts: string[]) =>
  createFactsNow(texts.map((text, i) => ({ text, session: 1, at: i + 1, here: 0 })).toReversed(), createTopicIndex([]));

describe("what later messages left of facts", () => {
  const nowOf = nowAfter(FOODS, "remove tacos from my favorite foods");

  it("is the value that stands at the rank now, or none", () => {
    expect(nowOf(fact(1, "pizza"))).toEqual({ standing: "stated" });
    expect(nowOf(fact(2, "tacos"))).toEqual({ standing: "changed", value: "ramen" });
    expect(nowOf(fact(3, "ramen"))).toEqual({ standing: "changed", value: null });
  });

  it("is what was stated, for a fact of another session, of none, or newer than the change", () => {
    for (const more of [{ session: 2 }, { session: 0 }, { createdAt: 9 }])
      expect(nowOf(fact(2, "tacos", more))).toEqual({ standing: "stated" });
  });

  it("is unsure where a message was not understood, or not read", () => {
    expect(nowAfter(FOODS, "the pizza was mentioned by Bo")(fact(2, "tacos"))).toEqual({ standing: "unsure" });
    const long = nowAfter(FOODS, ...Array.from({ length: 30 }, () => `Hello ${"there ".repeat(150)}`));
    expect(long(fact(2, "tacos"))).toEqual({ standing: "unsure" });
  });
});
