import { describe, expect, it } from "vitest";
import {
  BOBS_QUESTIONS,
  expectedVisibilityReason,
  factsOf,
  isTrueOf,
  memoriesInEveryState,
  memoriesOfProjects,
  memoriesOfTheTable,
  memory,
  PEOPLE,
  PLACES,
  PLACES_OF_PROJECTS,
  PROJECTS,
  ruleViewerOf,
  SAID_OF_BOB,
  SESSIONS,
  type TableIds,
  type TableMemory,
  type TableViewer,
  viewer,
  viewersAt,
  viewersOfEveryState,
  viewersOfProjects,
} from "#test/memory-table";
import { decideMemory, type MemoryFacts } from "./memory-rule.ts";

const numbered = (names: readonly string[], from: number) => Object.fromEntries(names.map((name, i) => [name, from + i]));

/** No id means two things, so that a mix-up shows. */
const ids: TableIds = {
  tenant: 1,
  users: numbered(["ann", "ben", "cat"], 10),
  persons: numbered(PEOPLE, 20),
  sessions: numbered(Object.keys(SESSIONS), 30),
  projects: numbered(Object.keys(PROJECTS), 60),
};

type Row = { memory: TableMemory; facts: MemoryFacts };
const rowsOf = (memories: readonly TableMemory[]): Row[] => memories.map((row) => ({ memory: row, facts: factsOf(row, ids) }));

type Seen = { decisions: number; rules: Set<string>; wrong: unknown[] };

/** Holds the rule against the table for every pair; a refusal must say what is so. */
function compare(rows: readonly Row[], viewers: readonly TableViewer[], seen: Seen): void {
  for (const who of viewers) {
    const asked = ruleViewerOf(who, ids);
    for (const { memory: row, facts } of rows) {
      const decision = decideMemory(asked, facts);
      const expected = expectedVisibilityReason({ memory: row, viewer: who });
      const isRight = decision.visible
        ? decision.rule === expected
        : expected === null && isTrueOf(decision.rule, { memory: row, viewer: who });
      seen.decisions += 1;
      seen.rules.add(decision.rule);
      if (!isRight && seen.wrong.length < 5) seen.wrong.push({ decision, expected, row, who });
    }
  }
}

describe("the rule for memories is its table", () => {
  const rows = rowsOf(memoriesOfTheTable());
  const everywhere: Seen = { decisions: 0, rules: new Set(), wrong: [] };

  it.each(PLACES.map((place) => ({ shown: `${place.user} in ${place.session ?? place.project ?? "no session"}`, place })))(
    "$shown",
    ({ place }) => {
      const seen: Seen = { decisions: 0, rules: everywhere.rules, wrong: [] };
      compare(rows, viewersAt(place), seen);
      expect(seen.wrong).toEqual([]);
      everywhere.decisions += seen.decisions;
    },
  );

  it("in every status, life, workspace and scope", () => {
    compare(rowsOf(memoriesInEveryState()), viewersOfEveryState(), everywhere);
    expect(everywhere.wrong).toEqual([]);
  });

  const ofProjects = rowsOf(memoriesOfProjects());

  it.each(
    PLACES_OF_PROJECTS.map((place) => ({ shown: `${place.user} in ${place.session ?? place.project ?? "no session"}`, place })),
  )("of projects, to $shown", ({ place }) => {
    const seen: Seen = { decisions: 0, rules: everywhere.rules, wrong: [] };
    compare(ofProjects, viewersOfProjects(place), seen);
    expect(seen.wrong).toEqual([]);
    everywhere.decisions += seen.decisions;
  });

  it("in which every visibility reason and every refusal occurs", () => {
    expect(everywhere.decisions).toBeGreaterThan(4_000_000);
    expect([...everywhere.rules].toSorted()).toEqual([
      "asker_is_neither_subject_nor_owner",
      "cross_context",
      "deleted",
      "expired",
      "no_subject_takes_part",
      "not_approved",
      "not_portable",
      "not_valid_then",
      "nowhere",
      "other_project",
      "other_scope",
      "other_workspace",
      "out_of_reach",
      "own",
      "own_lasting",
      "personal_to_others",
      "said_in_confidence",
      "same_group",
      "sensitive_elsewhere",
      "sensitive_to_others",
      "shared",
      "stays_where_said",
      "superseded",
    ]);
  });
});

describe("what do you know about me?", () => {
  it.each(BOBS_QUESTIONS)("%s", (_, place, shown) => {
    const who = ruleViewerOf(viewer(place, { about: ["ben"] }), ids);
    const visible = SAID_OF_BOB.filter((said) => decideMemory(who, factsOf(said, ids)).visible);
    expect(visible.map(({ sensitivity }) => sensitivity)).toEqual([...shown, ...shown]);
  });
});

it("nothing crosses a tenant, whatever else it says", () => {
  const ann = ruleViewerOf(viewer(PLACES[0] ?? neverEmpty()), ids);
  const own = factsOf(memory({ owner: "ann" }), ids);
  expect(decideMemory(ann, own)).toEqual({ visible: true, rule: "own" });
  expect(decideMemory(ann, { ...own, tenantId: 2 })).toEqual({ visible: false, rule: "other_tenant" });
  expect(decideMemory(ann, { ...own, tenantId: 2, deleted: true })).toEqual({ visible: false, rule: "other_tenant" });
});

it("a shared memory that somehow were not public is nobody's in private", () => {
  const ann = ruleViewerOf(viewer(PLACES[0] ?? neverEmpty()), ids);
  const shared = (sensitivity: TableMemory["sensitivity"]) => decideMemory(ann, factsOf(memory({ sensitivity }), ids));
  expect(shared("public")).toEqual({ visible: true, rule: "shared" });
  expect(shared("personal")).toEqual({ visible: false, rule: "personal_to_others" });
  expect(shared("sensitive")).toEqual({ visible: false, rule: "sensitive_to_others" });
});

function neverEmpty(): never {
  throw new Error("The list of places is empty.");
}
