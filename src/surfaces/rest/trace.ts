import type { MiddlewareHandler } from "hono";
import { isAdmin } from "#core/permission";
import { secretInName } from "#core/safety/name-secrets";
import { sendRateLimits } from "./authenticate.ts";
import type { RestEnv } from "./rest-env.ts";

const BOOKMARK = "x-edgewise-bookmark";

/** A client's request id is used if it is harmless and contains no secret, so that a request can be followed through several systems. */
export const start: MiddlewareHandler<RestEnv> = async (c, next) => {
  const given = c.req.header("x-request-id") ?? "";
  c.set("requestId", /^[\w.-]{8,64}$/.test(given) && secretInName(given) === null ? given : crypto.randomUUID());
  c.set("startedAt", Date.now());
  c.set("opened", c.env.open(consistencyOf(c.req.header(BOOKMARK))));
  await next();
};

/**
 * Headers of every answer, including errors. The costs of a request are shown to admins only: they could distinguish a hidden row from a
 * missing one.
 */
export const finish: MiddlewareHandler<RestEnv> = async (c, next) => {
  await next();
  c.header("x-request-id", c.var.requestId);
  sendRateLimits(c);
  const timings = [`total;dur=${Date.now() - c.var.startedAt}`];
  const { costs, bookmark } = c.var.opened;
  const actor = c.var.ctx?.actor;
  if (actor !== undefined && isAdmin(actor)) {
    timings.push(
      `d1;dur=${costs.databaseMs};desc="trips=${costs.trips} statements=${costs.statements} read=${costs.rowsRead} written=${costs.rowsWritten}"`,
      `work;desc="embeddings=${costs.embeddingCalls} vectors=${costs.vectorQueries} messages=${costs.queueMessages}"`,
    );
  }
  c.header("server-timing", timings.join(", "));
  const at = bookmark();
  if (costs.trips > 0 && at !== null) c.header(BOOKMARK, at);
};

/**
 * A bookmark allows a replica that has seen it to answer. A value without the shape of D1's is ignored, including its constraints such as
 * `first-primary`.
 */
function consistencyOf(bookmark: string | undefined): string | undefined {
  return bookmark !== undefined && /^[0-9a-f]{1,32}(?:-[0-9a-f]{1,32}){3}$/i.test(bookmark) ? bookmark : undefined;
}
