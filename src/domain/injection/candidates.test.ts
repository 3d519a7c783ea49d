import { describe, expect, it } from "vitest";
import { type FoundItem, merged } from "./candidates.ts";

const found = (id: string, score: number, day = 1): FoundItem => {
  const occurredAt = `2026-03-0${day}T00:00:00.000Z`;
  const shown = { kind: "episode", part: "recalled", id, occurredAt } as const;
  return {
    ...{ ...shown, text: id, type: null, saidBy: null, notedBy: null, about: [], episodeId: null, isInstruction: false },
    ...{ isOfOther: false, likeness: null, behind: null, isOlder: false, document: null },
    view: { ...shown, content: id, document: null, role: null, speaker: null, sessionId: null, score, older: null },
  };
};
const idsOf = (items: readonly FoundItem[]) => items.map(({ id }) => id);

describe("two rankings on one scale", () => {
  it("are one, by score", () => {
    expect(idsOf(merged([found("a", 0.9), found("b", 0.3)], [found("x", 1), found("y", 0.5), found("z", 0.1)]))).toEqual([
      ...["x", "a", "y", "b", "z"],
    ]);
    expect(idsOf(merged([found("a", 1)], []))).toEqual(["a"]);
    expect(idsOf(merged([], [found("x", 1)]))).toEqual(["x"]);
  });

  it("each in its own order, which may have reasons that no score shows", () => {
    expect(idsOf(merged([found("a", 0.9), found("lifted", 0.1), found("b", 0.8)], [found("x", 0.5)]))).toEqual([
      ...["a", "x", "lifted", "b"],
    ]);
  });

  it("and of equals the newer comes first", () => {
    expect(idsOf(merged([found("old", 0.5, 1), found("new", 0.5, 3), found("a", 0.4, 9)], [found("x", 0.5, 2)]))).toEqual([
      ...["new", "x", "old", "a"],
    ]);
  });
});
