import type { NamedUser } from "#domain/tenants";

const PREFIX = "proxy:";

/**
 * The session of a user's chats that name none: `proxy:alice`, or `proxy:alice/garden` in a project. (`proxy::key_…` is the session of a
 * key's chats from when a key could act for nobody in particular; an encoded name holds no colon, so that no user has such a session.)
 */
export function ownSession(named: { userId: string; projectId: string | undefined }): string {
  const project = named.projectId === undefined ? "" : `/${encodeURIComponent(named.projectId)}`;
  return `${PREFIX}${encodeURIComponent(named.userId)}${project}`;
}

/** Whether a session has the name of such a session, and not of this user's: nobody makes it for others, who would find theirs taken. */
export function isOwnSessionOfOther(asked: { externalId: string; user: NamedUser }): boolean {
  if (!asked.externalId.startsWith(PREFIX)) return false;
  const [owner] = asked.externalId.slice(PREFIX.length).split("/");
  return owner !== encodeURIComponent(asked.user.externalId);
}
