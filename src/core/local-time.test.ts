import { expect, it } from "vitest";
import { isTimeZone, localMinute, localTime, offsetIn, withOffset } from "./local-time.ts";

const at = (moment: string) => Date.parse(moment);

it.each<[string, number | null]>([
  ["2026-03-10T23:30:00-08:00", -480],
  ["2026-03-10T23:30:00.5+05:45", 345],
  ["2026-03-10T23:30:00+00:00", 0],
  ["2026-03-10T23:30:00Z", null],
  ["2026-03-10T23:30:00-00:00", null],
])("the offset that %s carries", (moment, offset) => {
  expect(offsetIn(moment)).toBe(offset);
});

it("the day is that of the offset that was sent, else of the zone, else UTC", () => {
  const late = at("2026-03-10T23:30:00-08:00");
  expect(localTime(late, { offset: -480, timeZone: "Asia/Tokyo" })).toEqual({ day: "2026-03-10", hour: "23:30" });
  expect(localTime(late, { offset: null, timeZone: "Asia/Tokyo" })).toEqual({ day: "2026-03-11", hour: "16:30" });
  expect(localTime(late, { offset: null, timeZone: null })).toEqual({ day: "2026-03-11", hour: "07:30" });
  expect(localTime(late, { offset: 0, timeZone: "Asia/Tokyo" })).toEqual({ day: "2026-03-11", hour: "07:30" });
});

it("a zone has its summer time", () => {
  const zone = { offset: null, timeZone: "Europe/Vienna" };
  expect(localTime(at("2026-01-10T12:00:00Z"), zone).hour).toBe("13:00");
  expect(localTime(at("2026-07-10T22:05:00Z"), zone)).toEqual({ day: "2026-07-11", hour: "00:05" });
});

it("midnight to the millisecond is a day without an hour, which no zone moves to another day", () => {
  expect(localTime(at("2026-03-10T00:00:00Z"), { offset: null, timeZone: "America/Los_Angeles" })).toEqual({
    day: "2026-03-10",
    hour: null,
  });
  expect(localTime(at("2026-03-10T00:00:00-08:00"), { offset: -480, timeZone: null })).toEqual({ day: "2026-03-10", hour: null });
  expect(localTime(at("2026-03-10T00:00:01Z"), { offset: null, timeZone: null }).hour).toBe("00:00");
});

it("what is stored and is no place any more is read as UTC", () => {
  const noon = at("2026-03-10T12:00:00Z");
  for (const zone of [
    { offset: null, timeZone: "Mars/Olympus" },
    { offset: null, timeZone: "" },
    { offset: 9e15, timeZone: null },
    { offset: -1e12, timeZone: "Asia/Tokyo" },
    { offset: Number.NaN, timeZone: null },
    { offset: Number.POSITIVE_INFINITY, timeZone: null },
    { offset: 6_000, timeZone: null },
  ]) {
    expect(localTime(noon, zone), JSON.stringify(zone)).toEqual({ day: "2026-03-10", hour: "12:00" });
    expect(localMinute(noon, zone), JSON.stringify(zone)).toBe("2026-03-10T12:00Z");
    expect(withOffset(noon, zone.offset)).toBe("2026-03-10T12:00:00.000Z");
  }
});

it("years have four digits", () => {
  expect(localTime(at("0044-03-15T12:00:00Z"), { offset: null, timeZone: "Europe/Rome" }).day).toBe("0044-03-15");
});

it("a moment is written with its offset, and reads back", () => {
  for (const [offset, written] of [
    [-480, "2026-03-10T23:30:00.000-08:00"],
    [345, "2026-03-11T13:15:00.000+05:45"],
    [0, "2026-03-11T07:30:00.000+00:00"],
    [null, "2026-03-11T07:30:00.000Z"],
  ] as const) {
    expect(withOffset(at("2026-03-11T07:30:00Z"), offset)).toBe(written);
    expect([Date.parse(written), offsetIn(written)]).toEqual([at("2026-03-11T07:30:00Z"), offset]);
  }
});

it("names of zones are those of IANA", () => {
  for (const name of ["Europe/Vienna", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+8", "Asia/Kolkata"])
    expect(isTimeZone(name), name).toBe(true);
  for (const name of ["", "+01:00", "Europe/Nowhere", "Mars", "GMT+1", "Europe/Vienna ", "x".repeat(100)])
    expect(isTimeZone(name), name).toBe(false);
});
