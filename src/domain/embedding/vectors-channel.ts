import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { sha256 } from "#core/ids";
import { inTime } from "#core/in-time";
import type { Embedder } from "#ports/embedder";

/** Embeddings in progress. An embedder belongs to one request, so no request waits for another. */
const underway = new WeakMap<Embedder, Map<string, Promise<Float32Array>>>();

/**
 * The question's vector, from the isolate's cache when the same user asked it before. Searches of one request for the same question share
 * one call. The cache is per user, so no answer and no response time depends on what another user has asked; its keys are hashes.
 *
 * @throws upstream_failed if the embedder does not answer, `misconfigured` if it answers vectors of another length.
 */
async function embedQuery(
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

export type ChannelFailure = "failed" | "timeout" | "misconfigured";

/** The result of the vectors channel; `failure` says why it is missing from the answer. */
export type FoundByVectors<T> = {
  found: T[];
  queryEmbedding: "cached" | "computed" | "unused";
  failure: ChannelFailure | null;
};

export const NO_VECTORS: FoundByVectors<never> = { found: [], queryEmbedding: "unused", failure: null };

/**
 * The vectors channel: embeds the question, then searches with its vector. Both share one time limit. With `atOnce` the embedding begins
 * now, in parallel with what the caller does; else when the returned function is called, which also searches.
 */
export function startVectors(
  ctx: Ctx<"embedder" | "caches" | "now" | "log">,
  {
    atOnce,
    limitMs = CHANNEL_LIMIT_MS,
    ...question
  }: Parameters<typeof embedQuery>[1] & { atOnce: boolean; limitMs: number | undefined },
): <T>(search: (vector: Float32Array) => Promise<T[]>) => Promise<FoundByVectors<T>> {
  const deadline = ctx.now() + limitMs;
  const embed = () => orDegraded(ctx, embedQuery(ctx, question), deadline);
  const begun = atOnce ? embed() : null;
  return async (search) => {
    const embedded = await (begun ?? embed());
    if (!embedded.ok) return { ...NO_VECTORS, failure: embedded.reason };
    const queryEmbedding = embedded.value.cached ? "cached" : "computed";
    const nearest = await orDegraded(ctx, search(embedded.value.vector), deadline);
    return nearest.ok
      ? { found: nearest.value, queryEmbedding, failure: null }
      : { found: [], queryEmbedding, failure: nearest.reason };
  };
}

/** A search leaves out a channel that fails or is late, and reports it in `degraded`. The error itself is logged. */
async function orDegraded<T>(
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
