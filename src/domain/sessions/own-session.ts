import type { Caller } from "#context";
import type { UserRef } from "#domain/tenants";

const PREFIX = "proxy:";

/**
 * The session of a user's chats that name none: `proxy:alice`, or `proxy:alice/garden` in a project. A key's default user has no name, so the
 * key's stands for it, behind a colon, which no encoded name holds.
 */
export function ownSession(caller: Caller, named: { userId: string | undefined; projectId: string | undefined }): string {
  const project = named.projectId === undefined ? "" : `/${encodeURIComponent(named.projectId)}`;
  return `${PREFIX}${nameOf(caller, named.userId)}${project}`;
}

function nameOf({ actor }: Caller, userId: string | undefined): string {
  return userId === undefined ? `:${actor.id}` : encodeURIComponent(userId);
}

/** Whether a session has the name of such a session, and not of this user's: nobody makes it for others, who would find theirs taken. */
export function isOwnSessionOfOther(caller: Caller, asked: { externalId: string; user: UserRef }): boolean {
  if (!asked.externalId.startsWith(PREFIX)) return false;
  const [owner] = asked.externalId.slice(PREFIX.length).split("/");
  return owner !== nameOf(caller, "externalId" in asked.user ? asked.user.externalId : undefined);
}
