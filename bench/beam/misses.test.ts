import { expect, it } from "vitest";
import { missTable, whyNotLearned } from "./misses.ts";

const message = { id: "1", role: "user", occurredAt: new Date() } as const;

it.each([
  ["assistant", "I live in Leeds.", "said by the assistant"],
  ["user", "What is a fjord?", "nothing was taken from it"],
  ["user", "I live in Leeds.", "stored: said before, replaced since, or one of too many"],
] as const)("a message of the %s, %j: %s", (role, text, reason) => {
  expect(whyNotLearned({ ...message, role, text })).toBe(reason);
});

it("a table of reasons has the commonest first, by category in the order of their names", () => {
  const reasons = [
    { category: "b_c", reason: "one" },
    { category: "a", reason: "two" },
    { category: "b_c", reason: "two" },
  ];
  expect(missTable(reasons)).toEqual({
    heads: ["", "all", "a", "b c"],
    rows: [
      ["two", "2", "1", "1"],
      ["one", "1", "0", "1"],
    ],
  });
});
