import type { MiddlewareHandler } from "hono";
import { AppError } from "#core/errors";
import { sha256 } from "#core/ids";
import { OAUTH_SCOPE, oauthAddresses } from "#core/oauth-addresses";
import { authenticate } from "#domain/tenants";
import { bearerOf, isWithinAnonymousLimit, tooMany } from "#surfaces/rest/authenticate";
import type { RestEnv } from "#surfaces/rest/rest-env";
import { oauthOf, originOf } from "./routes.ts";

/**
 * Turns an access token into the credential behind it, which is then checked like any other on this and every request: when it is revoked,
 * the access ends. Known tokens are cached for seconds; an unknown one counts against the limit of strangers.
 */
export const requireGrant: MiddlewareHandler<RestEnv> = async (c, next) => {
  const { services } = c.var.opened;
  const token = bearerOf(c);
  if (token === null) throw unauthenticated("Connect over OAuth: the header www-authenticate names the metadata.");
  // A token is for one address, and a service may have several.
  const name = await sha256(`${originOf(c)} ${token}`);
  const cached = services.caches.grants.get(name, services.now());
  if (cached === undefined && !(await isWithinAnonymousLimit(c))) throw tooMany(c.env.limiters.stranger);
  const credential = cached ?? (await oauthOf(c).credentialOf(token));
  if (credential === null) throw unauthenticated("The access token is unknown or has expired. Refresh it, or connect again.");
  if (cached === undefined) services.caches.grants.set(name, credential, services.now());
  const { ok } = await authenticate(services, credential, { isWithinLimit: async () => true });
  if (!ok)
    throw unauthenticated("The key that was entered for this access was revoked or has expired. Connect again with another one.");
  c.set("credential", credential);
  await next();
};

/** Tells a client where the metadata is (RFC 9728, section 5.1), whoever refused the request. */
export const challenge: MiddlewareHandler<RestEnv> = async (c, next) => {
  await next();
  if (c.res.status !== 401) return;
  const error = bearerOf(c) === null ? "" : `error="invalid_token", `;
  const { resourceMetadata } = oauthAddresses(originOf(c));
  c.header("www-authenticate", `Bearer ${error}resource_metadata="${resourceMetadata}", scope="${OAUTH_SCOPE}"`);
};

function unauthenticated(message: string): AppError {
  return new AppError("unauthenticated", message);
}
