import { expect, it } from "vitest";
import { nameKeysIn } from "./named-people.ts";

it.each([
  ["What does Bob like?", ["bob"]],
  ["tell me about anna maria lopez", ["anna maria lopez", "anna"]],
  ["Does José play?", ["jose"]],
  ["李小龙喜欢什么", ["李小龙"]],
  ["что любит Мария", ["мария"]],
  ["I saw Will yesterday", ["will"]],
])("%s may name %j", (question, names) => {
  expect(nameKeysIn(question)).toEqual(expect.arrayContaining(names));
});

it("does not take small words for names", () => {
  expect(nameKeysIn("what will it be")).not.toContain("will");
});

it("asks for a bounded number of names", () => {
  expect(nameKeysIn("word ".repeat(5000)).length).toBeLessThanOrEqual(200);
  expect(nameKeysIn("龙".repeat(5000)).length).toBeLessThanOrEqual(200);
});
