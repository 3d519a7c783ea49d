import { z } from "zod";
import type { Caller, Services } from "#context";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { requirePermission } from "#core/permission";
import { search } from "#domain/retrieval";
import { appendEpisodes, forgetEpisode } from "#domain/sessions";

const Check = z.object({
  working: z.boolean(),
  latencyMs: z.number().int(),
  error: z.string().optional().describe("What failed, in our words"),
  code: z.string().optional().describe("misconfigured: it will not work until the configuration is mended"),
});

export const DeepHealthView = z
  .object({
    working: z.boolean(),
    checks: z.object({ database: Check, text: Check, embedder: Check, vectors: Check, queue: Check, cleanup: Check }),
    caches: z.object({ queryEmbeddings: z.object({ hits: z.number().int(), misses: z.number().int(), size: z.number().int() }) }),
  })
  .meta({ id: "DeepHealth" });

export type DeepHealthView = z.infer<typeof DeepHealthView>;
type Check = z.infer<typeof Check>;

/** A user and sessions of their own, so that a check never meets anybody's words. */
const CHECK_USER = "edgewise:health";
/** Vectors stored here are removed at once; no real space has this number. */
const CHECK_SPACE = 0;

/**
 * Creates an episode, finds it, stores and finds a vector, and deletes both, even when a step fails. Each dependency is
 * tried by itself, so that the answer says which one is ill.
 */
export async function checkHealth(ctx: Caller & Services): Promise<DeepHealthView> {
  requirePermission(ctx.actor, "admin");
  const token = crypto.randomUUID().replaceAll("-", "");
  // A session never uses a position twice, so that one for all checks would be full some day.
  const sessionExternalId = `${CHECK_USER}:${ctx.actor.id}:${new Date(ctx.now()).toISOString().slice(0, 10)}`;
  // It acts as the system, because a key with `admin` alone may check everything. The outbox row is enough here: a check must
  // not wait for, or disturb, the queue that it asks about separately.
  const quiet = { ...ctx, actor: { kind: "system" as const, id: ctx.actor.id }, defer: () => undefined, idempotent: null };
  let episodeId: string | undefined;
  const database = await timed(ctx, async () => {
    const input = { userId: CHECK_USER, messages: [{ role: "system" as const, text: `Edgewise checks its health ${token}.` }] };
    const [appended] = await appendEpisodes(quiet, sessionExternalId, input);
    episodeId = appended?.id;
  });
  const text = await timed(ctx, async () => {
    if (episodeId === undefined) throw new AppError("internal", "There is nothing to find, because nothing was stored.");
    const answer = await search(quiet, {
      query: token,
      userId: CHECK_USER,
      sessionId: sessionExternalId,
      strategy: "text",
      includeGroups: false,
      kinds: ["episode"],
      reach: "tenant",
      limit: 1,
      maxTokens: 8000,
      adjust: false,
      explain: false,
    });
    if (answer.hits[0]?.id !== episodeId) throw new AppError("internal", "What was just stored was not found.");
  });
  const cleanup = await timed(ctx, async () => {
    if (episodeId !== undefined) await forgetEpisode(quiet, { sessionExternalId, episodeId }, { userId: CHECK_USER });
  });
  let vector: Float32Array | undefined;
  const embedder = await timed(ctx, async () => {
    vector = (await ctx.embedder.embed([token], "query"))[0];
  });
  const vectors = await timed(ctx, () => checkVectors(ctx, `health:${token}`, vector));
  const queue = await timed(ctx, () => ctx.jobs.send([{ tenantId: ctx.tenantId, jobId: `job_health_${token}` }]));
  const checks = { database, text, embedder, vectors, queue, cleanup };
  return {
    working: Object.values(checks).every((check) => check.working),
    checks,
    caches: { queryEmbeddings: ctx.caches.queryEmbeddings.counts() },
  };
}

/** A remote index shows a vector only after a while: what is asked of it is that each step is accepted. Any other must find it. */
async function checkVectors(ctx: Caller & Services, id: string, vector: Float32Array | undefined): Promise<void> {
  if (vector === undefined) throw new AppError("upstream_failed", "There is no vector to store, because the embedder failed.");
  const { model } = ctx.embedder;
  const metadata = {
    kind: "health",
    space: CHECK_SPACE,
    session: 0,
    project: 0,
    owner: 0,
    workspace: "",
    type: "",
    createdDay: 0,
    expiresDay: 0,
    model,
  };
  try {
    await ctx.vectors.upsert(ctx.tenantId, [{ id, values: vector, metadata }]);
    const nearest = { vector, spaces: [CHECK_SPACE], filter: { kind: "health", model }, topK: 1 };
    const found = await ctx.vectors.query(ctx.tenantId, nearest);
    if (ctx.vectors.settlesAfterMs === 0 && found[0]?.id !== id)
      throw new AppError("internal", "The vector that was just stored was not found.");
  } finally {
    await ctx.vectors.remove(ctx.tenantId, [{ id, space: CHECK_SPACE }]);
  }
}

async function timed(ctx: Pick<Services, "now" | "log">, check: () => Promise<void>): Promise<Check> {
  const startedAt = ctx.now();
  try {
    await check();
    return { working: true, latencyMs: ctx.now() - startedAt };
  } catch (error) {
    ctx.log("health.failed", describeError(error));
    const latencyMs = ctx.now() - startedAt;
    if (!(error instanceof AppError))
      return { working: false, latencyMs, error: "It failed for a reason that only the log knows." };
    return { working: false, latencyMs, error: error.message, code: error.code };
  }
}
