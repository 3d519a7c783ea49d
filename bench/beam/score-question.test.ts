import { expect, it } from "vitest";
import { meanScore, scoreQuestion } from "./score-question.ts";

const found = {
  evidence: ["9", "24", "100"],
  searched: ["3", "24", ...Array.from({ length: 8 }, (_, i) => `x${i}`), "9"],
  context: { memories: new Set(["100"]), episodes: new Set(["24", "100", "3"]) },
  memoriesAlone: new Set(["9", "24"]),
  learned: new Set(["9", "3"]),
};

it("counts shares of the evidence: found in ten, in the context by kind, learned from", () => {
  const third = expect.closeTo(1 / 3, 5);
  expect(scoreQuestion(found)).toEqual({
    r10: third,
    context: expect.closeTo(2 / 3, 5),
    contextMemories: third,
    contextEpisodes: expect.closeTo(2 / 3, 5),
    learned: third,
    newest: 1,
    memoriesAlone: expect.closeTo(2 / 3, 5),
  });
});

it("the newest evidence is that of the highest number, not of the last in the alphabet", () => {
  expect(scoreQuestion({ ...found, context: { memories: new Set(["9"]), episodes: new Set() } }).newest).toBe(0);
});

it("the mean of questions gives each the same weight", () => {
  const [one, two] = [scoreQuestion(found), scoreQuestion({ ...found, evidence: ["9"] })];
  expect(meanScore([one, two]).learned).toBeCloseTo(2 / 3, 5);
});
