import type { AskedNeed, TellingWord } from "./asked.ts";

/** How a memory's words match those of a question. */
export type WordMatch = {
  /** For each word of the question how like it the likest word of the memory is, 0 to 1; 1 for the same word. */
  likest: number[];
  /** Whether the memory contains it. */
  shares: boolean[];
};

export function matchWords({ words }: AskedNeed, memory: readonly TellingWord[], found: ReadonlySet<string>): WordMatch {
  const tokens = new Set(memory.map(({ token }) => token));
  const shares = words.map(({ token }) => tokens.has(token) || found.has(token));
  const likest = words.map(({ vector }, i) => {
    if (shares[i] === true) return 1;
    if (vector === null) return 0;
    return memory.reduce((most, other) => (other.vector === null ? most : Math.max(most, dot(vector, other.vector))), 0);
  });
  return { likest, shares };
}

/** Of unit vectors: their cosine. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] ?? 0) * (b[k] ?? 0);
  return sum;
}
