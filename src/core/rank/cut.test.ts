import { describe, expect, it } from "vitest";
import { cutByWords } from "./cut.ts";

const hit = (id: string, terms: number[]) => ({ id, terms });
const idsOf = (hits: Parameters<typeof cutByWords<ReturnType<typeof hit>>>[0]) => cutByWords(hits).map(({ id }) => id);

describe("a cut by words", () => {
  it("keeps what adds a word to those before it", () => {
    const lease = hit("lease", [2, 2, 0]);
    expect(idsOf([lease, hit("repeats", [2, 0, 0]), hit("boiler", [0, 0, 2])])).toEqual(["lease", "boiler"]);
  });

  it("leaves out what adds little beside the best hit", () => {
    expect(idsOf([hit("best", [2, 2, 0]), hit("frame word", [0, 0, 0.5])])).toEqual(["best"]);
  });

  it("keeps what has as much of the question as the best hit", () => {
    expect(idsOf([hit("son", [2, 0]), hit("daughter", [2, 0]), hit("less", [0.5, 0])])).toEqual(["son", "daughter"]);
  });

  it("keeps one hit that shares only parts of words", () => {
    expect(idsOf([hit("near", [0, 0]), hit("next", [0, 0])])).toEqual(["near"]);
    expect(idsOf([hit("words", [1, 0]), hit("near", [0, 0])])).toEqual(["words"]);
  });
});
