import type { Context } from "hono";
import { html } from "hono/html";
import { OAUTH_PATHS } from "#core/oauth-addresses";
import type { Consent, OAuthClient } from "#ports/oauth-server";
import type { RestEnv } from "#surfaces/rest/rest-env";
import { STYLE } from "./style.ts";

type Html = ReturnType<typeof html>;
type PageStatus = 200 | 400 | 422 | 429;

const MAX_NAME_CHARACTERS = 60;

/** Why the entered key was not taken. */
export type KeyRefusal = "invalid" | "server key";

/** Asks for a key. Every string of the client is a stranger's; `html` escapes them. */
export function consentPage(c: Context<RestEnv>, { client, handle }: Consent, refusal: KeyRefusal | null): Promise<Response> {
  const described = refusal === null ? "key-hint" : "key-error key-hint";
  const body = html`<h1>Let <bdi>${shortened(client.name)}</bdi> use your memory?</h1>
    ${clientFacts(client)}
    <p>
      It will be able to read, add, change and delete what Edgewise remembers for you, as far as the key that you enter
      permits. Revoking that key ends the access.
    </p>
    <form method="post" action="${OAUTH_PATHS.authorize}">
      <input type="hidden" name="handle" value="${handle}" />
      ${refusal === null ? "" : refusalNotice(refusal)}
      <label for="key">Your personal key</label>
      <input id="key" name="key" type="password" required autocomplete="off" autocapitalize="off" spellcheck="false"
        aria-describedby="${described}" ${refusal === null ? "" : html`aria-invalid="true"`} />
      <p id="key-hint" class="hint">It begins with <code>ew_</code>. A user token works too, until it expires. The app does not get the key itself.</p>
      <div class="actions">
        <button name="decision" value="allow">Allow</button>
        <button name="decision" value="deny" formnovalidate class="quiet">Do not allow</button>
      </div>
    </form>`;
  return page(c, { title: "Allow access", body, status: refusal === null ? 200 : 422 });
}

/** A long name would move what is known of the app out of sight. */
function shortened(name: string): string {
  const line = name.replaceAll(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= MAX_NAME_CHARACTERS ? line : `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join("")}…`;
}

function clientFacts({ domain, redirectHost, isLocal }: OAuthClient): Html {
  const publisher =
    domain === null
      ? html`Unknown. The app chose its name itself, and nobody has verified it.`
      : html`<strong><bdi>${domain}</bdi></strong>`;
  return html`<dl>
      <dt>Published by</dt>
      <dd>${publisher}</dd>
      <dt>Access is sent to</dt>
      <dd><strong><bdi>${redirectHost}</bdi></strong></dd>
    </dl>
    ${isLocal ? html`<p class="notice">This is a program on your own computer. Go on only if you have just started to connect it there.</p>` : ""}`;
}

function refusalNotice(refusal: KeyRefusal): Html {
  if (refusal === "invalid")
    return html`<p id="key-error" class="notice error" role="alert">This key is not valid. It may be mistyped, expired or revoked.</p>`;
  return html`<div id="key-error" class="notice error" role="alert">
    <p>
      This is a server key: it acts for every user, so the app would reach everybody’s memory. Enter a personal key, which
      belongs to one user. Whoever runs this service makes one with an admin key:
    </p>
    <pre tabindex="0"><code>POST /v1/keys
{ "name": "Alice’s assistant", "userId": "alice",
  "permissions": ["read", "write"] }</code></pre>
  </div>`;
}

/** For a request that leads nowhere: its client or its form cannot be trusted. */
export function refusedPage(c: Context<RestEnv>, reason: string, status: PageStatus = 400): Promise<Response> {
  const body = html`<h1>This request cannot be allowed</h1>
    <p class="notice error">${reason}</p>
    <p>Nothing was shared. Start again from the app that sent you here.</p>`;
  return page(c, { title: "Not allowed", body, status });
}

/**
 * Sends the browser on by a page instead of a redirect: the content security policy lets the form be sent to this service only, and
 * browsers apply that to every redirect that follows the form.
 */
export function leavePage(c: Context<RestEnv>, location: string): Promise<Response> {
  const head = html`<meta http-equiv="refresh" content="0; url=${location}" />`;
  const body = html`<h1>Back to the app</h1>
    <p><a href="${location}" rel="noreferrer">Go on, if your browser does not do so by itself</a></p>`;
  return page(c, { title: "Back to the app", head, body, status: 200 });
}

type Page = { title: string; head?: Html; body: Html; status: PageStatus };

async function page(c: Context<RestEnv>, { title, head, body, status }: Page): Promise<Response> {
  const nonce = crypto.randomUUID();
  c.header(
    "content-security-policy",
    `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  c.header("x-frame-options", "DENY");
  c.header("x-content-type-options", "nosniff");
  c.header("referrer-policy", "same-origin");
  c.header("cache-control", "no-store");
  const text = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Edgewise</title>
        <style nonce="${nonce}">${STYLE}</style>
        ${head ?? ""}
      </head>
      <body><main>${body}</main></body>
    </html>`;
  return await c.html(text, status);
}
