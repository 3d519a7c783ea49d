import type { Context, MiddlewareHandler } from "hono";
import { AppError } from "#core/errors";
import { sha256 } from "#core/ids";
import { OAUTH_SCOPE, oauthAddresses } from "#core/oauth-addresses";
import { UNLIMITED } from "#core/strangers";
import { authenticate } from "#domain/tenants";
import { bearerOf, strangerLimitOf, tooMany } from "#surfaces/rest/authenticate";
import type { RestEnv } from "#surfaces/rest/rest-env";
import { oauthOf, originOf } from "./routes.ts";

/**
 * Turns an access token into the credential behind it, which is then checked like any other on this and every request: when it is revoked,
 * the access ends. Known tokens are cached for seconds; one that is not valid counts against the limit of strangers. A valid one does not:
 * the apps of all users of one vendor may call from a few addresses.
 */
export const requireGrant: MiddlewareHandler<RestEnv> = async (c, next) => {
  const { services } = c.var.opened;
  const token = bearerOf(c);
  if (token === null) throw unauthenticated("Connect over OAuth: the header www-authenticate names the metadata.");
  // A token is for one address, and a service may have several.
  const name = await sha256(`${originOf(c)} ${token}`);
  const cached = services.caches.grants.get(name, services.now());
  const credential = cached ?? (await credentialBehind(c, token));
  if (credential === null) throw unauthenticated("The access token is unknown or has expired. Refresh it, or connect again.");
  if (cached === undefined) services.caches.grants.set(name, credential, services.now());
  const { ok } = await authenticate(services, credential, UNLIMITED);
  if (!ok)
    throw unauthenticated("The key that was entered for this access was revoked or has expired. Connect again with another one.");
  c.set("credential", credential);
  await next();
};

/** @throws rate_limited for too many tokens that are not valid. */
async function credentialBehind(c: Context<RestEnv>, token: string): Promise<string | null> {
  const { services } = c.var.opened;
  const found = await services.caches.strangers.meet(strangerLimitOf(c), {
    now: services.now(),
    verify: async () => ({ credential: await oauthOf(c).credentialOf(token) }),
    isStranger: ({ credential }) => credential === null,
  });
  if (found === "limited") throw tooMany(c.env.limiters.stranger);
  return found.credential;
}

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
