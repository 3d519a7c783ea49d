import { describe, expect, it } from "vitest";
import { cutHits, type Evidence } from "./cut.ts";

type Hit = Evidence & { id: string };

const hit = (id: string, terms: number[], more: Partial<Evidence> = {}): Hit => ({
  ...{ id, terms, isAboutNamed: false, cosine: null },
  ...more,
});
const idsOf = (hits: readonly Hit[], cosines: Parameters<typeof cutHits>[1]["cosines"], ideal = 4) =>
  cutHits(hits, { ideal, cosines }).map(({ id }) => id);

describe("a cut by words", () => {
  it("keeps what adds a word to those before it", () => {
    const lease = hit("lease", [2, 2, 0]);
    expect(idsOf([lease, hit("repeats", [2, 0, 0]), hit("boiler", [0, 0, 2])], null)).toEqual(["lease", "boiler"]);
  });

  it("leaves out what adds little beside the best hit", () => {
    expect(idsOf([hit("best", [2, 2, 0]), hit("frame word", [0, 0, 0.5])], null)).toEqual(["best"]);
  });

  it("keeps what has as much of the question as the best hit", () => {
    expect(idsOf([hit("son", [2, 0]), hit("daughter", [2, 0]), hit("less", [0.5, 0])], null)).toEqual(["son", "daughter"]);
  });

  it("keeps one hit that shares only parts of words", () => {
    expect(idsOf([hit("near", [0, 0]), hit("next", [0, 0])], null)).toEqual(["near"]);
    expect(idsOf([hit("words", [1, 0]), hit("near", [0, 0])], null)).toEqual(["words"]);
  });
});

describe("a cut with a model", () => {
  const model = { unrelated: 0.1, floor: 0.3 };

  it("keeps what is about as near as the nearest, and nothing below the floor", () => {
    const hits = [0.7, 0.6, 0.4].map((cosine) => hit(String(cosine), [], { cosine }));
    expect(idsOf(hits, model)).toEqual(["0.7", "0.6"]);
    expect(idsOf([hit("below", [], { cosine: 0.29 })], model)).toEqual([]);
  });

  it("keeps a hit of words that is far from the question only if it adds some", () => {
    const nearest = hit("nearest", [2, 0], { cosine: 0.7 });
    expect(idsOf([nearest, hit("adds", [0, 1], { cosine: 0.3 }), hit("repeats", [2, 0], { cosine: 0.3 })], model)).toEqual([
      "nearest",
      "adds",
    ]);
  });

  it("drops a hit of a few words that the model denies, but none with half of the question", () => {
    expect(idsOf([hit("homonym", [1, 0], { cosine: 0.1 })], model)).toEqual([]);
    expect(idsOf([hit("half", [2, 0], { cosine: 0.1 })], model)).toEqual(["half"]);
  });

  it("keeps what is not embedded yet by its words", () => {
    expect(idsOf([hit("new", [1, 0])], model)).toEqual(["new"]);
  });

  it("keeps what is said about the person who is asked for, as far as it has as much of the question", () => {
    const about = { cosine: 0.1, isAboutNamed: true };
    expect(idsOf([hit("job", [1, 0], about), hit("diet", [1, 0], about)], model)).toEqual(["job", "diet"]);
  });

  it("keeps all hits that contain the whole question", () => {
    expect(idsOf([hit("one", [4], { cosine: 0.9 }), hit("two", [4], { cosine: 0.3 })], model)).toEqual(["one", "two"]);
  });
});
