import type { Cosines } from "#core/rank/cut";
import { analyse } from "#core/text/analyse";
import type { Embedder } from "#ports/embedder";
import { lexicalVector } from "./lexical-embedder.ts";
import { openStaticWords, type StaticWords } from "./static-words/static-words.ts";
import table from "./static-words/table.json" with { type: "json" };

/** For the hashed words and letter groups. */
const LEXICAL_DIMENSIONS = 256;
/**
 * The part of them in a cosine, measured with the questions in test/corpora/memory-questions.ts. Names, numbers, misspelt words and other
 * languages have nothing else.
 */
const LEXICAL_SHARE = 0.2;
const COSINES: Cosines = { unrelated: 0.06, floor: 0.2 };

/**
 * Needs no server and no network: the sum of the vectors of a text's words, which ship with the Worker (`npm run train:embedder`), beside
 * its words and letter groups hashed. It knows what words of English mean, but not their order: "the dog bit the man" is the man who bit
 * the dog. A text without such words has the lexical vector alone.
 */
export function createBuiltInEmbedder({ cosines = {} }: { cosines?: Partial<Cosines> } = {}): Embedder {
  const words = staticWords();
  const dimensions = words.dimensions + LEXICAL_DIMENSIONS;
  return {
    model: `built-in-1@${dimensions}`,
    dimensions,
    nature: "semantic",
    cosines: { ...COSINES, ...cosines },
    embed: (texts) => Promise.resolve(texts.map((text) => embed(text, words))),
  };
}

let opened: StaticWords | undefined;

/** Decoded on first use, once an isolate. */
function staticWords(): StaticWords {
  return {
    dimensions: table.dimensions,
    sum: (tokens, into) => {
      opened ??= openStaticWords(table);
      return opened.sum(tokens, into);
    },
  };
}

function embed(text: string, words: StaticWords): Float32Array {
  const tokens = analyse(text);
  const lexical = lexicalVector(tokens, LEXICAL_DIMENSIONS);
  const vector = new Float32Array(words.dimensions + LEXICAL_DIMENSIONS);
  const length = words.sum(tokens, vector) === 0 ? 0 : lengthOf(vector);
  const [meaningful, literal] = length === 0 ? [0, 1] : [Math.sqrt(1 - LEXICAL_SHARE) / length, Math.sqrt(LEXICAL_SHARE)];
  for (let k = 0; k < words.dimensions; k++) vector[k] = (vector[k] ?? 0) * meaningful;
  for (const [k, value] of lexical.entries()) vector[words.dimensions + k] = value * literal;
  return vector;
}

function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}
