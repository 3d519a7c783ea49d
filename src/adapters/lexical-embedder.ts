import { analyse } from "#core/text/analyse";
import { STOP_WORDS } from "#core/text/stop-words";
import type { Embedder } from "#ports/embedder";

const DIMENSIONS = 512;
const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;
/** Stop words: they hardly distinguish texts, but some texts have no others. */
const STOP_WORD_WEIGHT = 0.15;
/** The weight of all of a token's grams together, relative to the token. */
const GRAM_SHARE = 1;
/** Below the floor a text shares only a few letter groups with the question, which is chance. */
const COSINES = { unrelated: 0, floor: 0.25 };
const BOUNDARY = 0x2e;
/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Needs no model and no network: tokens and their character grams hashed with a sign into a fixed number of dimensions (Weinberger et al.
 * 2009, arXiv:0902.2206). It finds shared words and word parts, not meaning.
 */
export function createLexicalEmbedder({ dimensions = DIMENSIONS }: { dimensions?: number } = {}): Embedder {
  return {
    model: `lexical-1@${dimensions}`,
    dimensions,
    nature: "lexical",
    cosines: COSINES,
    embed: (texts) => Promise.resolve(texts.map((text) => lexicalVector(analyse(text), dimensions))),
    similarities: (query, texts) => {
      const features = featuresOf(query);
      return texts.map((text) => compared(features, featuresOf(text)));
    },
  };
}

/** The unit vector of a text's tokens. */
export function lexicalVector(tokens: readonly string[], dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  eachFeature(tokens, (hash, weight) => addFeature(vector, hash, weight));
  return scaled(vector);
}

/** The weights of a text's features by their 32-bit hashes, which hardly ever collide; in a vector some always share a dimension. */
function featuresOf(text: string): Map<number, number> {
  const features = new Map<number, number>();
  eachFeature(analyse(text), (hash, weight) => features.set(hash, (features.get(hash) ?? 0) + weight));
  return features;
}

/** 0 for a text without tokens: it shares no feature with anything. */
function compared(query: ReadonlyMap<number, number>, text: ReadonlyMap<number, number>): { cosine: number; contained: number } {
  let shared = 0;
  let contained = 0;
  for (const [hash, weight] of query) {
    const other = text.get(hash) ?? 0;
    shared += weight * other;
    contained += weight * Math.min(weight, other);
  }
  if (shared === 0) return { cosine: 0, contained: 0 };
  const squares = squaresOf(query);
  return { cosine: shared / Math.sqrt(squares * squaresOf(text)), contained: contained / squares };
}

function squaresOf(features: ReadonlyMap<number, number>): number {
  let squares = 0;
  for (const weight of features.values()) squares += weight * weight;
  return squares;
}

type AddFeature = (hash: number, weight: number) => void;

function eachFeature(tokens: readonly string[], add: AddFeature): void {
  for (const [token, count] of counted(tokens)) {
    addToken(add, token, (1 + Math.log(count)) * (STOP_WORDS.has(token) ? STOP_WORD_WEIGHT : 1));
  }
}

function counted(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** A token of n characters is hashed between boundaries, so that a gram at its edge differs from one inside. */
function addToken(add: AddFeature, token: string, weight: number): void {
  const last = token.length + 1;
  const unit = (position: number) => (position === 0 || position === last ? BOUNDARY : token.charCodeAt(position - 1));
  add(hashOf(unit, 0, last), weight);

  const gramWeight = (weight * GRAM_SHARE) / Math.sqrt(gramsIn(last + 1));
  for (let start = 0; start + SHORTEST_GRAM <= last + 1; start++) {
    let hash = FNV_OFFSET;
    for (let length = 1; length <= LONGEST_GRAM && start + length <= last + 1; length++) {
      hash = mixed(hash, unit(start + length - 1));
      if (length >= SHORTEST_GRAM) add(hash, gramWeight);
    }
  }
}

function gramsIn(units: number): number {
  let grams = 0;
  for (let length = SHORTEST_GRAM; length <= LONGEST_GRAM; length++) grams += Math.max(0, units - length + 1);
  return grams;
}

/** Starts with a separate unit, so that the hash differs from that of a gram with the same characters. */
function hashOf(unit: (position: number) => number, first: number, last: number): number {
  let hash = mixed(FNV_OFFSET, 0);
  for (let position = first; position <= last; position++) hash = mixed(hash, unit(position));
  return hash;
}

function mixed(hash: number, unit: number): number {
  return Math.imul(Math.imul(hash ^ (unit & 0xff), FNV_PRIME) ^ (unit >>> 8), FNV_PRIME);
}

function addFeature(vector: Float32Array, hash: number, weight: number): void {
  const spread = avalanche(hash);
  const position = (spread >>> 1) % vector.length;
  vector[position] = (vector[position] ?? 0) + (spread & 1 ? weight : -weight);
}

/** MurmurHash3's finaliser: FNV's low bits alone are too alike for similar grams. */
function avalanche(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** A text without tokens gets a fixed direction, which an empty query shares and other texts hardly do. */
function scaled(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) {
    addFeature(vector, FNV_OFFSET, 1);
    return vector;
  }
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
