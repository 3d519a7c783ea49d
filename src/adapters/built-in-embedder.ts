import type { Cosines } from "#core/rank/cut";
import type { StaticWords } from "#core/static-words/static-words";
import { staticWords, WORD_DIMENSIONS } from "#core/static-words/word-vectors";
import { analyse } from "#core/text/analyse";
import { STOP_WORDS } from "#core/text/stop-words";
import type { Embedder, Reading } from "#ports/embedder";
import { createLexicalEmbedder, lexicalVector } from "./lexical-embedder.ts";
import { WORD_MEANINGS } from "./word-meanings.ts";

/** For the hashed words and letter groups. */
const LEXICAL_DIMENSIONS = 512;
/**
 * The part of them in a cosine, measured with the questions in test/corpora/memory-questions.ts. Names, numbers, misspelt words and other
 * languages have nothing else.
 */
const LEXICAL_SHARE = 0.2;
/**
 * A question with a smaller share of known words is read by its letters: 9 % of the English sentences of the training talk, and 79 to 99 % of those
 * in other languages.
 */
const LEAST_KNOWN = 0.6;
/** A text of known words has little room for its letters, so a question of letters alone estimates less; chance stays below .13 with 512 dimensions. */
const ESTIMATE_FLOOR = 0.14;
/** Measured as those of models (src/adapters/cosines.ts). */
const COSINES: Cosines = { unrelated: 0.05, floor: 0.15 };

/**
 * Needs no server and no network: the sum of the vectors of a text's words, which ship with the Worker (`npm run train:embedder`), beside
 * its words and letter groups hashed. It knows what words of English mean, but not their order: "the dog bit the man" is the man who bit
 * the dog. A text without such words has the lexical vector alone.
 */
export function createBuiltInEmbedder({ cosines = {} }: { cosines?: Partial<Cosines> } = {}): Embedder {
  const dimensions = WORD_DIMENSIONS + LEXICAL_DIMENSIONS;
  const letters = createLexicalEmbedder({ dimensions: LEXICAL_DIMENSIONS });
  const lexical: Reading = { ...letters, estimateFloor: ESTIMATE_FLOOR };
  const embedder: Embedder = {
    model: `built-in-1@${dimensions}`,
    dimensions,
    nature: "static",
    cosines: { ...COSINES, ...cosines },
    words: WORD_MEANINGS,
    embed: (texts) => Promise.resolve(texts.map((text) => embed(text, staticWords()))),
    similarities: (query, texts) => {
      const contained = letters.similarities?.(query, texts) ?? [];
      const asked = embed(query, staticWords());
      return texts.map((text, i) => ({
        cosine: cosineOf(asked, embed(text, staticWords())),
        contained: contained[i]?.contained ?? 0,
      }));
    },
    readingOf: (query) => (knownShare(analyse(query), staticWords()) < LEAST_KNOWN ? lexical : embedder),
  };
  return embedder;
}

function embed(text: string, words: StaticWords): Float32Array {
  const tokens = analyse(text);
  const vector = new Float32Array(words.dimensions + LEXICAL_DIMENSIONS);
  words.sum(tokens, vector);
  const length = lengthOf(vector);
  const share = length === 0 ? 0 : (1 - LEXICAL_SHARE) * knownShare(tokens, words);
  const meaning = length === 0 ? 0 : Math.sqrt(share) / length;
  for (let k = 0; k < words.dimensions; k++) vector[k] = (vector[k] ?? 0) * meaning;
  const literal = Math.sqrt(1 - share);
  vector.set(
    lexicalVector(tokens, LEXICAL_DIMENSIONS).map((value) => value * literal),
    words.dimensions,
  );
  return vector;
}

/** The share of a text's words, stop words aside, that have a vector: 0 for most texts in another language. */
function knownShare(tokens: readonly string[], words: StaticWords): number {
  const content = tokens.filter((token) => !STOP_WORDS.has(token));
  const counted = content.length === 0 ? tokens : content;
  return counted.filter((token) => words.has(token)).length / Math.max(1, counted.length);
}

/** Of unit vectors. */
function cosineOf(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0);
}

function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}
