import { expect, it, vi } from "vitest";
import { among, duration, integer, time, timeAhead, timeOrAge } from "./options.ts";

it("reads durations and refuses what has no unit", () => {
  expect(["90s", "15m", "1h", "30d"].map(duration)).toEqual([90, 900, 3_600, 2_592_000]);
  for (const wrong of ["15", "m", "1w", "-1h", "1.5h", ""]) expect(() => duration(wrong)).toThrow("15m");
});

it("reads days, times and ages", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-22T12:00:00Z") });
  try {
    expect(time("2026-11-22")).toBe("2026-11-22T00:00:00.000Z");
    expect(time("2026-11-22T10:30:00+02:00")).toBe("2026-11-22T08:30:00.000Z");
    expect(timeOrAge("30d")).toBe("2026-10-23T12:00:00.000Z");
    expect(timeAhead("1h")).toBe("2026-11-22T13:00:00.000Z");
    for (const wrong of ["yesterday", "2026-13-01", "22.11.2026", "1"]) expect(() => timeOrAge(wrong)).toThrow("2026-11-22");
  } finally {
    vi.useRealTimers();
  }
});

it("refuses numbers out of range and values that are no choice", () => {
  expect(integer(1, 100)("20")).toBe(20);
  for (const wrong of ["0", "101", "1e1", "ten", ""]) expect(() => integer(1, 100)(wrong)).toThrow("from 1 to 100");
  expect(among(["read", "write"])("read, write", undefined)).toEqual(["read", "write"]);
  expect(among(["read", "write"])("write", ["read"])).toEqual(["read", "write"]);
  expect(() => among(["read", "write"])("read,wirte", undefined)).toThrow("read, write");
});
