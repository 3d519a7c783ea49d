import { fold, normalise } from "#core/text/normalize";
import { LANGUAGES, type Language, listsOf } from "./languages.ts";

const MAX_WORDS = 6;
const MAX_LENGTH = 60;
const LATIN = /[a-z]$/;
const OF: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ lists }) => lists.of ?? []));
const NO_NOUN = new Map(
  LANGUAGES.flatMap(({ code, lists }) => (lists.noNoun === undefined ? [] : [[code, new RegExp(`^${lists.noNoun}$`)] as const])),
);

/** Whether a phrase has no word that ends a noun phrase: "types of candy" is one, "color is" is not. */
export function isNounPhrase(phrase: string, language: Language): boolean {
  const noNoun = NO_NOUN.get(language);
  if (noNoun === undefined) return true;
  const of = listsOf(language)?.of;
  return !phrase.split(" ").some((word, i, all) => noNoun.test(word) && !(word === of && i > 0 && all[i + 1] !== "all"));
}

/** The form in which nouns are compared and stored: folded, its last word (German: its stem) equal in singular and plural; "" if nothing is left. */
export function nounForm(noun: string, language: Language): string {
  const { headFirst, plural } = listsOf(language) ?? {};
  const words =
    fold(normalise(noun))
      .replace(/[_/]/g, " ")
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'&+-]*/gu) ?? [];
  if (words.length === 0 || words.length > MAX_WORDS) return "";
  const head = words.findIndex((word) => OF.has(word));
  const at = head > 0 ? head - 1 : headFirst === true ? 0 : words.length - 1;
  // An adjective that follows its noun agrees with it: "juegos largos", but "juegos de mesa".
  const agrees = (i: number) => i === at || (headFirst === true && head < 0 && i === at + 1);
  const form = words.map((word, i) => (agrees(i) && LATIN.test(word) ? (plural?.(word) ?? word) : word)).join(" ");
  return form.length > MAX_LENGTH ? "" : form;
}
