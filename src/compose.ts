import { createBuiltInEmbedder } from "#adapters/built-in-embedder";
import { createCircuits } from "#adapters/circuit";
import { createFetchUpstream } from "#adapters/fetch-upstream";
import { type Guard, guardChat, guardEmbedder, guardUpstream, guardVectors } from "#adapters/guarded";
import { createJwksIdentity } from "#adapters/jwks-identity";
import { createLexicalEmbedder } from "#adapters/lexical-embedder";
import { createOAuthProvider } from "#adapters/oauth-provider";
import { createOpenAiChat } from "#adapters/openai-chat";
import { createOpenAiEmbedder } from "#adapters/openai-embedder";
import { createQueueJobs } from "#adapters/queue-jobs";
import { createR2Files } from "#adapters/r2-files";
import { createObjectIndex } from "#adapters/vector-object/object-index";
import { createVectorizeIndex } from "#adapters/vectorize";
import { createWorkersAiChat } from "#adapters/workers-ai-chat";
import { createWorkersAiEmbedder } from "#adapters/workers-ai-embedder";
import { createWorkersAiToMarkdown } from "#adapters/workers-ai-to-markdown";
import type { Caches, Log, Services } from "#context";
import { BoundedCache } from "#core/bounded-cache";
import { type Costs, newCosts } from "#core/costs";
import { describeError } from "#core/describe-error";
import { misconfigured } from "#core/errors";
import { publicId } from "#core/ids";
import type { Cosines } from "#core/rank/cut";
import { createSecretBox } from "#core/secret-box";
import { Strangers, UNLIMITED } from "#core/strangers";
import { createDb } from "#db/client";
import { authenticate } from "#domain/tenants";
import { type Config, type Env, readConfig } from "#env";
import type { ChatModel } from "#ports/chat-model";
import type { Embedder } from "#ports/embedder";
import type { JobQueue } from "#ports/jobs";
import type { OAuthServer } from "#ports/oauth-server";
import type { ToMarkdown } from "#ports/to-markdown";
import type { VectorIndex } from "#ports/vector-index";

/** Seconds for which a key, an origin or a setting is cached; a revocation takes this long at most. */
const TRUST_MS = 15_000;
const DAY_MS = 86_400_000;

/** One for each isolate. */
const caches: Caches = {
  credentials: new BoundedCache({ limit: 5_000, ttlMs: TRUST_MS }),
  refusals: new BoundedCache({ limit: 5_000, ttlMs: TRUST_MS }),
  strangers: new Strangers(),
  grants: new BoundedCache({ limit: 5_000, ttlMs: TRUST_MS }),
  origins: new BoundedCache({ limit: 5_000, ttlMs: TRUST_MS }),
  queryEmbeddings: new BoundedCache({ limit: 500, ttlMs: DAY_MS }),
  settings: new BoundedCache({ limit: 5_000, ttlMs: TRUST_MS }),
  topics: new BoundedCache({ limit: 5_000, ttlMs: TRUST_MS }),
  profiles: new BoundedCache({ limit: 500, ttlMs: DAY_MS }),
};

/** One for each isolate, so that requests share what they know about a server that is down. */
const guard: Guard = { circuits: createCircuits({ now: Date.now }) };

export type Composed = {
  services: Services;
  costs: Costs;
  /** The position of the D1 session; a client that sends it back reads its own writes on every replica. */
  bookmark: () => string | null;
};

/** The client's bookmark, or the primary: without one, a read must not be older than another user's move of a session out of a project. */
export type Consistency = string;

