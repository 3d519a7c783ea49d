import { expect, it } from "vitest";
import { separateReasoning } from "./reasoning.ts";

it.each([
  ["Plain.", "", "Plain."],
  ["<think>hm\nso</think>Blue.", "hm\nso", "Blue."],
  ["\n<thinking>hm</thinking>\n\nBlue.", "hm", "\n\nBlue."],
  ["<think>cut off", "cut off", ""],
  ["The tag <think>hm</think> is one.", "", "The tag <think>hm</think> is one."],
])("%j is told apart", (reply, reasoning, text) => {
  expect(separateReasoning(reply)).toEqual({ reasoning, text });
});
