import type { Ctx } from "#context";
import { requirePermission, requireTenantPermission } from "#core/permission";
import { getSettingsEvenStale } from "#domain/settings";
import { askUpstream, type UpstreamCall, upstreamName } from "./upstream.ts";

type PassCtx = Ctx<"db" | "caches" | "now" | "log" | "upstream" | "secretBox">;

type Passed = Pick<UpstreamCall, "headers" | "signal">;

/**
 * The embeddings of the tenant's model server. `writeBody` makes the body that is sent, with the upstream's name for the model, or null if
 * it is the client's.
 * @throws forbidden without the permission to write, as for a chat: both use the tenant's model server.
 */
export async function passEmbeddings(
  ctx: PassCtx,
  { model, writeBody, ...call }: Passed & { model: unknown; writeBody: (model: string | null) => string },
): Promise<Response> {
  requirePermission(ctx.actor, "write");
  const settings = await getSettingsEvenStale(ctx);
  return await askUpstream(ctx, settings, { ...call, path: "/embeddings", body: writeBody(upstreamName(settings, model)) });
}

/**
 * What the tenant's model server says about a response that it keeps. It keeps those of all users under one account, so only a caller who
 * acts for the whole tenant may ask.
 * @throws forbidden for a caller who is bound to one user, and without the permission.
 */
export async function passStoredResponse(
  ctx: PassCtx,
  { path, method, ...call }: Passed & { path: `/responses/${string}`; method: "GET" | "POST" | "DELETE" },
): Promise<Response> {
  requireTenantPermission(ctx.actor, method === "GET" ? "read" : "write");
  const settings = await getSettingsEvenStale(ctx);
  return await askUpstream(ctx, settings, { ...call, path, method });
}
