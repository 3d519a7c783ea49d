import { describe, expect, it } from "vitest";
import { atRank, type Candidate, chooseList } from "./choose-list.ts";

const fact = (from: Candidate["from"], rank: number, at: number): Candidate => ({
  from,
  kind: rank === 0 ? "single" : "ranked",
  rank,
  value: `${from} ${rank}`,
  createdAt: at,
});
const chosen = (...facts: Candidate[]) => chooseList(facts)?.facts.map(({ value }) => value);

describe("chooseList", () => {
  it("takes the session's own before the project's, whenever they were said", () => {
    expect(chosen(fact("project_session", 1, 9), fact("project", 1, 9), fact("session", 2, 1))).toEqual(["session 2"]);
  });

  it("takes the later of a project's two, by the latest that was said of each", () => {
    expect(chosen(fact("project", 1, 5), fact("project_session", 1, 4), fact("project_session", 2, 6))).toEqual([
      "project_session 1",
      "project_session 2",
    ]);
    expect(chosen(fact("project", 1, 5), fact("project_session", 1, 4))).toEqual(["project 1"]);
    expect(chosen(fact("project_session", 1, 4), fact("project", 1, 4))).toEqual(["project 1"]);
  });

  it("takes the later of what the user stated in another session and of what is kept with them", () => {
    expect(chosen(fact("user", 1, 5), fact("user_session", 1, 6))).toEqual(["user_session 1"]);
    expect(chosen(fact("user", 1, 5), fact("user_session", 1, 4))).toEqual(["user 1"]);
  });

  it("takes a single fact only where there is no ranked one", () => {
    expect(chosen(fact("user", 0, 9), fact("user", 2, 1), fact("user", 1, 1))).toEqual(["user 1", "user 2"]);
    expect(chosen(fact("user", 0, 9))).toEqual(["user 0"]);
    expect(chooseList([])).toBeNull();
  });

  it("says whose list it is", () => {
    expect(
      (["session", "project", "project_session", "user", "user_session"] as const).map(
        (from) => chooseList([fact(from, 1, 1)])?.scope,
      ),
    ).toEqual(["session", "project", "project", "user", "user"]);
  });
});

describe("atRank", () => {
  const list = [fact("user", 1, 1), fact("user", 3, 1)];

  it("finds a rank, and the highest for the last", () => {
    expect(atRank(list, 3)).toBe(list[1]);
    expect(atRank(list, 2)).toBeUndefined();
    expect(atRank(list, "last")).toBe(list[1]);
    expect(atRank([], "last")).toBeUndefined();
  });

  it("takes a single fact for the first", () => {
    const single = [fact("user", 0, 1)];
    expect([atRank(single, 1), atRank(single, 2), atRank(single, "last")]).toEqual([single[0], undefined, single[0]]);
  });
});
