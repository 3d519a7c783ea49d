declare namespace Cloudflare {
  interface Env {
    DB: D1Database;
    JOBS: Queue<unknown>;
    VECTORS: DurableObjectNamespace<import("#adapters/vector-object/vector-object").VectorObject>;
    KEY_LIMITER: RateLimit;
    STRANGER_LIMITER: RateLimit;
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
}
