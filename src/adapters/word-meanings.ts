import type { StaticWords } from "#core/static-words/static-words";
import { staticWords } from "#core/static-words/word-vectors";
import type { WordMeaning, WordMeanings } from "#ports/embedder";

/** Half a kilobyte each. */
const MAX_KEPT = 2_000;
const kept = new Map<string, WordMeaning>();

/** What single words mean, by the words that ship with the Worker; those that were asked for stay decoded. */
export const WORD_MEANINGS: WordMeanings = {
  meaningOf: (token) => {
    const before = kept.get(token);
    if (before !== undefined) return before;
    const meaning = decoded(token, staticWords());
    if (meaning === null) return null;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(token, meaning);
    return meaning;
  },
};

function decoded(token: string, words: StaticWords): WordMeaning | null {
  if (!words.has(token)) return null;
  const vector = new Float32Array(words.dimensions);
  words.sum([token], vector);
  const weight = Math.hypot(...vector);
  return weight === 0 ? null : { vector: vector.map((value) => value / weight), weight };
}
