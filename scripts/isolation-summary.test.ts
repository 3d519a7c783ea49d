import { expect, it } from "vitest";
import { readSummaries, summaryLine } from "./isolation-summary.ts";

const EPISODES = `visibility: 30 worlds, seed 7 {"checks":{"commands":1640,"decisions":49000,"lists":450},"shown":{"same_project":12}}`;
const memories = (leaks: number) =>
  `memories: 20010 checks, 4 worlds, seed 7, endpoints driven: predicate 9000, list about a person 540; leaks ${leaks}, wrongful denials 0`;

it("takes together what both tests say between the lines of the test runner", () => {
  const summary = readSummaries(`stdout | a.test.ts\n${EPISODES}\n\nstdout | b.test.ts\n${memories(0)}\n`);
  expect(summary).toEqual({
    checks: 20_010,
    worlds: 34,
    driven: { predicate: 9_000, "list about a person": 540, "episodes' decisions": 49_000, "episodes' lists": 450 },
    leaks: 0,
    denials: 0,
  });
});

it("knows no summary unless both tests came to their ends", () => {
  expect(readSummaries(memories(0))).toBeNull();
  expect(readSummaries(EPISODES)).toBeNull();
});

it("says all of it in one line", () => {
  const summary = readSummaries(`${EPISODES}\n${memories(3)}`);
  expect(summary === null ? "" : summaryLine(summary)).toBe(
    "20,010 checks, 34 worlds, endpoints driven: predicate 9,000, list about a person 540, episodes' decisions 49,000, episodes' lists 450; leaks 3, wrongful denials 0",
  );
});
