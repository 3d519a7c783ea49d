import { z } from "zod";
import type { VectorObject } from "#adapters/vector-object/vector-object";
import { AppError } from "#core/errors";

/** The bindings of wrangler.toml. `AI` and `VECTORIZE` exist in production only. */
export type Bindings = {
  DB: D1Database;
  JOBS: Queue<unknown>;
  VECTORS: DurableObjectNamespace<VectorObject>;
  KEY_LIMITER: RateLimit;
  STRANGER_LIMITER: RateLimit;
  OAUTH_KV: KVNamespace;
  FILES: R2Bucket;
  AI?: Ai;
  VECTORIZE?: Vectorize;
};

/** Bindings and variables as the platform passes them: variables are strings, or absent. */
export type Env = Bindings & Record<string, unknown>;

/** The least length of a secret that encrypts others: 128 bits even as hexadecimal digits. */
const MIN_KEY_CHARACTERS = 32;

/** The policy of a limiter in wrangler.toml, which its binding does not expose: "5000/10" is 5,000 requests in 10 seconds. */
const RateLimit = z
  .string()
  .regex(/^[1-9]\d{0,8}\/(?:10|60)$/, "as 5000/10: requests in 10 or 60 seconds")
  .transform((text) => {
    const [quota, windowSeconds] = text.split("/").map(Number);
    return { quota: quota ?? 0, windowSeconds: windowSeconds ?? 0 };
  });

const Cosine = z.coerce.number().min(-1).max(1);

const Variables = z
  .object({
    EMBEDDER: z.enum(["built-in", "lexical", "openai", "workers-ai"]),
    VECTOR_INDEX: z.enum(["object", "vectorize"]),
    EMBEDDING_MODEL: z.string().min(1).optional(),
    EMBEDDING_DIMENSIONS: z.coerce.number().int().min(8).max(4096).optional(),
    EMBEDDINGS_URL: z.url().optional(),
    EMBEDDINGS_API_KEY: z.string().min(1).optional(),
    EMBEDDING_QUERY_PREFIX: z.string().optional(),
    EMBEDDING_DOCUMENT_PREFIX: z.string().optional(),
    EMBEDDING_FLOOR: Cosine.optional(),
    EMBEDDING_UNRELATED: Cosine.optional(),
    CHAT: z.enum(["none", "openai", "workers-ai"]).default("none"),
    CHAT_MODEL: z.string().min(1).optional(),
    CHAT_URL: z.url().optional(),
    CHAT_API_KEY: z.string().min(1).optional(),
    TO_MARKDOWN: z.enum(["none", "workers-ai"]).default("none"),
    ENCRYPTION_KEY: z.string().min(MIN_KEY_CHARACTERS).optional(),
    UPSTREAM_HOSTS: z.string().default(""),
    IDENTITY_HOSTS: z.string().default(""),
    KEY_LIMIT: RateLimit.optional(),
    STRANGER_LIMIT: RateLimit.optional(),
  })
  .superRefine((variables, check) => {
    for (const name of REQUIRED[variables.EMBEDDER]) {
      if (variables[name] === undefined)
        check.addIssue({ code: "custom", path: [name], message: `EMBEDDER=${variables.EMBEDDER} needs it` });
    }
    for (const name of REQUIRED_FOR_CHAT[variables.CHAT]) {
      if (variables[name] === undefined)
        check.addIssue({ code: "custom", path: [name], message: `CHAT=${variables.CHAT} needs it` });
    }
  });

const REQUIRED = {
  "built-in": [],
  lexical: [],
  openai: ["EMBEDDINGS_URL", "EMBEDDING_MODEL", "EMBEDDING_DIMENSIONS"],
  "workers-ai": ["EMBEDDING_MODEL", "EMBEDDING_DIMENSIONS"],
} as const;

const REQUIRED_FOR_CHAT = {
  none: [],
  openai: ["CHAT_URL", "CHAT_MODEL"],
  "workers-ai": ["CHAT_MODEL"],
} as const;

export type Config = z.infer<typeof Variables>;

/** Parses the variables once; an invalid value is refused with its name, never with the value. */
export function readConfig(env: Env): Config {
  const parsed = Variables.safeParse(env);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new AppError(
    "misconfigured",
    `The configuration is not usable. ${complaints.join("; ")}. See "Configuration" in the README.`,
  );
}
