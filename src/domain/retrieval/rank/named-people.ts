import { analyse } from "#core/text/analyse";
import { nameKey } from "#core/text/normalize";
import { STOP_WORDS } from "#core/text/stop-words";

/** Words of a name, at most. */
const MAX_WORDS = 3;
/** Characters of a name that is written without blanks. */
const UNSPACED_LENGTHS = [2, 3, 4];
const MAX_KEYS = 200;

const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+$/u;

/**
 * What in a question could be a person's name, as keys to look names up by: one to three words in a row, and in scripts without
 * blanks every two to four characters. Small words are no names, unless they are written with a capital inside the sentence.
 */
export function nameKeysIn(question: string): string[] {
  const words = nameKey(question).split(" ").filter(Boolean);
  const capitals = new Set([...question.matchAll(/(?<=\S\s)\p{Lu}[\p{L}\p{M}]*/gu)].map(([word]) => nameKey(word)));
  const keys = new Set<string>();
  for (const [i, word] of words.entries()) {
    if (UNSPACED.test(word)) for (const key of slicesOf(word)) keys.add(key);
    if (!isSmall(word) || capitals.has(word)) keys.add(word);
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
  const characters = [...run];
  return UNSPACED_LENGTHS.flatMap((length) =>
    characters.slice(0, Math.max(0, characters.length - length + 1)).map((_, i) => characters.slice(i, i + length).join("")),
  );
}
