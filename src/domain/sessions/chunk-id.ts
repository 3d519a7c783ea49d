import { CHUNKS_PER_SESSION } from "#db/schema/sessions";

export { CHUNKS_PER_SESSION } from "#db/schema/sessions";

/** The session that a chunk or an episode belongs to, read from its id. */
export function sessionOf(chunkId: number): number {
  return Math.floor(chunkId / CHUNKS_PER_SESSION);
}

/** The id of a session's first possible chunk; the session's ids end before the next session's first. */
export function firstChunkOf(sessionId: number): number {
  return sessionId * CHUNKS_PER_SESSION;
}
