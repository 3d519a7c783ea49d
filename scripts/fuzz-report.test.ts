import { expect, it } from "vitest";
import { readReport, tableOf } from "./fuzz-report.ts";

const json = JSON.stringify({
  running_time: 12.4,
  stop_reason: "completed",
  seed: 7,
  operations: { total: 3, selected: 3, tested: 2 },
  phases: { coverage: { status: "failure", skip_reason: null } },
  test_cases: { generated: 250 },
  failures: [
    { title: "Schema-valid request rejected", count: 2, operations: ["GET /v1/jobs", "POST /v1/facts"], severity: "medium" },
  ],
  errors: [],
});

it("the table says how much was asked and which operations failed in what", () => {
  const table = tableOf(readReport(json, 1)).split("\n");
  expect(table).toContain("operations                     2 of 3");
  expect(table).toContain("Schema-valid request rejected  2: GET /v1/jobs, POST /v1/facts");
  expect(table.at(-1)).toBe("failures                       2");
});

it("a report of another form is none", () => {
  expect(() => readReport("{}", 0)).toThrow();
});
