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

/** The form in which a noun is compared, equal in singular and plural. */
export function englishPlural(word: string): string {
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
