import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { inTime } from "#core/in-time";
import { sha256 } from "#core/key";
import type { Embedder } from "#ports/embedder";

/** Vectors that are being made. An embedder is one request's, so no request waits for another. */
const underway = new WeakMap<Embedder, Map<string, Promise<Float32Array>>>();

/**
 * The question's vector, from the isolate's cache when the same user asked it before. Searches of one request for the same question share
 * one call. The cache is per user, so no answer and no response time depends on what another user has asked; its keys are hashes.
 *
 * @throws `upstream_failed` if the embedder does not answer, `misconfigured` if it answers vectors of another length.
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

const CHANNEL_LIMIT_MS = 3_000;

/** When a channel that begins now is late, in Unix milliseconds; its steps share this one deadline. */
export function channelDeadline(ctx: Ctx<"now">, limitMs: number = CHANNEL_LIMIT_MS): number {
  return ctx.now() + limitMs;
}

export type ChannelFailure = "failed" | "timeout" | "misconfigured";

/** Search answers without a channel that fails or is late, and says so in `degraded`. The error itself is logged. */
export async function orDegraded<T>(
  ctx: Ctx<"log" | "now">,
  work: Promise<T>,
  deadline: number,
): Promise<{ ok: true; value: T } | { ok: false; reason: ChannelFailure }> {
  const outcome = await inTime(work, Math.max(0, deadline - ctx.now()));
  if (outcome.ok || outcome.reason === "timeout") return outcome;
  const code = outcome.error instanceof AppError ? outcome.error.code : "stranger";
  const reason = code === "misconfigured" ? "misconfigured" : "failed";
  ctx.log("search.degraded", { reason, code });
  return { ok: false, reason };
}
