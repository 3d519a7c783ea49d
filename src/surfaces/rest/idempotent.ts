import type { MiddlewareHandler } from "hono";
import { invalid } from "#core/errors";
import { sha256 } from "#core/key";
import { refuseSecretName } from "#core/safety/name-secrets";
import { claimIdempotency, keepAnswer, releaseIdempotency } from "#domain/audit";
import type { RestEnv } from "./router.ts";

const MAX_KEY_LENGTH = 200;

/** Answers that may not be kept: a key is shown once, and what a search found must be decided anew each time. */
const NEVER_KEPT = new Set(["/v1/keys"]);
const CHANGES_NOTHING = new Set(["/v1/search", "/v1/context", "/v1/answer", "/v1/entities/search"]);
/** Its answer is a stream of any length, and what it stores has names of its own that make it once. */
const STREAMS = new Set(["/v1/chat/completions"]);

/** `Idempotency-Key` on a POST: the same request twice is carried out once and answered alike. */
export const idempotent: MiddlewareHandler<RestEnv> = async (c, next) => {
  const key = c.req.header("idempotency-key");
  if (key === undefined || c.req.method !== "POST" || CHANGES_NOTHING.has(c.req.path) || STREAMS.has(c.req.path))
    return await next();
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) throw invalid("Idempotency-Key", `1 to ${MAX_KEY_LENGTH} characters.`);
  // What is not ASCII does not come through as it was sent: two keys could be one.
  if (!/^[\x20-\x7e]*$/.test(key)) throw invalid("Idempotency-Key", "Visible ASCII characters and spaces only.");
  refuseSecretName("Idempotency-Key", key);
  const { ctx } = c.var;
  if (ctx.actor.kind !== "key") return await next();
  const request = { keyId: ctx.actor.keyId, key };
  const fingerprint = await sha256(`${c.req.method} ${c.req.path}${new URL(c.req.url).search}\n${await c.req.text()}`);
  const before = await claimIdempotency(ctx, { ...request, fingerprint });
  if (before !== "claimed") {
    c.header("idempotency-replayed", "true");
    c.header("content-type", "application/json");
    c.res = new Response(before.body === "" ? null : before.body, { status: before.status, headers: c.res.headers });
    return;
  }
  c.set("ctx", { ...ctx, idempotent: request });
  await next();
  if (c.res.ok && !NEVER_KEPT.has(c.req.path))
    await keepAnswer(ctx, request, { status: c.res.status, body: await c.res.clone().text() });
  else if (!c.res.ok) await releaseIdempotency(ctx, request);
};
