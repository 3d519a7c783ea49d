import { expect, it } from "vitest";
import { FITTED_ANSWERS, HELD_OUT_ANSWERS, type JudgedAnswers } from "../../test/corpora/model-answers.ts";
import { dropReason } from "./answers-table.ts";

it.each<[string, JudgedAnswers]>([
  ["fitted", FITTED_ANSWERS],
  ["held out", HELD_OUT_ANSWERS],
])("the checks keep nearly all right answers and drop most wrong ones: %s", (_, { right, wrong }) => {
  const lost = right.filter((answer) => dropReason(answer) !== null);
  const kept = wrong.filter((answer) => dropReason(answer) === null);
  expect(lost.length).toBeLessThanOrEqual(1);
  expect(kept.length).toBeLessThanOrEqual(2);
});
