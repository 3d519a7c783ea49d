import { z } from "zod";
import type { Caller, Services } from "#context";
import { describeError } from "#core/describe-error";
import { AppError, Unavailable } from "#core/errors";
import { requirePermission } from "#core/permission";
import { serversWaitedFor } from "#domain/jobs";
import { search } from "#domain/retrieval";
import { appendEpisodes, forgetEpisode } from "#domain/sessions";

const Check = z.object({
  working: z.boolean(),
  latencyMs: z.number().int(),
  error: z.string().optional().describe("What failed, in our words"),
  code: z.string().optional().describe("misconfigured: it will not work until the configuration is corrected"),
});

export const DeepHealthView = z
  .object({
    working: z.boolean(),
    checks: z.object({
      ...{ database: Check, text: Check, embedder: Check, vectors: Check, queue: Check, cleanup: Check },
      chatModel: Check.optional().describe("Where one is configured. It is not called: it counts as down while jobs wait for it"),
    }),
    caches: z.object({ queryEmbeddings: z.object({ hits: z.number().int(), misses: z.number().int(), size: z.number().int() }) }),
  })
  .meta({ id: "DeepHealth" });

export type DeepHealthView = z.infer<typeof DeepHealthView>;
type Check = z.infer<typeof Check>;

/** A separate user and separate sessions, so that a check never touches anybody's messages. */
const CHECK_USER = "edgewise:health";
/** Time limits: the sequential steps together take less than 5 s. */
const LIMITS_MS = {
  database: 2_000,
  text: 1_200,
  cleanup: 1_200,
  embedder: 4_000,
  vectors: 4_000,
  queue: 4_000,
  chatModel: 4_000,
} as const;

/** Vectors stored here are removed at once; no real space has this number. */
const CHECK_SPACE = 0;

/**
 * Creates an episode, finds it, stores and finds a vector, and deletes both, even when a step fails. Each dependency is tested separately
 * and with a time limit, so that the answer comes within 5 s and names what does not work.
 * @throws forbidden without the permission `admin`.
 */
export async function checkHealth(ctx: Caller & Services): Promise<DeepHealthView> {
  requirePermission(ctx.actor, "admin");
  const token = crypto.randomUUID().replaceAll("-", "");
  // A session never reuses a position, so a single session for all checks would be full some day.
  const sessionExternalId = `${CHECK_USER}:${ctx.actor.id}:${new Date(ctx.now()).toISOString().slice(0, 10)}`;
  // It acts as the system, because a key with `admin` alone must be able to check everything. The outbox row is enough here: a check must
  // not wait for, or disturb, the queue, which it tests separately.
  const quiet = { ...ctx, actor: { kind: "system" as const, id: ctx.actor.id }, defer: () => undefined, idempotent: null };
  const of = (check: keyof typeof LIMITS_MS, work: Work) => timed(ctx, LIMITS_MS[check], work);
  const words = async () => {
    let episodeId: string | undefined;
    const forgetIt = async () => {
      if (episodeId !== undefined) await forgetEpisode(quiet, { sessionExternalId, episodeId }, { userId: CHECK_USER });
    };
    const database = await of("database", async (isLate) => {
      const input = {
        userId: CHECK_USER,
        messages: [{ role: "system" as const, content: `Edgewise checks its health ${token}.` }],
      };
      const [appended] = await appendEpisodes(quiet, sessionExternalId, input);
      episodeId = appended?.id;
      if (isLate()) await forgetIt();
    });
    const text = await of("text", async () => {
      if (episodeId === undefined) throw new AppError("internal", "There is nothing to find, because nothing was stored.");
      const answer = await search(quiet, { ...SEARCH, query: token, sessionId: sessionExternalId });
      if (answer.hits[0]?.id !== episodeId) throw new AppError("internal", "What was just stored was not found.");
    });
    return { database, text, cleanup: await of("cleanup", forgetIt) };
  };
  const { chatModel } = ctx;
  const [stored, embedder, vectors, queue, chat] = await Promise.all([
    words(),
    of("embedder", async () => void (await ctx.embedder.embed([token], "document"))),
    of("vectors", () => checkVectors(ctx, `health:${token}`)),
    of("queue", () => ctx.jobs.send([{ tenantId: ctx.tenantId, jobId: `job_health_${token}` }])),
    ...(chatModel === null ? [] : [of("chatModel", () => checkChatModel(ctx))]),
  ]);
  const checks = { ...stored, embedder, vectors, queue, ...(chat === undefined ? {} : { chatModel: chat }) };
  return {
    working: Object.values(checks).every((check) => check.working),
    checks,
    caches: { queryEmbeddings: ctx.caches.queryEmbeddings.counts() },
  };
}

const SEARCH: Omit<Parameters<typeof search>[1], "query"> = {
  userId: CHECK_USER,
  strategy: "text",
  includeGroups: false,
  kinds: ["episode"],
  reach: "tenant",
  limit: 1,
  maxTokens: 8000,
  adjust: false,
  cut: false,
  explain: false,
};

/** A call would cost tokens, so none is made: whether the model answers is read from the jobs of all tenants that need it. */
async function checkChatModel(ctx: Pick<Services, "db">): Promise<void> {
  if ((await serversWaitedFor(ctx)).includes("chatModel"))
    throw new AppError("upstream_failed", "The chat model does not answer.");
}

/** A remote index shows a vector only after a while, so it only has to accept each step. Any other index must find the vector. */
async function checkVectors(ctx: Caller & Services, id: string): Promise<void> {
  const { model, dimensions } = ctx.embedder;
  const vector = anyDirection(dimensions);
  const metadata = {
    kind: "health",
    space: CHECK_SPACE,
    session: 0,
    project: 0,
    workspace: "",
    scope: "",
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

/** A random vector, not the embedder's: each server is tested separately. Random, because another check may be running. */
function anyDirection(dimensions: number): Float32Array {
  const values = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/** After the time limit it continues in the background; then `isLate` is true. */
type Work = (isLate: () => boolean) => Promise<void>;

async function timed(ctx: Pick<Services, "now" | "log" | "defer">, limitMs: number, check: Work): Promise<Check> {
  const startedAt = ctx.now();
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new AppError("upstream_failed", `It did not answer within ${limitMs / 1_000} s.`));
    }, limitMs);
  });
  const working = (async () => await check(() => isLate))();
  try {
    await Promise.race([working, late]);
    return { working: true, latencyMs: ctx.now() - startedAt };
  } catch (error) {
    if (isLate) ctx.defer(() => working);
    ctx.log("health.failed", describeError(error));
    const latencyMs = ctx.now() - startedAt;
    if (!(error instanceof AppError))
      return { working: false, latencyMs, error: "It failed for a reason that only the log knows." };
    const again = error instanceof Unavailable && error.isOpen ? error.retryAfterSeconds : undefined;
    const sentence = again === undefined ? error.message : `${error.message} It is asked again in ${again} s.`;
    return { working: false, latencyMs, error: sentence, code: error.code };
  } finally {
    clearTimeout(timer);
  }
}
