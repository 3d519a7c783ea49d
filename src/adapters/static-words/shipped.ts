import type { WordMeaning, WordMeanings } from "#ports/embedder";
import { openStaticWords, type StaticWords } from "./static-words.ts";
import table from "./table.json" with { type: "json" };

/** A number for each of so many dimensions. */
export const WORD_DIMENSIONS = table.dimensions;

let opened: StaticWords | undefined;

/** The words that ship with the Worker, decoded on first use, once an isolate. */
export function shippedWords(): StaticWords {
  opened ??= openStaticWords(table);
  return opened;
}

/** Half a kilobyte each. */
const MAX_KEPT = 2_000;
const kept = new Map<string, WordMeaning | null>();

/** What single words mean, by the words that ship with the Worker; those that were asked for stay decoded. */
export const SHIPPED_MEANINGS: WordMeanings = {
  meaningOf: (token) => {
    const before = kept.get(token);
    if (before !== undefined) return before;
    const meaning = decoded(token, shippedWords());
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
