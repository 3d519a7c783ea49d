import type { Context } from "hono";
import { OAUTH_PATHS, OAUTH_SCOPE, oauthAddresses } from "#core/oauth-addresses";
import { UNLIMITED } from "#core/strangers";
import { authenticate } from "#domain/tenants";
import type { Holder, OAuthServer } from "#ports/oauth-server";
import { isWithinAnonymousLimit, tooMany } from "#surfaces/rest/authenticate";
import type { RestEnv } from "#surfaces/rest/rest-env";
import { createRouter } from "#surfaces/rest/router";
import { consentPage, type KeyRefusal, leavePage, refusedPage } from "./pages.ts";

export const oauthRoutes = createRouter();

oauthRoutes.get(OAUTH_PATHS.resourceMetadata, (c) => {
  const { issuer, resource } = oauthAddresses(originOf(c));
  c.header("access-control-allow-origin", "*");
  return c.json({
    resource,
    authorization_servers: [issuer],
    scopes_supported: [OAUTH_SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: "Edgewise",
  });
});

oauthRoutes.get(OAUTH_PATHS.serverMetadata, async (c) => await oauthOf(c).answer(c.req.raw));

for (const path of [OAUTH_PATHS.token, OAUTH_PATHS.register]) {
  oauthRoutes.post(path, async (c) => {
    if (!(await isWithinAnonymousLimit(c))) throw tooMany(c.env.limiters.stranger);
    const answer = await oauthOf(c).answer(c.req.raw);
    // It may have ended a grant: by a revocation, or by a code that is used twice.
    c.var.opened.services.caches.grants.clear();
    return answer;
  });
}

oauthRoutes.get(OAUTH_PATHS.authorize, async (c) => {
  if (!(await isWithinAnonymousLimit(c))) return await tooManyPage(c);
  const asked = await oauthOf(c).ask(c.req.raw);
  if (asked.kind === "refused") return await refusedPage(c, asked.reason);
  if (asked.kind === "redirect") return c.redirect(asked.location);
  addCookies(c, asked.consent.headers);
  return await consentPage(c, asked.consent, null);
});

oauthRoutes.post(OAUTH_PATHS.authorize, async (c) => {
  // Guessing keys is limited before anything is read.
  if (!(await isWithinAnonymousLimit(c))) return await tooManyPage(c);
  const form = await c.req.parseBody();
  const returned = await oauthOf(c).takeBack(c.req.raw, textOf(form.handle));
  if (returned.kind === "refused") return await refusedPage(c, returned.reason);
  addCookies(c, returned.headers);
  if (form.decision !== "allow") return await leavePage(c, returned.deny());
  const holder = await holderOf(c, textOf(form.key).trim());
  if (typeof holder !== "string") return await leavePage(c, await returned.approve(holder));
  const again = await returned.askAgain();
  addCookies(c, again.headers);
  return await consentPage(c, again, holder);
});

/** The server for the request's origin, which is part of every identifier that it gives out. */
export function oauthOf(c: Context<RestEnv>): OAuthServer {
  return c.env.oauth(originOf(c));
}

export function originOf(c: Context<RestEnv>): string {
  return new URL(c.req.url).origin;
}

/** Whose key it is. A connected app acts for one person, so a key of everybody is refused. */
async function holderOf(c: Context<RestEnv>, credential: string): Promise<Holder | KeyRefusal> {
  const { services } = c.var.opened;
  const authentication = await authenticate(services, credential, UNLIMITED);
  if (!authentication.ok) {
    services.log("authentication.failed", { requestId: c.var.requestId, reason: authentication.reason });
    return "invalid";
  }
  const { actor } = authentication.credential;
  return actor.boundUser === null ? "server key" : { id: actor.id, credential };
}

/** A field of a form that may be missing, or a file. */
function textOf(field: unknown): string {
  return typeof field === "string" ? field : "";
}

function addCookies(c: Context<RestEnv>, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) c.header("set-cookie", cookie, { append: true });
}

async function tooManyPage(c: Context<RestEnv>): Promise<Response> {
  const { message, retryAfterSeconds } = tooMany(c.env.limiters.stranger);
  if (retryAfterSeconds !== undefined) c.header("retry-after", String(retryAfterSeconds));
  return await refusedPage(c, message, 429);
}
