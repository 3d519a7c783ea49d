import { type MemoryType, typesOf } from "#domain/memories";

export type Evictable = {
  id: number;
  type: MemoryType;
  pinned: boolean;
  confidence: number;
  /** Unix milliseconds. */
  lastSeenAt: number;
  recalledAt: number | null;
  expiresAt: number | null;
};

const EPHEMERAL = typesOf("episodic");

/** A memory is older than another if it was last said this much earlier; within a step, use and certainty count for more. */
export const AGE_STEP_MS = 30 * 86_400_000;

/**
 * The memories that may be evicted, those of the lowest value first. A pinned one never is. What has expired goes first; then the ephemeral
 * before the long-lived; then the older, in steps of 30 days since it was last said; then what no search ever showed; then the less
 * certain; then what was said longest ago; of two that are equal in all this, the one that was stored first.
 */
export function evictionOrder<M extends Evictable>(memories: readonly M[], now: number): M[] {
  return memories.filter(({ pinned }) => !pinned).toSorted((a, b) => compare(worthOf(a, now), worthOf(b, now)));
}

/** The lower, the earlier it goes; the first that differs decides. */
function worthOf({ id, type, confidence, lastSeenAt, recalledAt, expiresAt }: Evictable, now: number): number[] {
  const isExpired = expiresAt !== null && expiresAt <= now;
  return [
    isExpired ? 0 : 1,
    EPHEMERAL.includes(type) ? 0 : 1,
    -Math.trunc((now - lastSeenAt) / AGE_STEP_MS),
    recalledAt === null ? 0 : 1,
    confidence,
    lastSeenAt,
    id,
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((value, i) => value !== b[i]);
  return place < 0 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}
