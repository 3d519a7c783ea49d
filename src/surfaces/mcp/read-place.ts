import type { Caller } from "#context";
import { boundUserOf, userNotNamed } from "#domain/tenants";
import { fromHeader } from "#surfaces/proxy/place";

/** For whom a call acts, and where its answer will be read, by the app's ids. */
export type McpPlace = {
  userId: string;
  sessionId: string | undefined;
  projectId: string | undefined;
  workspaceId: string | undefined;
};

const HEADERS = ["x-edgewise-user", "x-edgewise-session", "x-edgewise-project", "x-edgewise-workspace"] as const;

/**
 * The user and the place, from the same headers as the proxy's. Tools have no arguments for them: a model does not choose whose memory it
 * reads. Every verb refuses another user than the one to whom the caller is bound.
 * @throws invalid_input if a server key names no user, or a header is no id.
 */
export function readPlace(caller: Caller, request: Headers): McpPlace {
  const headers = Object.fromEntries(HEADERS.map((name) => [name, request.get(name) ?? undefined]));
  const named = fromHeader(headers, "x-edgewise-user");
  const userId = named ?? boundUserOf(caller);
  if (userId === null) throw userNotNamed("x-edgewise-user");
  return {
    userId,
    sessionId: fromHeader(headers, "x-edgewise-session"),
    projectId: fromHeader(headers, "x-edgewise-project"),
    workspaceId: fromHeader(headers, "x-edgewise-workspace"),
  };
}
