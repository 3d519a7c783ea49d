import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { invalid } from "#core/errors";
import { sha256 } from "#core/ids";
import { isRecord } from "#core/is-record";
import { mayRead } from "#core/permission";
import { refuseSecretName } from "#core/safety/name-secrets";
import { answerNotKept, claimIdempotency, keepAnswer, releaseIdempotency } from "#domain/audit";
import type { RestEnv } from "./rest-env.ts";

const MAX_KEY_LENGTH = 200;
const NO_CONTENT = 204;

/**
 * The stored part of an answer, for repeats: ids, versions, outcomes and counts, never what anybody said, because by then it may be
 * forgotten or no longer visible to the caller. `nothing`: the answer is shown once, and a repeat is refused.
 */
export type Kept = z.ZodType<Record<string, unknown>> | "nothing";

/** For a route that answers 204: its answer is stored as an object without members. */
export const EMPTY = z.object({});

/** How a POST that changes something handles a repeat. `unsupported`: it is carried out again, because another server answers it. */
export type Replay = Kept | "unsupported";

/** The header of every POST that changes something, unless its trait `replay` is `unsupported`. */
export const idempotencyKey = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x20-\x7e]*$/)
    .optional()
    .describe(
      "The same request with it is carried out once. A repeat is answered with the status, the ids, the versions and the outcomes of the first answer, without content",
    ),
});

/** With an `Idempotency-Key`, the same request is carried out once. A repeat gets the status of the first answer and its stored part. */
export function replayed(kept: Kept): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    const key = c.req.header("idempotency-key");
    const { ctx } = c.var;
    const { actor } = ctx;
    if (key === undefined || (actor.kind !== "key" && actor.kind !== "token")) return await next();
    if (key.length === 0 || key.length > MAX_KEY_LENGTH) throw invalid("Idempotency-Key", `1 to ${MAX_KEY_LENGTH} characters.`);
    // Other characters may be changed on the way: two keys could become one.
    if (!/^[\x20-\x7e]*$/.test(key)) throw invalid("Idempotency-Key", "Visible ASCII characters and spaces only.");
    refuseSecretName("Idempotency-Key", key);
    const request =
      actor.kind === "key" ? { keyId: actor.keyId, key } : { keyId: 0, key: `${await sha256(actor.boundUser)} ${key}` };
    const fingerprint = await sha256(`${c.req.method} ${c.req.path}${new URL(c.req.url).search}\n${await c.req.text()}`);
    const before = await claimIdempotency(ctx, { ...request, fingerprint });
    if (before !== "claimed") {
      const body = keptOf(kept, before.body);
      if (body === null) throw answerNotKept();
      c.header("idempotency-replayed", "true");
      c.header("content-type", RECEIPT);
      const json = before.status === NO_CONTENT ? null : JSON.stringify(body);
      c.res = new Response(json, { status: before.status, headers: c.res.headers });
      return;
    }
    c.set("ctx", { ...ctx, idempotent: request });
    await next();
    if (!c.res.ok) return await releaseIdempotency(ctx, request);
    const body = keptOf(kept, c.res.status === NO_CONTENT ? {} : await c.res.clone().json());
    if (body !== null) await keepAnswer(ctx, request, { status: c.res.status, body });
  };
}

/** The part of an answer that is stored; null if nothing is stored. Applied again when the stored part is read. */
function keptOf(kept: Kept, answer: unknown): Record<string, unknown> | null {
  return kept === "nothing" ? null : (kept.safeParse(answer).data ?? null);
}

/** For a route that returns one item, or several as `items`. */
export function oneOrMany<T extends z.ZodType>(one: T) {
  return z.union([z.object({ items: z.array(one) }), one]);
}

/** The media type of a receipt: not the operation's schema, but only ids, versions and outcomes. */
export const RECEIPT = "application/vnd.edgewise.receipt+json";

export const Receipt = z.looseObject({}).meta({
  id: "Receipt",
  description:
    "What a key without the permission read gets of an answer, and what a repeat with the same Idempotency-Key gets: ids, versions and what became of the request",
});

/** A key without `read` gets a receipt instead of stored content. The ETag, a version, is kept. */
export const withholdContent: MiddlewareHandler<RestEnv> = async (c, next) => {
  await next();
  if (mayRead(c.var.ctx.actor) || !c.res.ok || c.res.body === null) return;
  const receipt = JSON.stringify(toReceipt(await c.res.json()));
  c.res = new Response(receipt, { status: c.res.status, headers: c.res.headers });
  c.res.headers.set("content-type", RECEIPT);
};

/** Ids that Edgewise made, versions, and outcomes. */
const KEPT = new Set(["id", "mergedInto", "version", "created", "written", "retracted", "remaining", "outcome"]);
/** About the caller's own input: its message ids that were known, kinds of secrets in it, and why a part was refused. */
const KEPT_WHOLE = new Set(["skippedMessageIds", "redacted", "problem"]);
/** Fields that contain further answers. */
const WITHIN = new Set(["items", "entity", "from", "into"]);

/**
 * The answer to a write for a caller who may not read: without any stored content. Unknown fields are left out, so that a new field
 * discloses nothing.
 */
export function toReceipt(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(toReceipt);
  if (!isRecord(answer)) return null;
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) => {
      if (WITHIN.has(name)) return [[name, toReceipt(value)]];
      return KEPT_WHOLE.has(name) || (KEPT.has(name) && !isRecord(value)) ? [[name, value]] : [];
    }),
  );
}
