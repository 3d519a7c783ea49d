import type { Context, MiddlewareHandler } from "hono";
import { AppError } from "#core/errors";
import { authenticate } from "#domain/tenants";
import type { RestEnv } from "./router.ts";

/** The periods of the rate limits in wrangler.toml. */
const KEY_PERIOD_SECONDS = 10;
const STRANGER_PERIOD_SECONDS = 60;

/** The credential becomes a caller; caller and services become `ctx`. */
export const requireKey: MiddlewareHandler<RestEnv> = async (c, next) => {
  const { services } = c.var.opened;
  const authentication = await authenticate(services, bearerOf(c), { isWithinLimit: () => isWithinAnonymousLimit(c) });
  if (!authentication.ok) {
    services.log("authentication.failed", { requestId: c.var.requestId, reason: authentication.reason });
    if (authentication.reason === "limited") throw tooManyStrangers();
    throw new AppError("unauthenticated", "Send a valid API key: Authorization: Bearer ew_…");
  }
  const { tenantId, actor } = authentication.credential;
  const { success } = await c.env.limiters.key.limit({ key: actor.id });
  if (!success) throw tooMany(KEY_PERIOD_SECONDS);
  c.set("ctx", { ...services, tenantId, actor, requestId: c.var.requestId, idempotent: null });
  await next();
};

/** Whether whoever is not known yet may cost the database something, counted by address. */
export async function isWithinAnonymousLimit(c: Context<RestEnv>): Promise<boolean> {
  return (await c.env.limiters.stranger.limit({ key: c.req.header("cf-connecting-ip") ?? "unknown" })).success;
}

export function bearerOf(c: Context): string | null {
  return /^Bearer\s+(\S+)\s*$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;
}

export function tooManyStrangers(): AppError {
  return tooMany(STRANGER_PERIOD_SECONDS);
}

function tooMany(retryAfterSeconds: number): AppError {
  return new AppError("rate_limited", "Too many requests. Wait as long as retry-after says.", { retryAfterSeconds });
}
