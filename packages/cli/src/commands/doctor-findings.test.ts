import { expect, it } from "vitest";
import { type Finding, mergeFindings } from "./doctor-findings.ts";

const finding = (more: Partial<Finding>): Finding => ({
  name: "memory.words",
  description: "",
  level: "error",
  checked: 10,
  violations: 0,
  examples: [],
  ...more,
});

it("adds the findings of several calls", () => {
  const first = [
    finding({ violations: 2, examples: ["mem_1", "mem_2"], repaired: 1, needsPerson: 1, since: "2026-11-02T00:00:00Z" }),
  ];
  const second = [
    finding({ violations: 1, examples: ["mem_2", "mem_3"], repaired: 1, needsPerson: 0, since: "2026-11-01T00:00:00Z" }),
  ];
  expect(mergeFindings(mergeFindings([], first), second)).toEqual([
    finding({
      checked: 20,
      violations: 3,
      examples: ["mem_1", "mem_2", "mem_3"],
      repaired: 2,
      needsPerson: 1,
      since: "2026-11-01T00:00:00Z",
    }),
  ]);
});

it("keeps that something cannot be checked, and ten examples at most", () => {
  const many = Array.from({ length: 9 }, (_, i) => `mem_${i}`);
  const [merged] = mergeFindings([finding({ checked: false, examples: many })], [finding({ examples: ["mem_a", "mem_b"] })]);
  expect(merged?.checked).toBe(false);
  expect(merged?.examples).toEqual([...many, "mem_a"]);
});
