import type { MiddlewareHandler } from "hono";
import { mayRead } from "#core/permission";
import { toReceipt } from "#core/receipt";
import type { RestEnv } from "./router.ts";

/** A key without `read` gets no stored content back: of every answer that has some, a receipt. The ETag, a version, stays. */
export const withholdContent: MiddlewareHandler<RestEnv> = async (c, next) => {
  await next();
  if (mayRead(c.var.ctx.actor) || !c.res.ok || c.res.body === null) return;
  const receipt = JSON.stringify(toReceipt(await c.res.json()));
  c.res = new Response(receipt, { status: c.res.status, headers: c.res.headers });
};
