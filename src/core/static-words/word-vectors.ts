import { analyse } from "#core/text/analyse";
import { openStaticWords, type StaticWords } from "./static-words.ts";
import table from "./table.json" with { type: "json" };

/** The length of a word's vector. */
export const WORD_DIMENSIONS: number = table.dimensions;

let opened: StaticWords | undefined;

/** The vectors of English words that ship with the Worker, decoded on first use, once an isolate. */
export function staticWords(): StaticWords {
  opened ??= openStaticWords(table);
  return opened;
}

/** The vector of a word, of length 1; null for a word that has none. */
export function wordVector(word: string): Float32Array | null {
  const words = staticWords();
  const tokens = analyse(word).filter((token) => words.has(token));
  if (tokens.length === 0) return null;
  const vector = new Float32Array(words.dimensions);
  words.sum(tokens, vector);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? null : vector.map((value) => value / length);
}