/** Turns bindings into services: the only file that sees a binding. */
export function compose(
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
  consistency: Consistency = "first-primary",
): Composed {
  const { embedder, vectors, queue, policies: _, ...adapters } = adaptersOf(env);
  const costs = newCosts();
  const session = env.DB.withSession(consistency);
  const services: Services = {
    db: createDb(session, (cost) => {
      costs.trips += 1;
      costs.statements += cost.statements;
      costs.rowsRead += cost.rowsRead;
      costs.rowsWritten += cost.rowsWritten;
      costs.databaseMs += cost.milliseconds;
    }),
    now: Date.now,
    newId: (kind) => publicId(kind, Date.now()),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    random: Math.random,
    ...adapters,
    embedder: counting(embedder, costs),
    vectors: countingVectors(vectors, costs),
    jobs: {
      async send(refs, delayMs) {
        costs.queueMessages += refs.length;
        await queue.send(refs, delayMs);
      },
    },
    caches,
    trustMs: TRUST_MS,
    defer: (work) => execution.waitUntil(work().catch((error) => log("deferred.failed", describeError(error)))),
    log,
  };
  return { services, costs, bookmark: () => session.getBookmark() };
}

type Adapters = Pick<
  Services,
  "embedder" | "vectors" | "files" | "chatModel" | "toMarkdown" | "upstream" | "identity" | "secretBox"
> & {
  queue: JobQueue;
  policies: Record<"key" | "stranger", Config["KEY_LIMIT"]>;
};

/** Created once for each isolate's environment; none of them holds data of a request. */
const adaptersByEnv = new WeakMap<Env, Adapters>();
function adaptersOf(env: Env): Adapters {
  const known = adaptersByEnv.get(env) ?? createAdapters(env);
  adaptersByEnv.set(env, known);
  return known;
}

function createAdapters(env: Env): Adapters {
  const config = readConfig(env);
  const embedder = embedderOf(config, env);
  const chatModel = chatModelOf(config, env);
  const { model, dimensions } = embedder;
  const upstream = createFetchUpstream({ hosts: listOf(config.UPSTREAM_HOSTS), fetch: (input, init) => fetch(input, init) });
  return {
    embedder: guardEmbedder(embedder, guard),
    vectors: guardVectors(vectorIndexOf(config, env, dimensions), { ...guard, model, dimensions }),
    files: createR2Files(env.FILES),
    chatModel: chatModel === null ? null : guardChat(chatModel, guard),
    toMarkdown: toMarkdownOf(config, env),
    upstream: guardUpstream(upstream, guard),
    identity: createJwksIdentity({
      hosts: listOf(config.IDENTITY_HOSTS),
      fetch: (input, init) => fetch(input, init),
      now: Date.now,
    }),
    secretBox: config.ENCRYPTION_KEY === undefined ? null : createSecretBox(config.ENCRYPTION_KEY),
    queue: createQueueJobs(env.JOBS),
    policies: { key: config.KEY_LIMIT, stranger: config.STRANGER_LIMIT },
  };
}

export const log: Log = (event, facts) => {
  // biome-ignore lint/suspicious/noConsole: this is the only output to the platform's log.
  console.log(JSON.stringify({ event, ...facts }));
};

function embedderOf(config: Config, env: Env): Embedder {
  switch (config.EMBEDDER) {
    case "built-in":
      return createBuiltInEmbedder({ cosines: configuredCosines(config) });
    case "lexical":
      return lexical(config.EMBEDDING_DIMENSIONS);
    case "openai":
      return createOpenAiEmbedder({
        url: needed(config, "EMBEDDINGS_URL"),
        model: needed(config, "EMBEDDING_MODEL"),
        dimensions: needed(config, "EMBEDDING_DIMENSIONS"),
        ...(config.EMBEDDINGS_API_KEY === undefined ? {} : { apiKey: config.EMBEDDINGS_API_KEY }),
        ...(config.EMBEDDING_QUERY_PREFIX === undefined ? {} : { queryPrefix: config.EMBEDDING_QUERY_PREFIX }),
        ...(config.EMBEDDING_DOCUMENT_PREFIX === undefined ? {} : { documentPrefix: config.EMBEDDING_DOCUMENT_PREFIX }),
        cosines: configuredCosines(config),
        fetch: (input, init) => fetch(input, init),
      });
    case "workers-ai":
      if (env.AI === undefined) throw misconfigured("EMBEDDER=workers-ai needs the `ai` binding of [env.production].");
      return createWorkersAiEmbedder({
        ai: env.AI,
        model: needed(config, "EMBEDDING_MODEL"),
        dimensions: needed(config, "EMBEDDING_DIMENSIONS"),
        cosines: configuredCosines(config),
      });
  }
}

