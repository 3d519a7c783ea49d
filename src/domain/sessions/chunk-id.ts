/** Chunks that one session can hold. 2^31 sessions times 2^22 chunks just fit the integers that JSON carries exactly. */
export const CHUNKS_PER_SESSION = 2 ** 22;

/** The session that a chunk or an episode belongs to, read from its id. */
export function sessionOf(chunkId: number): number {
  return Math.floor(chunkId / CHUNKS_PER_SESSION);
}

/** The id of a session's first possible chunk; the session's ids end before the next session's first. */
export function firstChunkOf(sessionId: number): number {
  return sessionId * CHUNKS_PER_SESSION;
}
