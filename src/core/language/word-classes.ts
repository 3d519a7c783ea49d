import { GERMAN_WORDS } from "./de/words.ts";
import { ENGLISH_WORDS } from "./en/words.ts";
import { SPANISH_WORDS } from "./es/words.ts";
import { FRENCH_WORDS } from "./fr/words.ts";
import type { WordClass, WordClasses } from "./word-class.ts";
import { CHINESE_WORDS } from "./zh/words.ts";

const CLASS_OF = classesOf([ENGLISH_WORDS, GERMAN_WORDS, SPANISH_WORDS, FRENCH_WORDS]);
const HAN_CLASS_OF = classesOf([CHINESE_WORDS]);
const MAX_HAN_WORD = 4;

/** The first language in which a word has a class decides. */
function classesOf(packs: readonly WordClasses[]): ReadonlyMap<string, WordClass> {
  const classes = new Map<string, WordClass>();
  for (const pack of packs)
    for (const [name, words] of Object.entries(pack) as [WordClass, string][])
      for (const word of words.split(/\s+/u)) if (word !== "" && !classes.has(word)) classes.set(word, name);
  return classes;
}

/** The class of a folded word of a language with Latin letters. */
export function classOf(word: string): WordClass | null {
  return CLASS_OF.get(word) ?? null;
}

/** The Chinese word with a class that begins at `at`, the longest one. */
export function hanClassAt(characters: readonly string[], at: number): { name: WordClass; length: number } | null {
  for (let length = Math.min(MAX_HAN_WORD, characters.length - at); length > 0; length--) {
    const name = HAN_CLASS_OF.get(characters.slice(at, at + length).join(""));
    if (name !== undefined) return { name, length };
  }
  return null;
}