function configuredCosines({ EMBEDDING_FLOOR: floor, EMBEDDING_UNRELATED: unrelated }: Config): Partial<Cosines> {
  return { ...(floor === undefined ? {} : { floor }), ...(unrelated === undefined ? {} : { unrelated }) };
}

function lexical(dimensions: number | undefined): Embedder {
  return createLexicalEmbedder(dimensions === undefined ? {} : { dimensions });
}

function chatModelOf(config: Config, env: Env): ChatModel | null {
  switch (config.CHAT) {
    case "none":
      return null;
    case "openai":
      return createOpenAiChat({
        url: needed(config, "CHAT_URL"),
        model: needed(config, "CHAT_MODEL"),
        ...(config.CHAT_API_KEY === undefined ? {} : { apiKey: config.CHAT_API_KEY }),
        fetch: (input, init) => fetch(input, init),
      });
    case "workers-ai":
      if (env.AI === undefined) throw misconfigured("CHAT=workers-ai needs the `ai` binding of [env.production].");
      return createWorkersAiChat({ ai: env.AI, model: needed(config, "CHAT_MODEL") });
  }
}

function toMarkdownOf(config: Config, env: Env): ToMarkdown | null {
  if (config.TO_MARKDOWN === "none") return null;
  if (env.AI === undefined) throw misconfigured("TO_MARKDOWN=workers-ai needs the `ai` binding of [env.production].");
  return createWorkersAiToMarkdown({ ai: env.AI });
}

function listOf(text: string): string[] {
  return text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
}

function vectorIndexOf(config: Config, env: Env, dimensions: number): VectorIndex {
  if (config.VECTOR_INDEX === "object") return createObjectIndex({ namespace: env.VECTORS });
  if (env.VECTORIZE === undefined)
    throw misconfigured("VECTOR_INDEX=vectorize needs the `vectorize` binding of [env.production].");
  return createVectorizeIndex({ index: env.VECTORIZE, dimensions });
}

function needed<K extends keyof Config>(config: Config, name: K): NonNullable<Config[K]> {
  const value = config[name];
  if (value === undefined || value === null) throw misconfigured(`${name} is not set.`);
  return value;
}

function counting(embedder: Embedder, costs: Costs): Embedder {
  return {
    ...embedder,
    embed: (texts, purpose) => {
      costs.embeddingCalls += 1;
      return embedder.embed(texts, purpose);
    },
  };
}

function countingVectors(index: VectorIndex, costs: Costs): VectorIndex {
  return {
    ...index,
    query: (tenantId, query) => {
      costs.vectorQueries += 1;
      return index.query(tenantId, query);
    },
    upsert: (tenantId, items) => {
      costs.vectorsWritten += items.length;
      return index.upsert(tenantId, items);
    },
  };
}

type CountedLimiter = {
  limit: (options: { key: string }) => Promise<{ success: boolean }>;
  readonly policy?: Config["KEY_LIMIT"];
};

/** The limiters, each with its policy. Read on use, because an invalid configuration must not fail before the app can answer. */
export function limitersOf(env: Env): Record<"key" | "stranger", CountedLimiter> {
  const of = (limiter: RateLimit, name: "key" | "stranger") => ({
    limit: (options: { key: string }) => limiter.limit(options),
    get policy() {
      return adaptersOf(env).policies[name];
    },
  });
  return { key: of(env.KEY_LIMITER, "key"), stranger: of(env.STRANGER_LIMITER, "stranger") };
}

/** The OAuth server of the service at an origin. Only what is under /oauth needs it, so that nothing else fails with its store. */
export function oauthOf(env: Env, execution: ExecutionContext): (origin: string) => OAuthServer {
  return (origin) =>
    createOAuthProvider({
      origin,
      kv: env.OAUTH_KV,
      execution,
      fetch: (input, init) => fetch(input, init),
      isInForce: async (credential) => {
        const { services } = compose(env, execution);
        return (await authenticate(services, credential, UNLIMITED)).ok;
      },
      onRefusal: (facts) => log("oauth.refused", facts),
    });
}
