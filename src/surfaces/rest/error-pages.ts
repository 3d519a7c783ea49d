import { html, raw } from "hono/html";
import type { ErrorCode } from "#core/errors";

type Advice = { when: string; todo: string };

/** The meaning of each error code and what to do, for the page that `type` names. */
const ADVICE: Record<ErrorCode, Advice> = {
  invalid_input: {
    when: "The request does not have the form that /openapi.json describes.",
    todo: "Read `detail`, and `fields` for every failing field. The same request fails again.",
  },
  unauthenticated: {
    when: "The request has no key, or one that is unknown, expired or revoked.",
    todo: "Send the header `Authorization: Bearer ew_…` with a key that is in force.",
  },
  forbidden: {
    when: "The key lacks the permission that is named, or is bound to another user, or was sent by a browser page.",
    todo: "Use a key with that permission. Call Edgewise from a server, never from a page.",
  },
  not_found: {
    when: "It does not exist, or the user may not see it: both have the same answer. Or the address is none of the service's.",
    todo: "Check the id, the user and the session or project that the request names. Of a wrong address `detail` says the right one.",
  },
  method_not_allowed: {
    when: "The path exists and does not take this method.",
    todo: "Use one of the methods in the header `allow`.",
  },
  conflict: {
    when: "The request conflicts with what is stored.",
    todo: "With `retry-after`, send the same request after that many seconds. Without it, read `detail` and decide.",
  },
  precondition_failed: {
    when: "Since it was read it has got another version than `if-match` names.",
    todo: "Read it again, and send the change with the new `etag`.",
  },
  payload_too_large: {
    when: "The body, or an episode of it, is larger than the limit in `detail`.",
    todo: "Send it in parts.",
  },
  unprocessable: {
    when: "The request has the right form and breaks a rule that no schema can express: a secret, a cursor of another list, a span that ends before it begins.",
    todo: "Read `detail` and `fields`. The same request fails again.",
  },
  rate_limited: {
    when: "There were too many requests. `ratelimit-policy` says how many there may be.",
    todo: "Send the same request after `retry-after` seconds.",
  },
  upstream_failed: {
    when: "A server that the service depends on did not answer, or not as it should.",
    todo: "Send the same request later, after `retry-after` seconds where that is there.",
  },
  misconfigured: {
    when: "The service's configuration is not usable.",
    todo: "Its operator finds the reason in the log, under the `requestId`.",
  },
  internal: {
    when: "The service failed.",
    todo: "Its operator finds the reason in the log, under the `requestId`. Sending the same request again may work.",
  },
};

/** The address of the page about a code, relative to the service. */
export function pageOf(code: ErrorCode): string {
  return `/docs/errors#${code}`;
}

/** The page at /docs/errors, without scripts or external resources. */
export function errorPage({
  status,
  title,
}: {
  status: Readonly<Record<string, number>>;
  title: Readonly<Record<string, string>>;
}) {
  const sections = Object.entries(ADVICE).map(
    ([code, { when, todo }]) => html`<section id="${code}">
      <h2><code>${code}</code> · ${status[code]}</h2>
      <p><strong>${title[code]}.</strong> ${marked(when)}</p>
      <p>${marked(todo)}</p>
    </section>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Edgewise: errors</title>
        <style>
          body { font: 16px/1.5 system-ui, sans-serif; max-width: 45em; margin: 2em auto; padding: 0 1em; }
          :target { outline: 2px solid; outline-offset: 0.5em; }
        </style>
      </head>
      <body>
        <h1>Errors</h1>
        <p>
          An error is <code>application/problem+json</code> (RFC 9457). <code>code</code> is stable: let programs read it.
          <code>detail</code> says what is wrong and what to do, and <code>fields</code> names each failing field.
        </p>
        ${sections}
        <p><a href="/docs">All routes</a></p>
      </body>
    </html>`;
}

/** Text of ours, with `code` between backticks. */
function marked(text: string) {
  return raw(text.replace(/`([^`]+)`/g, "<code>$1</code>"));
}
