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

/** A memory is older than another if it was last repeated this much earlier; within one step, use and confidence decide. */
export const AGE_STEP_MS = 30 * 86_400_000;

/**
 * The memories that may be evicted, the least valuable first; pinned ones never are. The order: expired ones; ephemeral before long-lived;
 * older ones, in steps of 30 days since they were last repeated; those that no search ever returned; those of less confidence; those that
 * were last repeated longest ago; those that were stored first.
 */
export function evictionOrder<M extends Evictable>(memories: readonly M[], now: number): M[] {
  return memories.filter(({ pinned }) => !pinned).toSorted((a, b) => compare(evictionKeys(a, now), evictionKeys(b, now)));
}

/** Values that are compared in order, the lower first; the first difference decides. */
function evictionKeys({ id, type, confidence, lastSeenAt, recalledAt, expiresAt }: Evictable, now: number): number[] {
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
