/** Where a time was: the offset that came with it, in minutes ahead of UTC, else a zone of IANA; both null: not known. */
export type Zone = { offset: number | null; timeZone: string | null };

/** `hour` as HH:MM; null where only the day is known. */
export type LocalTime = { day: string; hour: string | null };

const MINUTE_MS = 60_000;
/** ISO 8601 has two digits of hours in a day. */
const MAX_OFFSET = 24 * 60 - 1;
const DAY_MS = 86_400_000;

/**
 * The offset of an ISO 8601 time, in minutes. Null for `Z` and `-00:00`: they say nothing of where it was (RFC 9557, section 2), and are what
 * `toISOString` writes everywhere.
 */
export function offsetIn(moment: string): number | null {
  const [, sign = "", hours = "", minutes = ""] = /([+-])(\d\d):(\d\d)$/.exec(moment) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (sign === "") return null;
  return sign === "+" ? offset : offset === 0 ? null : -offset;
}

/** A time as ISO 8601 with its offset; in UTC if there is no such offset. */
export function withOffset(millis: number, offset: number | null): string {
  if (offset === null || !isOffset(offset)) return new Date(millis).toISOString();
  return new Date(millis + offset * MINUTE_MS).toISOString().replace("Z", offsetText(offset));
}

function isOffset(minutes: number): boolean {
  return Number.isInteger(minutes) && Math.abs(minutes) <= MAX_OFFSET;
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/**
 * The day and hour of a time where it was; UTC where that is not known, or where what is stored names no place. Midnight to the millisecond, there or in UTC, is how a day without an
 * hour is written: no zone makes another day of it.
 */
export function localTime(millis: number, zone: Zone): LocalTime {
  const offset = offsetAt(millis, zone) ?? 0;
  const isDay = zone.offset === null && millis % DAY_MS === 0;
  const local = new Date(isDay ? millis : millis + offset * MINUTE_MS).toISOString();
  const [day = "", time = ""] = local.split("T");
  return { day, hour: time.startsWith("00:00:00.000") ? null : time.slice(0, 5) };
}

/** `Tuesday` */
export function weekdayOf(day: string): string {
  return new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(Date.parse(`${day}T00:00:00Z`));
}

/** A time in the words that a model is shown: `2026-03-10T23:30-08:00`, with `Z` where nothing is known of the place. */
export function localMinute(millis: number, zone: Zone): string {
  return withOffset(millis, offsetAt(millis, zone)).replace(/:\d\d\.\d{3}/, "");
}

/** How many minutes a place is ahead of UTC at a time; null if it is not known, or if there is no such place. */
function offsetAt(millis: number, { offset, timeZone }: Zone): number | null {
  if (offset !== null) return isOffset(offset) ? offset : null;
  const format = timeZone === null ? null : formatOf(timeZone);
  if (format === null) return null;
  const parts = new Map(format.formatToParts(millis).map(({ type, value }) => [type, Number(value)]));
  const of = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const local = new Date(0);
  local.setUTCFullYear(of("year"), of("month") - 1, of("day"));
  local.setUTCHours(of("hour"), of("minute"), of("second"));
  return Math.round((local.getTime() - millis) / MINUTE_MS);
}

/** Formats are slow to make. More names than there are zones are other spellings. */
const MAX_FORMATS = 600;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  if (!isTimeZone(timeZone)) return null;
  const made = new Intl.DateTimeFormat("en", {
    ...{ timeZone, calendar: "iso8601", numberingSystem: "latn", hourCycle: "h23" },
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, made);
  return made;
}

const MAX_ZONE_CHARACTERS = 60;

/** Whether it is the name of a zone in the IANA database, such as `Europe/Vienna`. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_ZONE_CHARACTERS || !/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
