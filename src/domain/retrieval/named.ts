import { analyse } from "#core/text/analyse";
import { nameKey } from "#core/text/normalize";
import { STOP_WORDS } from "#core/text/stop-words";

/** Unix milliseconds, UTC; `to` is not in it. */
export type Period = { from: number; to: number; unit: "day" | "month" | "year" };

const MONTHS = new Map(
  "January February March April May June July August September October November December"
    .split(" ")
    .map((name, index): [string, number] => [analyse(name).join(), index]),
);
/** People talk about a day on the days after it. */
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

/** The most words of a name. */
const MAX_WORDS = 3;
/** The most characters of a name that is written without blanks. */
const UNSPACED_LENGTHS = [2, 3, 4];
const MAX_KEYS = 200;
/** No name of a word is longer, in UTF-16 units. */
const MAX_UNITS = 64;

const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+$/u;

/**
 * What in a question could be a person's name, as keys for a lookup: one to three words in a row, and in scripts without blanks every two
 * to four characters. Stop words are no names, unless they are capitalised inside a sentence.
 */
export function nameKeysIn(question: string): string[] {
  const words = nameKey(question).split(" ").filter(Boolean);
  const capitals = new Set([...question.matchAll(/(?<=\S\s)\p{Lu}[\p{L}\p{M}]*/gu)].map(([word]) => nameKey(word)));
  const keys = new Set<string>();
  for (const [i, word] of words.entries()) {
    if (UNSPACED.test(word)) for (const key of slicesOf(word)) keys.add(key);
    if (word.length <= MAX_UNITS && (!isSmall(word) || capitals.has(word))) keys.add(word);
    for (let length = 2; length <= MAX_WORDS && i + length <= words.length; length++) {
      keys.add(words.slice(i, i + length).join(" "));
    }
    if (keys.size >= MAX_KEYS) break;
  }
  return [...keys].slice(0, MAX_KEYS);
}

function isSmall(word: string): boolean {
  return analyse(word).every((token) => STOP_WORDS.has(token));
}

function slicesOf(run: string): string[] {
  // As many as there are keys: a run may be the whole of a long question.
  const characters = [...run.slice(0, MAX_KEYS * 2)].slice(0, MAX_KEYS + Math.max(...UNSPACED_LENGTHS));
  return UNSPACED_LENGTHS.flatMap((length) =>
    characters.slice(0, Math.max(0, characters.length - length + 1)).map((_, i) => characters.slice(i, i + length).join("")),
  );
}
