import { analyse } from "#core/text/analyse";

/** Unix milliseconds, UTC; `to` is not in it. */
export type Period = { from: number; to: number; unit: "day" | "month" | "year" };

const MONTHS = new Map(
  "January February March April May June July August September October November December"
    .split(" ")
    .map((name, index): [string, number] => [analyse(name).join(), index]),
);
/** People speak of a day in the days after it. */
const SPOKEN_OF_DAYS = 3;
const DAY_MS = 86_400_000;

/** The days, months and years that a question names with their year ("16 March 2022", "May 2023", "2021"), read from its tokens. */
export function namedDates(words: readonly string[]): Period[] {
  const periods: Period[] = [];
  words.forEach((word, i) => {
    const year = /^(?:19|20)\d\d$/.test(word) ? Number(word) : undefined;
    if (year === undefined) return;
    const before = words.slice(Math.max(0, i - 2), i);
    const month = before.map((w) => MONTHS.get(w)).find((m) => m !== undefined);
    const day = words
      .slice(Math.max(0, i - 3), i)
      .map(Number)
      .find((n) => n >= 1 && n <= 31);
    periods.push(period(year, month, day));
  });
  return periods;
}

function period(year: number, month: number | undefined, day: number | undefined): Period {
  if (month === undefined) return { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0), unit: "year" };
  if (day === undefined) return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1), unit: "month" };
  const from = Date.UTC(year, month, day);
  return { from, to: from + SPOKEN_OF_DAYS * DAY_MS, unit: "day" };
}
