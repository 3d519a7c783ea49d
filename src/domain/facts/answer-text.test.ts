import { expect, it } from "vitest";
import { answerText } from "./answer-view.ts";

const values = [
  { rank: 1, value: "Blue" },
  { rank: 3, value: "Guess Who?" },
];

it.each([
  ["rank", values.slice(0, 1), null, "Blue."],
  ["rank", values.slice(1), null, "Guess Who?"],
  ["rank", [{ rank: 1, value: "蓝色。" }], null, "蓝色。"],
  ["list", values, null, "1) Blue, 3) Guess Who?"],
  ["rank", values.slice(0, 1), "favorite_colors", "From your favorite colors: Blue."],
  ["rank", [], "favorite_colors", "I don't have that stored yet."],
  ["list", [], null, "I don't have that stored yet."],
] as const)("%s of %j with %s says %j", (ask, shown, assumed, text) => {
  expect(answerText({ ask, values: shown, assumed })).toBe(text);
});
