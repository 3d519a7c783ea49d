import type { WordMeaning, WordMeanings } from "#ports/embedder";
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

export function createWordLikeness(words: WordMeanings | undefined): WordLikeness {
  const known = new Map<string, WordMeaning | null>();
  const read = (word: string) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const meaning = words?.meaningOf(word) ?? null;
    known.set(word, meaning);
    return meaning;
  };
  return {
    of: (a, b) => {
      if (isNear(a, b)) return 1 - CHANCE;
      const [one, other] = [read(a), read(b)];
      return one === null || other === null ? 0 : Math.max(0, dot(one.vector, other.vector) - CHANCE);
    },
    weight: (word) => read(word)?.weight ?? 1,
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
