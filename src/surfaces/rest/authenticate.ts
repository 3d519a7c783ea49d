import type { Context, MiddlewareHandler } from "hono";
import type { Credential } from "#context";
import { AppError } from "#core/errors";
import { networkOf } from "#core/network-of";
import { requirePermission } from "#core/permission";
import type { StrangerLimit } from "#core/strangers";
import { type Authentication, authenticate } from "#domain/tenants";
import type { Limiter, RestEnv } from "./rest-env.ts";

/** `retry-after` in seconds, if the configuration does not name the limiter's period. */
const DEFAULT_WAIT_SECONDS = 60;

const CREDENTIALS =
  "Send a valid API key or user token in a header: Authorization: Bearer …. Of a service on your own machine, `npm run --silent dev:key` prints a key.";

/** Turns the key or the user token into a caller; caller and services become `ctx`. */
export const requireCaller: MiddlewareHandler<RestEnv> = async (c, next) => {
  const { services } = c.var.opened;
  const authentication = await authenticate(services, c.var.credential ?? bearerOf(c), strangerLimitOf(c));
  if (!authentication.ok) {
    services.log("authentication.failed", { requestId: c.var.requestId, reason: authentication.reason });
    if (authentication.reason === "limited") throw tooMany(c.env.limiters.stranger);
    throw refusalOf(authentication);
  }
  const { tenantId, actor } = authentication.credential;
  const { key } = c.env.limiters;
  const { success } = await key.limit({ key: limitKeyOf(tenantId, actor) });
  c.set("rateLimit", { name: actor.kind === "key" ? "key" : "user", policy: key.policy, isExceeded: !success });
  if (!success) throw tooMany(key);
  c.set("ctx", { ...services, tenantId, actor, requestId: c.var.requestId, idempotent: null });
  await next();
};

/** The same answer for every reason, except for a token that was valid: then its page knows that it needs another one. */
function refusalOf({ reason, isToken }: Extract<Authentication, { ok: false }>): AppError {
  if (isToken && reason === "expired")
    return new AppError("unauthenticated", "The token has expired. Get another one from the server that made it.", {
      reason: "token_expired",
    });
  if (isToken && reason === "revoked")
    return new AppError("unauthenticated", "The token was revoked. Get another one from the server that made it.", {
      reason: "token_revoked",
    });
  if (isToken && reason === "long")
    return new AppError(
      "unauthenticated",
      "The token is for more than 24 hours, from `iat` to `exp`. Have the identity provider issue tokens for 24 hours at most.",
    );
  return new AppError("unauthenticated", CREDENTIALS);
}

/**
 * What a token may not do whatever it is about is decided by the route alone, before anything is read. A route that declares no traits is
 * closed to tokens that are for some sessions only.
 */
export const guardTokenRoute: MiddlewareHandler<RestEnv> = async (c, next) => {
  const { actor } = c.var.ctx;
  const { traits } = c.var.route;
  if (actor.kind !== "token") return await next();
  if (traits === null && actor.sessions !== null)
    throw new AppError(
      "forbidden",
      "This token is for some sessions only, which this address does not know. Use a token without `sessions`.",
    );
  if (traits?.keysOnly)
    throw new AppError("forbidden", "This needs an API key; a user token may not do it. Call it from your server.");
  if (traits?.changes) requirePermission(actor, "write");
  return await next();
};

/** A user's tokens are counted together, however often they are refreshed. */
function limitKeyOf(tenantId: number, actor: Credential["actor"]): string {
  return actor.kind === "key" ? actor.id : `${tenantId} ${actor.boundUser}`;
}

/** Whether an unauthenticated request may use the database, counted by address. */
export async function isWithinAnonymousLimit(c: Context<RestEnv>): Promise<boolean> {
  const { stranger } = c.env.limiters;
  const { success } = await stranger.limit({ key: addressOf(c) });
  c.set("rateLimit", { name: "address", policy: stranger.policy, isExceeded: !success });
  return success;
}

export function strangerLimitOf(c: Context<RestEnv>): StrangerLimit {
  return { address: addressOf(c), isWithinLimit: () => isWithinAnonymousLimit(c) };
}

/** Of IPv6 the network: whoever has one address of a /64 has them all. */
function addressOf(c: Context<RestEnv>): string {
  return networkOf(c.req.header("cf-connecting-ip") ?? "unknown");
}

export function bearerOf(c: Context): string | null {
  return /^Bearer\s+(\S+)\s*$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;
}

export function tooMany({ policy }: Limiter): AppError {
  const retryAfterSeconds = policy?.windowSeconds ?? DEFAULT_WAIT_SECONDS;
  return new AppError("rate_limited", `Too many requests. Send it again after ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-11: `ratelimit-policy: "key";q=5000;w=10` on every answer that was counted, and on a
 * `rate_limited` one `ratelimit: "key";r=0;t=10`. The remaining number is not sent otherwise, because the platform's counter does not
 * expose it.
 */
export function sendRateLimits(c: Context<RestEnv>): void {
  const applied = c.var.rateLimit;
  if (applied?.policy === undefined) return;
  const { name, policy, isExceeded } = applied;
  c.header("ratelimit-policy", `"${name}";q=${policy.quota};w=${policy.windowSeconds}`);
  if (isExceeded) c.header("ratelimit", `"${name}";r=0;t=${policy.windowSeconds}`);
}
