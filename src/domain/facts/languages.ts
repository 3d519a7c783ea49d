import type { ListWords } from "#core/language/list-words";
import { PACKS } from "#core/language/packs";

/** The code of a language. */
export type Language = string;

type Name = {
  [K in keyof ListWords]-?: string extends ListWords[K]
    ? K
    : undefined extends ListWords[K]
      ? Exclude<ListWords[K], undefined> extends string
        ? K
        : never
      : never;
}[keyof ListWords];

/** The languages in which lists are read. */
export const LANGUAGES = PACKS.flatMap(({ code, spaced, lists }) => (lists === undefined ? [] : { code, spaced, lists }));

export function listsOf(language: Language): ListWords | undefined {
  return LANGUAGES.find(({ code }) => code === language)?.lists;
}

/** The alternatives of the languages: of all, or of those with or without spaces between words. They match nothing if there are none. */
export function words(name: Name, which?: "spaced" | "unspaced"): string {
  const all = LANGUAGES.filter(({ spaced }) => which === undefined || spaced === (which === "spaced"))
    .map(({ lists }) => lists[name] ?? "")
    .filter((source) => source !== "");
  return all.length === 0 ? "(?!)" : all.join("|");
}

/** Alternatives that are whole words where words have spaces between them. */
export function wholeWords(name: Name, letter = "\\p{L}"): string {
  return `(?<!${letter})(?:${words(name, "spaced")})(?!${letter})|${words(name, "unspaced")}`;
}
