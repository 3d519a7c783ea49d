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

/** The id of a chunk in the vector index; memories and documents will have prefixes of their own. */
export function vectorIdOf(chunkId: number): string {
  return `epi:${chunkId}`;
}

/** The chunk that a vector id names, or null if it names something else. */
export function chunkOf(vectorId: string): number | null {
  const match = /^epi:(\d{1,16})$/.exec(vectorId);
  return match?.[1] === undefined ? null : Number(match[1]);
}
