import { cardinal, ordinal } from "#core/language/list-words";
import { LANGUAGES, words } from "./languages.ts";

export const MAX_RANK = 100;

/** Sources of patterns over a normalized text that match one ordinal of a language, or one cardinal of any. */
export const ORDINALS = LANGUAGES.map(({ spaced, lists }) => ({ spaced, lists, source: ordinal(lists.ordinals, lists.figures) }));
export const CARDINAL = cardinal(LANGUAGES.flatMap(({ lists }) => lists.cardinals));

const exact = (sources: readonly string[]) => sources.map((source) => new RegExp(`^(?:${source})$`));
const EXACT = LANGUAGES.map(({ lists }) => exact(lists.ordinals));
const EXACT_CARDINALS = LANGUAGES.map(({ lists }) => exact(lists.cardinals));
const PREFIX = new RegExp(`^(?:${words("numbers")})`);

/** The rank of an ordinal or cardinal in any of the languages; null for none from 1 to 100. */
export function rankOf(said: string): number | null {
  const word = said.replace(PREFIX, "");
  const digits = /^(\d{1,3})/.exec(word)?.[1];
  if (digits !== undefined) return inRange(Number(digits));
  for (const patterns of [...EXACT, ...EXACT_CARDINALS]) {
    // A stem may stand in a longer word ("zweit" in "zweitliebste").
    const at = patterns.findIndex((pattern) => pattern.test(word) || pattern.test(`${word}e`));
    if (at >= 0) return at + 1;
  }
  return null;
}

function inRange(rank: number): number | null {
  return rank >= 1 && rank <= MAX_RANK ? rank : null;
}
