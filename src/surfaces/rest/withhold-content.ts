import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { mayRead } from "#core/permission";
import { toReceipt } from "#core/receipt";
import type { RestEnv } from "./rest-env.ts";

/** The media type of an answer that is not what the schema of its operation describes: only ids, versions and what became of the request. */
export const RECEIPT = "application/vnd.edgewise.receipt+json";

export const Receipt = z.looseObject({}).meta({
  id: "Receipt",
  description:
    "What a key without the permission read gets of an answer, and what a repeat with the same Idempotency-Key gets: ids, versions and what became of the request",
});

/** A key without `read` gets no stored content back: of every answer that has some, a receipt. The ETag, a version, stays. */
export const withholdContent: MiddlewareHandler<RestEnv> = async (c, next) => {
  await next();
  if (mayRead(c.var.ctx.actor) || !c.res.ok || c.res.body === null) return;
  const receipt = JSON.stringify(toReceipt(await c.res.json()));
  c.res = new Response(receipt, { status: c.res.status, headers: c.res.headers });
  c.res.headers.set("content-type", RECEIPT);
};
