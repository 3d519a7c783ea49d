import { z } from "zod";
import { invalid } from "./errors.ts";

/** A name that the app gives: any script, no control characters, so that it fits a path segment when percent-encoded. */
export const ExternalId = z
  .string()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
  .regex(/^[^\u0000-\u001f\u007f]*$/, "An id may not hold control characters.")
  .refine((id) => id !== "." && id !== "..", "A path cannot hold this id.")
  .refine((id) => id.isWellFormed(), "An id may not hold half a surrogate pair: it has no UTF-8, so two such ids would be one.")
  .refine((id) => !id.includes("\ufffd"), "An id may not hold U+FFFD: it stands for bytes that somebody could not decode.")
  .describe("The app's own id");

/** Of every request about a user. */
export const UserId = ExternalId.describe(
  "The user for whom the request acts, by the app's id. A server key must name one; a personal key acts for its own and may name no other",
);

/** When it happened or was said, as ISO 8601 with a time zone; inside, Unix milliseconds. */
export const Moment = z.iso
  .datetime({ offset: true })
  .refine((moment) => isWritable(Date.parse(moment)), "A time between the years 1 and 9999 in UTC.")
  .describe("ISO 8601 with a time zone, as 2026-03-01T09:30:00Z");

/** Whether a time comes out as ISO 8601 with four digits of year again, whatever its offset was. */
function isWritable(millis: number): boolean {
  return millis >= Date.parse("0001-01-01T00:00:00Z") && millis <= Date.parse("9999-12-31T23:59:59.999Z");
}

/** Unix milliseconds of a moment that `Moment` has accepted. */
export function toMillis(moment: string): number {
  return Date.parse(moment);
}

/** How far a clock may be ahead of ours. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1000;

/** Throws `invalid_input` for what was said, or so it claims, more than a day from now: most often milliseconds taken for seconds. */
export function refuseSaidLater(moment: string | undefined, { now, path }: { now: number; path: string }): void {
  if (moment !== undefined && toMillis(moment) > now + MAX_AHEAD_MS)
    throw invalid(path, "It is more than a day ahead of this service's clock: say when it was said, as ISO 8601.");
}

export function toIso(millis: number): string {
  return new Date(millis).toISOString();
}
