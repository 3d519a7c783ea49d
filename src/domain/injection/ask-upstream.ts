import type { Ctx, Settings } from "#context";
import { openUpstream } from "#domain/settings";

export type UpstreamCall = {
  path: "/chat/completions" | "/models";
  body?: string;
  headers: Record<string, string>;
  signal: AbortSignal;
};

/** The tenant's own model server answers, whatever it answers. 422 for a tenant that has none, 502 when it cannot be reached. */
export async function askUpstream(ctx: Ctx<"upstream" | "secretBox">, settings: Settings, call: UpstreamCall): Promise<Response> {
  const { base, apiKey } = await openUpstream(ctx, settings.upstream);
  const method = call.body === undefined ? "GET" : "POST";
  return await ctx.upstream.send({ tenantId: ctx.tenantId, base, apiKey, method, ...call });
}

/** The upstream's name for a model that a client names; null where it is the same, or no name. */
export function upstreamName(settings: Settings, model: unknown): string | null {
  if (typeof model !== "string") return null;
  const names = settings.upstream?.models ?? {};
  const name = Object.hasOwn(names, model) ? names[model] : undefined;
  return name === undefined || name === model ? null : name;
}
