import type { Ctx, UpstreamSettings } from "#context";
import { AppError, breaksRule } from "#core/errors";
import type { UpstreamInput, UpstreamView } from "./schemas.ts";

/** The upstream as answers show it: without its key. */
export function showUpstream(upstream: UpstreamSettings | null): UpstreamView | null {
  if (upstream === null) return null;
  const { url, models, apiKey } = upstream;
  return { url, models, hasKey: apiKey !== null };
}

/**
 * The stored form of the upstream: a normalized url and a sealed key. A change that names no key keeps the existing one as long as the url
 * stays the same, including its path: a key is never sent to another url than it was given for, and for some hosts the path names the
 * account.
 */
export async function sealUpstream(
  ctx: Ctx<"upstream" | "secretBox">,
  before: UpstreamSettings | null,
  given: UpstreamInput,
): Promise<UpstreamSettings> {
  const { origin, pathname } = new URL(given.url);
  const url = `${origin}${pathname.replace(/(?<!\/)\/+$/, "")}`;
  const refusal = ctx.upstream.refusal(url);
  if (refusal !== null) throw breaksRule("upstream.url", refusal);
  // In the order in which a row is read, because settings are compared as JSON.
  return { url, apiKey: await sealKey(ctx, { given: given.apiKey, before, url }), models: given.models ?? {} };
}

type KeyChange = { given: string | null | undefined; before: UpstreamSettings | null; url: string };

async function sealKey(ctx: Ctx<"secretBox">, { given, before, url }: KeyChange): Promise<string | null> {
  const kept = before?.url === url ? before.apiKey : null;
  if (given === undefined) return kept;
  if (given === null) return null;
  if (ctx.secretBox === null)
    throw breaksRule(
      "upstream.apiKey",
      "No key can be stored, because this service has no ENCRYPTION_KEY. Its operator sets one.",
    );
  const same = kept !== null && (await ctx.secretBox.open(kept, boundTo(ctx)).catch(() => null)) === given;
  return same ? kept : await ctx.secretBox.seal(given, boundTo(ctx));
}

/**
 * The upstream with its key in plain text, for a call.
 * @throws unprocessable for a tenant that has none, or whose key can no longer be read.
 */
export async function openUpstream(
  ctx: Ctx<"secretBox">,
  upstream: UpstreamSettings | null,
): Promise<{ base: string; apiKey: string | null }> {
  if (upstream === null) throw breaksRule("upstream", UNSET);
  const { url, apiKey } = upstream;
  if (apiKey === null) return { base: url, apiKey };
  if (ctx.secretBox === null) throw breaksRule("upstream.apiKey", UNREADABLE);
  try {
    return { base: url, apiKey: await ctx.secretBox.open(apiKey, boundTo(ctx)) };
  } catch (error) {
    if (error instanceof AppError) throw breaksRule("upstream.apiKey", UNREADABLE);
    throw error;
  }
}

const UNSET =
  'This tenant has no model server. Set one with PATCH /v1/settings and {"upstream": {"url": "https://…/v1", "apiKey": "…"}}.';
const UNREADABLE =
  "The stored key of the model server cannot be read with this service's ENCRYPTION_KEY. Set upstream.apiKey with PATCH /v1/settings anew.";

/** A sealed key is bound to its tenant: it cannot be used from another tenant's row. */
function boundTo({ tenantId }: Ctx): string {
  return `tenant ${tenantId} upstream`;
}
