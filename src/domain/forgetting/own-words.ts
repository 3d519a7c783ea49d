import { authorOf, type EpisodeWords } from "#domain/sessions";

/** The user who forgets, by internal id, with the names that are theirs in labels. */
export type Owner = { userId: number; spaceId: number; personId: number; names: readonly string[] };

/**
 * Whether a user may redact a message: every message of their own private session, which nobody else speaks in; in a group, what they said
 * themselves while they take part.
 */
export function isOwnMessage(episode: EpisodeWords, message: number, { userId, names }: Owner): boolean {
  if (!episode.mayEnter) return false;
  if (episode.kind === "private") return episode.ownerId === userId;
  const said = episode.messages[message];
  return (
    said !== undefined && authorOf(said, { userId: episode.sentBy, names: episode.sentBy === userId ? names : [] }) === userId
  );
}
