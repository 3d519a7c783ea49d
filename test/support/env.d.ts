declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("#worker");
  }
  interface Env {
    DB: D1Database;
    JOBS: Queue<unknown>;
    VECTORS: DurableObjectNamespace<import("#adapters/vector-object/vector-object").VectorObject>;
    KEY_LIMITER: RateLimit;
    STRANGER_LIMITER: RateLimit;
    OAUTH_KV: KVNamespace;
    FILES: R2Bucket;
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
}

interface ImportMeta {
  /** Variables that begin with VITE_ reach workerd, others do not. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
