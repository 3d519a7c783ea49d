import type { VectorItem, VectorMetadata } from "#ports/vector-index";

export const CONTRACT_DIMENSIONS = 8;

/** A unit vector whose cosine with `at(0)` is the cosine of `degrees`. */
export function at(degrees: number, dimensions = CONTRACT_DIMENSIONS): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[0] = Math.cos((degrees * Math.PI) / 180);
  vector[1] = Math.sin((degrees * Math.PI) / 180);
  return vector;
}

export function cosineOf(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180);
}

export function item(id: string, values: Float32Array, metadata: Partial<VectorMetadata> = {}): VectorItem {
  return { id, values, metadata: { ...NONE, ...metadata } };
}

const NONE: VectorMetadata = {
  kind: "memory",
  space: 1,
  session: 0,
  project: 0,
  workspace: "",
  scope: "",
  type: "",
  createdDay: 0,
  expiresDay: 0,
  model: "m@8",
};

/** The same numbers for the same seed (mulberry32), between 0 and 1. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
