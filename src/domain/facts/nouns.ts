import { stemGerman } from "#core/text/analyse";
import { fold, normalise } from "#core/text/normalize";

export type Language = "en" | "de" | "es" | "fr" | "zh";

const MAX_WORDS = 6;
const MAX_LENGTH = 60;
const LATIN = /[a-z]$/;

/** British spellings and their American form, in the plural. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ["colours", "colors"],
  ["flavours", "flavors"],
  ["theatres", "theaters"],
  ["programmes", "programs"],
  ["doughnuts", "donuts"],
  ["yoghurts", "yogurts"],
  ["televisions", "tvs"],
]);
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  [
    "child children, person people, ppl people, man men, woman women, foot feet, tooth teeth, goose geese, mouse mice",
    "wolf wolves, knife knives, life lives, leaf leaves, shelf shelves, loaf loaves, wife wives, hero heroes, potato potatoes",
    "tomato tomatoes, mango mangoes, mangos mangoes, lens lenses, gas gases, cactus cacti, sheep sheep, fish fish, music music",
    "food foods, sushi sushi, pasta pasta, poetry poetry, anime anime, animes anime, manga manga, mangas manga, sci-fi sci-fi",
  ].flatMap((line) => line.split(", ").map((pair): [string, string] => [pair.split(" ")[0] ?? "", pair.split(" ")[1] ?? ""])),
);
/** German singulars whose stems lose a letter, because the stemmer takes it for an ending. */
const GERMAN_WORDS: ReadonlyMap<string, string> = new Map(
  "farbe haustier sprache serie blume marke speise kneipe pflanze beere suppe soße reise insel sänger künstler essen kuchen garten rolle figur schule katze jacke hose schuhe tasche rasse eissorte obstsorte sorte sache"
    .split(" ")
    .map((word): [string, string] => [stemTwice(fold(word)), fold(word)]),
);

/** The form in which nouns are compared and stored: folded, its last word (German: its stem) equal in singular and plural; "" if nothing is left. */
export function nounForm(noun: string, language: Language): string {
  const words =
    fold(normalise(noun))
      .replace(/[_/]/g, " ")
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'&+-]*/gu) ?? [];
  if (words.length === 0 || words.length > MAX_WORDS) return "";
  const head = words.findIndex((word) => word === "of" || word === "de" || word === "von");
  const at = head > 0 ? head - 1 : language === "es" || language === "fr" ? 0 : words.length - 1;
  const form = words
    .map((word, i) => (i === at || isAdjective(i, { language, noun: at, head }) ? plural(word, language) : word))
    .join(" ");
  return form.length > MAX_LENGTH ? "" : form;
}

/** Romance adjectives follow their noun and agree with it: "juego de mesa", "juegos largos". */
function isAdjective(at: number, { language, noun, head }: { language: Language; noun: number; head: number }): boolean {
  return head < 0 && (language === "es" || language === "fr") && at === noun + 1;
}

function plural(word: string, language: Language): string {
  if (!LATIN.test(word)) return word;
  if (language === "de") return germanForm(word);
  if (language === "es") return spanishPlural(word);
  if (language === "fr") return frenchPlural(word);
  return englishPlural(word);
}

function englishPlural(word: string): string {
  const [, before = "", last = word] = /^(.*-)?([^-]+)$/.exec(word) ?? [];
  const irregular = IRREGULAR.get(last) ?? (/..man$/.test(last) ? last.replace(/an$/, "en") : undefined);
  if (irregular !== undefined) return before + irregular;
  const regular = regularPlural(last.replace(/'s?$/, ""));
  return before + (SPELLINGS.get(regular) ?? regular);
}

function regularPlural(word: string): string {
  if (/(?:ss|us|x|ch|sh|zz)$/.test(word)) return `${word}es`;
  if (/s$/.test(word) || /(?:men|people|children|feet|teeth|geese|mice|cacti)$/.test(word)) return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

function germanForm(word: string): string {
  const stem = stemTwice(word);
  const known = [...GERMAN_WORDS].find(([of]) => stem === of || (of.length > 4 && stem.endsWith(of)));
  return known === undefined ? stem : stem.slice(0, -known[0].length) + known[1];
}

/** The stem of the plural is reached after one step, that of a singular in "er" or "el" after two. */
function stemTwice(word: string): string {
  return stemGerman(stemGerman(word));
}

function spanishPlural(word: string): string {
  if (/s$/.test(word)) return word;
  if (/z$/.test(word)) return `${word.slice(0, -1)}ces`;
  return /[aeiou]$/.test(word) ? `${word}s` : `${word}es`;
}

function frenchPlural(word: string): string {
  if (/[sxz]$/.test(word)) return word;
  if (/(?:eau|eu)$/.test(word)) return `${word}x`;
  return /al$/.test(word) ? `${word.slice(0, -1)}ux` : `${word}s`;
}
