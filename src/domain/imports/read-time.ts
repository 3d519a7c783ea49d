/** No chat of these platforms is older. An earlier time is a default value, such as 0, or a mistake. */
const EARLIEST = Date.UTC(2015, 0, 1);
/** How far a clock may be ahead of ours. */
const MAX_AHEAD_MS = 86_400_000;
/** Numbers below it are seconds: as milliseconds it would be in 1973, as seconds in the year 5138. */
const SECONDS_BELOW = 1e11;
/** A zone that is cut off, as exports have it, counts as none. */
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?/i;
const IS_NUMBER = /^\d{1,16}(?:\.\d{1,12})?$/;

/**
 * A time in any of the notations of exports: seconds with a fraction, milliseconds, or ISO 8601, which is UTC without a zone. Unix
 * milliseconds; null for what is no time, or one that cannot be meant.
 */
export function readTime(value: unknown, now: number): number | null {
  const millis = millisOf(value);
  return millis !== null && millis >= EARLIEST && millis <= now + MAX_AHEAD_MS ? millis : null;
}

function millisOf(value: unknown): number | null {
  if (typeof value === "string") {
    const text = value.trim().slice(0, 40);
    if (IS_NUMBER.test(text)) return millisOf(Number(text));
    const [, day, time = "00:00", zone = "Z"] = ISO.exec(text) ?? [];
    const parsed = Date.parse(`${day}T${time}${zone}`);
    return Number.isNaN(parsed) ? null : parsed;
  }
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  return Math.round(value < SECONDS_BELOW ? value * 1_000 : value);
}
