import { expect, it } from "vitest";
import { readTime } from "./read-time.ts";

const NOW = Date.UTC(2026, 10, 26);
const AT = Date.UTC(2025, 2, 1, 9, 0, 0, 500);

it.each([
  AT / 1_000,
  AT,
  String(AT),
  "2025-03-01T09:00:00.500Z",
  "2025-03-01T10:00:00.500000+01:00",
  "2025-03-01T09:00:00.500",
  "2025-03-01T09:00:00.500+",
  "2025-03-01 09:00:00.500",
])("reads a time in the notation of %s", (value) => {
  expect(readTime(value, NOW)).toBe(AT);
});

it.each([
  ...[null, undefined, "", "never", {}, [], true, Number.NaN, Number.POSITIVE_INFINITY, 0, -1, 1e300, 7_258_118_400],
  ...[
    "0001-01-01T00:00:00Z",
    "2014-12-31T23:59:59Z",
    new Date(NOW + 86_400_001).toISOString(),
    "9999-12-31",
    "2025-13-45T99:99:99Z",
    "1970-01-01T00:00:00Z",
    "x".repeat(100_000),
  ],
])("has none for what is none or cannot be meant: %s", (value) => {
  expect(readTime(value, NOW)).toBeNull();
});

it("allows a clock that is up to a day ahead", () => {
  expect(readTime(NOW + 86_400_000, NOW)).toBe(NOW + 86_400_000);
});
