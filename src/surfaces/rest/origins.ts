import type { Context, MiddlewareHandler } from "hono";
import { AppError } from "#core/errors";
import { looksLikeKey } from "#core/ids";
import { allowsOrigin } from "#domain/settings";
import { bearerOf, isWithinAnonymousLimit, tooMany } from "./authenticate.ts";
import type { RestEnv } from "./rest-env.ts";

const ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const ALLOWED_HEADERS: readonly string[] = [
  "authorization",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "x-edgewise-bookmark",
  "x-edgewise-memory",
  "x-edgewise-placement",
  "x-edgewise-project",
  "x-edgewise-session",
  "x-edgewise-user",
  "x-edgewise-workspace",
  "x-request-id",
];
const EXPOSED_HEADERS =
  "etag, idempotency-replayed, ratelimit, ratelimit-policy, retry-after, server-timing, x-edgewise-bookmark, x-edgewise-forgot, x-edgewise-memory, x-request-id";
/** The most that Chrome keeps one. */
const PREFLIGHT_SECONDS = "7200";
/** Limits of the headers that a preflight asks for. An SDK sends about a dozen of its own. */
const MAX_ASKED_HEADERS = 50;

/**
 * Answers every OPTIONS request. A preflight carries no credential, so the origin is checked on the real request (`guardOrigin`). A page
 * may read every refusal, because refusals contain no content and, for a page of another origin, nothing that depends on a key.
 */
export const answerBrowsers: MiddlewareHandler<RestEnv> = async (c, next) => {
  const origin = c.req.header("origin");
  if (c.req.method === "OPTIONS") return answerOptions(c, origin);
  await next();
  if (origin !== undefined && (c.res.status >= 400 || c.var.isOriginAllowed === true)) allowOrigin(c, origin);
  return undefined;
};

function answerOptions(c: Context<RestEnv>, origin: string | undefined): Response {
  if (origin === undefined) c.header("allow", c.var.route.allow || "OPTIONS");
  else {
    allowOrigin(c, origin);
    c.header("vary", "origin, access-control-request-headers");
    c.header("access-control-allow-methods", ALLOWED_METHODS);
    c.header("access-control-allow-headers", headersFor(c.req.header("access-control-request-headers") ?? ""));
    c.header("access-control-max-age", PREFLIGHT_SECONDS);
  }
  return c.body(null, 204);
}

/**
 * Our headers, and those that the page wants to send: an SDK's own headers do no harm, and without them the page could not read the
 * refusal.
 */
function headersFor(asked: string): string {
  const names = asked
    .toLowerCase()
    .split(",", MAX_ASKED_HEADERS)
    .map((name) => name.trim())
    .filter((name) => /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name));
  return [...new Set([...ALLOWED_HEADERS, ...names])].join(", ");
}

function allowOrigin(c: Context<RestEnv>, origin: string): void {
  c.header("access-control-allow-origin", origin);
  c.header("access-control-expose-headers", EXPOSED_HEADERS);
  c.header("vary", "origin");
}

/**
 * Refuses API keys from foreign browser origins: everybody who opens the page could read the key. Whether a user token may come from the
 * page is decided when its tenant is known (`guardTokenOrigin`). Routes without a credential can be read by pages of origins that a tenant
 * allows.
 */
export const guardOrigin: MiddlewareHandler<RestEnv> = async (c, next) => {
  const origin = foreignOrigin(c);
  const bearer = bearerOf(c);
  if (origin === null) return await next();
  if (bearer !== null && looksLikeKey(bearer)) {
    throw new AppError(
      "forbidden",
      "An API key may not be used in a browser page. Call Edgewise from your server, or give the page a user token: POST /v1/tokens, from your server.",
    );
  }
  // A token, or something that is none, which `requireCaller` refuses.
  if (bearer !== null) return await next();
  // Origins are arbitrary, and each new one costs a lookup.
  if (!(await isWithinAnonymousLimit(c))) throw tooMany(c.env.limiters.stranger);
  c.header("vary", "origin");
  c.set("isOriginAllowed", await allowsOrigin(c.var.opened.services, { origin, tenantId: null }));
  return await next();
};

/** Lets a user token come from pages of the origins that its tenant allows, and lets these read every answer. */
export const guardTokenOrigin: MiddlewareHandler<RestEnv> = async (c, next) => {
  const origin = foreignOrigin(c);
  if (origin === null) return await next();
  const { ctx } = c.var;
  if (!(await allowsOrigin(ctx, { origin, tenantId: ctx.tenantId })))
    throw new AppError(
      "forbidden",
      `User tokens are not accepted from pages of ${origin}. Add it to the tenant's allowedOrigins: PATCH /v1/settings, with an admin key.`,
    );
  c.set("isOriginAllowed", true);
  return await next();
};

/** The origin of the page that sends the request; null for none, and for the service's own. */
function foreignOrigin(c: Context<RestEnv>): string | null {
  const origin = c.req.header("origin");
  return origin === undefined || origin === new URL(c.req.url).origin ? null : origin;
}
