import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { sha256 } from "#core/ids";
import type { Embedder } from "#ports/embedder";

/** Vectors that are being made. An embedder is one request's, so none waits for what another request does. */
const underway = new WeakMap<Embedder, Map<string, Promise<Float32Array>>>();

/**
 * The question's vector, from the isolate's cache when the same user asked it before; whoever asks for the same while it is being made
 * waits for that. No user's answer, and no answer's time, depends on what another user has asked. The cache holds no question's words.
 */
export async function embedQuery(
  ctx: Ctx<"embedder" | "caches" | "now">,
  { query, user }: { query: string; user: { id: number } | { externalId: string } },
): Promise<{ vector: Float32Array; cached: boolean }> {
  const cacheKey = await sha256(JSON.stringify([ctx.tenantId, user, ctx.embedder.model, query]));
  const known = ctx.caches.queryEmbeddings.get(cacheKey, ctx.now());
  if (known !== undefined) return { vector: known, cached: true };
  const ofRequest = underway.get(ctx.embedder) ?? new Map<string, Promise<Float32Array>>();
  underway.set(ctx.embedder, ofRequest);
  const begun = ofRequest.get(cacheKey);
  if (begun !== undefined) return { vector: await begun, cached: true };
  const making = embedOne(ctx, query);
  ofRequest.set(cacheKey, making);
  try {
    const vector = await making;
    ctx.caches.queryEmbeddings.set(cacheKey, vector, ctx.now());
    return { vector, cached: false };
  } finally {
    ofRequest.delete(cacheKey);
  }
}

async function embedOne(ctx: Ctx<"embedder">, query: string): Promise<Float32Array> {
  const [vector] = await ctx.embedder.embed([query], "query");
  if (vector === undefined) throw new AppError("upstream_failed", "The embedder answered no vector.");
  return vector;
}
