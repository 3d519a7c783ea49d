import type { Context, MiddlewareHandler } from "hono";
import type { Credential } from "#context";
import { AppError } from "#core/errors";
import { authenticate } from "#domain/tenants";
import type { Limiter, RestEnv } from "./rest-env.ts";

/** `retry-after` in seconds, if the configuration does not name the limiter's period. */
const DEFAULT_WAIT_SECONDS = 60;

/** Turns the credential into a caller; caller and services become `ctx`. */
export const requireKey: MiddlewareHandler<RestEnv> = async (c, next) => {
  const { services } = c.var.opened;
  const authentication = await authenticate(services, bearerOf(c), { isWithinLimit: () => isWithinAnonymousLimit(c) });
  if (!authentication.ok) {
    services.log("authentication.failed", { requestId: c.var.requestId, reason: authentication.reason });
    if (authentication.reason === "limited") throw tooMany(c.env.limiters.stranger);
    throw new AppError("unauthenticated", "Send a valid API key: Authorization: Bearer ew_…");
  }
  const { tenantId, actor } = authentication.credential;
  const { key } = c.env.limiters;
  const { success } = await key.limit({ key: limitKeyOf(tenantId, actor) });
  c.set("rateLimit", { name: "key", policy: key.policy, isExceeded: !success });
  if (!success) throw tooMany(key);
  c.set("ctx", { ...services, tenantId, actor, requestId: c.var.requestId, idempotent: null });
  await next();
};

/** A user's tokens are counted together, however often they are refreshed. */
function limitKeyOf(tenantId: number, actor: Credential["actor"]): string {
  return actor.kind === "key" ? actor.id : `${tenantId} ${actor.boundUser}`;
}

/** Whether an unauthenticated request may use the database, counted by address. */
export async function isWithinAnonymousLimit(c: Context<RestEnv>): Promise<boolean> {
  const { stranger } = c.env.limiters;
  const { success } = await stranger.limit({ key: c.req.header("cf-connecting-ip") ?? "unknown" });
  c.set("rateLimit", { name: "address", policy: stranger.policy, isExceeded: !success });
  return success;
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
