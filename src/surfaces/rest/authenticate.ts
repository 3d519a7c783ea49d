import type { Context, MiddlewareHandler } from "hono";
import { AppError } from "#core/errors";
import { allowsOrigin } from "#domain/settings";
import { authenticate } from "#domain/tenants";
import type { RestEnv } from "./router.ts";

/** The periods of the rate limits in wrangler.toml. */
const KEY_PERIOD_SECONDS = 10;
const STRANGER_PERIOD_SECONDS = 60;

/** The credential becomes a caller; caller and services become `ctx`. */
export const requireKey: MiddlewareHandler<RestEnv> = async (c, next) => {
  const { services } = c.var.opened;
  const authentication = await authenticate(services, bearerOf(c), { admit: () => admitStranger(c) });
  if (!authentication.ok) {
    services.log("authentication.failed", { requestId: c.var.requestId, reason: authentication.reason });
    if (authentication.reason === "limited") throw tooMany(STRANGER_PERIOD_SECONDS);
    throw new AppError("unauthenticated", "Send a valid API key: Authorization: Bearer ew_…");
  }
  const { tenantId, actor } = authentication.credential;
  const { success } = await c.env.limiters.key.limit({ key: actor.id });
  if (!success) throw tooMany(KEY_PERIOD_SECONDS);
  c.set("ctx", { ...services, tenantId, actor, requestId: c.var.requestId, idempotent: null });
  await next();
};

/** Whether whoever is not known yet may cost the database something, counted by address. */
async function admitStranger(c: Context<RestEnv>): Promise<boolean> {
  return (await c.env.limiters.stranger.limit({ key: c.req.header("cf-connecting-ip") ?? "unknown" })).success;
}

function bearerOf(c: Context): string | null {
  return /^Bearer\s+(\S+)\s*$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;
}

function tooMany(retryAfterSeconds: number): AppError {
  return new AppError("rate_limited", "Too many requests. Wait as long as retry-after says.", { retryAfterSeconds });
}

const ALLOWED_METHODS = "GET, POST, PUT, PATCH, DELETE";
const ALLOWED_HEADERS = "authorization, content-type, idempotency-key, if-match, x-edgewise-bookmark, x-request-id";
const EXPOSED_HEADERS = "etag, x-edgewise-bookmark, x-request-id, server-timing, retry-after, idempotency-replayed";
const PREFLIGHT_SECONDS = "600";

/**
 * Answers preflights, and refuses API keys from foreign browser origins: a key in a page is a key in the hands of whoever
 * opens it. Only origins that a tenant allows may read even that answer.
 */
export const guardOrigin: MiddlewareHandler<RestEnv> = async (c, next) => {
  const origin = c.req.header("origin");
  if (origin === undefined || origin === new URL(c.req.url).origin) return await next();
  // An origin may be anything, and each new one costs a look-up.
  if (!(await admitStranger(c))) throw tooMany(STRANGER_PERIOD_SECONDS);
  const allowed = await allowsOrigin(c.var.opened.services, { origin, tenantId: null });
  if (allowed) {
    c.header("access-control-allow-origin", origin);
    c.header("access-control-expose-headers", EXPOSED_HEADERS);
    c.header("vary", "origin");
  }
  if (c.req.method === "OPTIONS") {
    if (!allowed)
      throw new AppError("forbidden", "No tenant allows this origin. Add it to allowedOrigins with PATCH /v1/settings.");
    c.header("access-control-allow-methods", ALLOWED_METHODS);
    c.header("access-control-allow-headers", ALLOWED_HEADERS);
    c.header("access-control-max-age", PREFLIGHT_SECONDS);
    return c.body(null, 204);
  }
  if (bearerOf(c) !== null) {
    throw new AppError(
      "forbidden",
      "An API key may not be used in a browser page. Call Edgewise from your server, and let the page call your server.",
    );
  }
  return await next();
};
