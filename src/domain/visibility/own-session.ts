import type { UserRef } from "#domain/tenants";

const OWN_PREFIX = "proxy:";

/**
 * The session of a user's chats that name none: `proxy:alice`, or `proxy:alice/garden` in a project. (`proxy::key_…` is the session of a
 * key's chats from when a key could act for nobody in particular; an encoded name holds no colon, so that no user has such a session.)
 */
export function ownSession(named: { userId: string; projectId: string | undefined }): string {
  const project = named.projectId === undefined ? "" : `/${encodeURIComponent(named.projectId)}`;
  return `${OWN_PREFIX}${encodeURIComponent(named.userId)}${project}`;
}

/** Whether a session has the name of such a session of another user: nobody may make it for them, as they would then find it taken. */
export function isOwnSessionOfOther(asked: { externalId: string; user: UserRef }): boolean {
  if (!asked.externalId.startsWith(OWN_PREFIX)) return false;
  const [owner] = asked.externalId.slice(OWN_PREFIX.length).split("/");
  return "id" in asked.user || owner !== encodeURIComponent(asked.user.externalId);
}
