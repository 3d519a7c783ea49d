import { eitherAccent } from "./either-accent.ts";
import { lowerCase } from "./folded.ts";
import { PACKS } from "./packs.ts";
import { anyScript } from "./patterns.ts";

const DAY_MS = 86_400_000;
/** A day that is further away was meant otherwise, or is no day to wait for. */
const MAX_DAYS = 400;

/** Each way to name a day or a month, and which month it is, from 0 on. */
const DATES = PACKS.flatMap(({ calendar }) =>
  (calendar?.months ?? []).flatMap((name, month) =>
    (calendar?.dates ?? []).map((date) => ({
      month,
      pattern: new RegExp(eitherAccent(anyScript(date.replace("{month}", () => `(?:${name})`))), "g"),
    })),
  ),
);

/** As models write days. */
const WRITTEN = /(?<!\d)(?<year>20\d\d)-(?<month>\d\d)-(?<day>\d\d)(?!\d)/g;

/**
 * The end of the last day ahead that a text names by its month ("14 June", "until March"), in Unix milliseconds; null where it names none.
 * Weekdays and "tomorrow" are near enough to need none. A month without a day ends with its last; without a year the next one is meant.
 */
export function lastNamedDay(text: string, at: number): number | null {
  const words = lowerCase(text);
  const days = DATES.flatMap(({ month, pattern }) =>
    [...words.matchAll(pattern)].flatMap(({ groups }) => endOf({ month, day: groups?.day, year: groups?.year }, at) ?? []),
  );
  const written = [...words.matchAll(WRITTEN)].flatMap(({ groups }) => {
    return endOf({ month: Number(groups?.month) - 1, day: groups?.day, year: groups?.year }, at) ?? [];
  });
  const all = [...days, ...written];
  return all.length === 0 ? null : Math.max(...all);
}

type Named = { month: number; day: string | undefined; year: string | undefined };

function endOf({ month, day, year }: Named, at: number): number | null {
  const inYear = (of: number) => (day === undefined ? Date.UTC(of, month + 1, 1) : Date.UTC(of, month, Number(day)) + DAY_MS);
  const said = new Date(at).getUTCFullYear();
  const end = year !== undefined ? inYear(Number(year)) : inYear(said) > at ? inYear(said) : inYear(said + 1);
  return end > at && end - at <= MAX_DAYS * DAY_MS ? end : null;
}
