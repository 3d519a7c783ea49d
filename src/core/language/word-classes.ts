import { fold } from "#core/text/normalize";
import type { WordClass, WordClasses } from "./pack.ts";
import { PACKS } from "./packs.ts";

const CLASS_OF = classesOf(PACKS.flatMap(({ spaced, words }) => (spaced ? (words ?? []) : [])));
const HAN_CLASS_OF = classesOf(PACKS.flatMap(({ spaced, words }) => (spaced ? [] : (words ?? []))));
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

/** Whether a text has a word of the class. */
export function namesClass(text: string, name: WordClass): boolean {
  if ((fold(text).match(/[\p{L}']+/gu) ?? []).some((word) => classOf(word) === name)) return true;
  const characters = [...text];
  return characters.some((_, at) => hanClassAt(characters, at)?.name === name);
}
