import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { invalid } from "#core/errors";
import { sha256 } from "#core/ids";
import { refuseSecretName } from "#core/safety/name-secrets";
import { answerNotKept, claimIdempotency, keepAnswer, releaseIdempotency } from "#domain/audit";
import type { RestEnv } from "./rest-env.ts";
import { RECEIPT } from "./withhold-content.ts";

const MAX_KEY_LENGTH = 200;

/**
 * What of an answer is kept for a repeat: ids, versions, outcomes and counts, never what anybody said, because by then it may be forgotten
 * or no longer the caller's to see. `nothing`: the answer is shown once, and a repeat is refused.
 */
export type Kept = z.ZodType | "nothing";

/** What a POST that changes something says of a repeat. `unsupported`: it is carried out again, because another server answers it. */
export type Replay = Kept | "unsupported";

/** What every POST that changes something takes, unless its trait `replay` is `unsupported`. */
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

/**
 * With an `Idempotency-Key`, the same request is carried out once. A repeat is answered with the status of the first and what is kept of
 * its answer.
 */
export function replayed(kept: Kept): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    const key = c.req.header("idempotency-key");
    const { ctx } = c.var;
    if (key === undefined || ctx.actor.kind !== "key") return await next();
    if (key.length === 0 || key.length > MAX_KEY_LENGTH) throw invalid("Idempotency-Key", `1 to ${MAX_KEY_LENGTH} characters.`);
    // What is not ASCII does not come through as it was sent: two keys could be one.
    if (!/^[\x20-\x7e]*$/.test(key)) throw invalid("Idempotency-Key", "Visible ASCII characters and spaces only.");
    refuseSecretName("Idempotency-Key", key);
    const request = { keyId: ctx.actor.keyId, key };
    const fingerprint = await sha256(`${c.req.method} ${c.req.path}${new URL(c.req.url).search}\n${await c.req.text()}`);
    const before = await claimIdempotency(ctx, { ...request, fingerprint });
    if (before !== "claimed") {
      const body = keptOf(kept, before.body);
      if (body === null) throw answerNotKept();
      c.header("idempotency-replayed", "true");
      c.header("content-type", RECEIPT);
      c.res = new Response(body === "" ? null : body, { status: before.status, headers: c.res.headers });
      return;
    }
    c.set("ctx", { ...ctx, idempotent: request });
    await next();
    if (!c.res.ok) return await releaseIdempotency(ctx, request);
    const body = keptOf(kept, await c.res.clone().text());
    if (body !== null) await keepAnswer(ctx, request, { status: c.res.status, body });
  };
}

/** The part of an answer that is kept, as JSON; empty for an empty one, null if nothing is. Asked again of what is stored. */
function keptOf(kept: Kept, answer: string): string | null {
  if (kept === "nothing") return null;
  if (answer === "") return "";
  const read = kept.safeParse(JSON.parse(answer));
  return read.success ? JSON.stringify(read.data) : null;
}

/** Of a route that answers one of something, or several as `items`. */
export function oneOrMany<T extends z.ZodType>(one: T) {
  return z.union([z.object({ items: z.array(one) }), one]);
}
