import { PACKS } from "#core/language/packs";

const wordsOf = (name: "occupations" | "notBeforeOccupation") =>
  new Set(PACKS.flatMap(({ forms }) => forms?.[name]?.split(" ") ?? []));
const OCCUPATIONS = wordsOf("occupations");
const NOT_BEFORE = wordsOf("notBeforeOccupation");

/** Whether up to five words begin with an occupation and what specifies it ("primary school teacher from Hull"). */
export function isOccupation(words: string): boolean {
  for (const word of words.toLowerCase().split(" ")) {
    if (OCCUPATIONS.has(word)) return true;
    if (NOT_BEFORE.has(word)) return false;
  }
  return false;
}
