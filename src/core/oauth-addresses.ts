/** The paths of OAuth. Everything is below /oauth, so that a client of /mcp finds no metadata that would make it start OAuth. */
export const OAUTH_PATHS = {
  resource: "/oauth/mcp",
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  /** RFC 9728, section 3.1: the path of the resource is behind the well-known prefix. */
  resourceMetadata: "/.well-known/oauth-protected-resource/oauth/mcp",
  /** RFC 8414, section 3.1, for an issuer with the path /oauth. */
  serverMetadata: "/.well-known/oauth-authorization-server/oauth",
} as const;

/** What a token permits is decided by the key behind it, so there is one scope. */
export const OAUTH_SCOPE = "memory";

export type OAuthAddresses = { issuer: string; resource: string; resourceMetadata: string };

/** The identifiers of a service at this origin. Clients compare them byte by byte with what they were given. */
export function oauthAddresses(origin: string): OAuthAddresses {
  return {
    issuer: `${origin}/oauth`,
    resource: origin + OAUTH_PATHS.resource,
    resourceMetadata: origin + OAUTH_PATHS.resourceMetadata,
  };
}
