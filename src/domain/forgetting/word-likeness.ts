import type { Likeness } from "./asked.ts";
import { isNear } from "./match-topic.ts";

/** Likenesses below it are chance. */
const CHANCE = 0.2;

/** How much words resemble each other by their meanings, or, where they have no vectors, by their letters. */
export type WordLikeness = {
  /** From 0, by chance, to 0.8, for forms of one word. */
  of: (a: string, b: string) => number;
  /** How much a word says: the length of its vector, 1 without one. */
  weight: (word: string) => number;
};

/** Reads each word once. */
export function createWordLikeness(wordVectors: Likeness["wordVectors"]): WordLikeness {
  const known = new Map<string, { vector: Float32Array | null; length: number }>();
  const read = (word: string) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const vector = wordVectors?.([word])[0] ?? null;
    const made = { vector, length: vector === null ? 1 : Math.sqrt(dot(vector, vector)) };
    known.set(word, made);
    return made;
  };
  return {
    of: (a, b) => {
      if (isNear(a, b)) return 1 - CHANCE;
      const [one, other] = [read(a), read(b)];
      if (one.vector === null || other.vector === null) return 0;
      return Math.max(0, dot(one.vector, other.vector) / (one.length * other.length) - CHANCE);
    },
    weight: (word) => read(word).length,
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
