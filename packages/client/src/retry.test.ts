import { describe, expect, it } from "vitest";
import { backoffMs, isWorthRetrying, retryAfterMs } from "./retry.ts";

const NOW = Date.parse("2026-11-24T00:00:00Z");

describe("retryAfterMs", () => {
  it.each([
    [{}, null],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Tue, 24 Nov 2026 00:00:10 GMT" }, 10_000],
    [{ "retry-after": "Mon, 23 Nov 2026 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after-ms": "?", "retry-after": "9" }, 9000],
  ])("reads %j as %s", (headers, expected) => {
    expect(retryAfterMs(new Headers(headers), NOW)).toBe(expected);
  });
});

describe("isWorthRetrying", () => {
  const refusal = { status: 500, code: "internal", retryAfterMs: null };

  it("follows x-should-retry before the status", () => {
    expect(isWorthRetrying(refusal, new Headers({ "x-should-retry": "false" }))).toBe(false);
    expect(isWorthRetrying({ ...refusal, status: 400 }, new Headers({ "x-should-retry": "true" }))).toBe(true);
    expect(isWorthRetrying(refusal, new Headers({ "x-should-retry": "perhaps" }))).toBe(true);
  });

  it("leaves a wait of more than a minute to the caller", () => {
    expect(isWorthRetrying({ ...refusal, status: 429, retryAfterMs: 60_000 }, new Headers())).toBe(true);
    expect(isWorthRetrying({ ...refusal, status: 429, retryAfterMs: 60_001 }, new Headers())).toBe(false);
  });
});

describe("backoffMs", () => {
  it("doubles up to 8 seconds, less up to a quarter by chance", () => {
    expect([1, 2, 3, 4, 5, 6].map((retry) => backoffMs(retry, 0))).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
    expect([1, 6].map((retry) => backoffMs(retry, 1))).toEqual([375, 6000]);
  });
});
