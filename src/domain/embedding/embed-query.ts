import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import type { Embedder } from "#ports/embedder";

/** Vectors that are being made. An embedder is one request's, so none waits for what another request does. */
const underway = new WeakMap<Embedder, Map<string, Promise<Float32Array>>>();

/**
 * The question's vector, from the isolate's cache when it was asked before; whoever asks for the same while it is being made
 * waits for that.
 */
export async function embedQuery(
  ctx: Ctx<"embedder" | "caches" | "now">,
  query: string,
): Promise<{ vector: Float32Array; cached: boolean }> {
  const cacheKey = `${ctx.tenantId} ${ctx.embedder.model} ${query}`;
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
