import { localTime } from "#core/local-time";
import type { ProfileEntry } from "./choose-profile.ts";

/** Since which day a memory holds: that of the offset with which it was said, else of the reader's zone. */
export function sinceDay(
  { validFrom, validOffset }: Pick<ProfileEntry["memory"], "validFrom" | "validOffset">,
  timeZone: string | null,
): string {
  return localTime(validFrom, { offset: validOffset, timeZone }).day;
}
