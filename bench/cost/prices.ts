/** When the pages below were read. Prices change: look again before relying on a figure. */
export const READ_ON = "2026-11-20";

const WORKERS_PRICING = "https://developers.cloudflare.com/workers/platform/pricing/";
const VECTORIZE_PRICING = "https://developers.cloudflare.com/vectorize/platform/pricing/";
const AI_PRICING = "https://developers.cloudflare.com/workers-ai/platform/pricing/";

export type Price = { of: string; usdPerMillion: number; source: string };

/** List prices of the paid plan for a million of each, before what the plan includes. */
export const PRICES = {
  rowsRead: { of: "D1 rows read", usdPerMillion: 0.001, source: WORKERS_PRICING },
  rowsWritten: { of: "D1 rows written", usdPerMillion: 1, source: WORKERS_PRICING },
  requests: { of: "Worker invocations, by a request or by a batch of messages", usdPerMillion: 0.3, source: WORKERS_PRICING },
  queueOperations: { of: "Queues operations", usdPerMillion: 0.4, source: WORKERS_PRICING },
  embeddingTokens: { of: "tokens of @cf/qwen/qwen3-embedding-0.6b", usdPerMillion: 0.012, source: AI_PRICING },
  queriedDimensions: { of: "Vectorize dimensions queried", usdPerMillion: 0.01, source: VECTORIZE_PRICING },
  storedDimensions: { of: "Vectorize dimensions stored, each month", usdPerMillion: 0.0005, source: VECTORIZE_PRICING },
} as const satisfies Record<string, Price>;

/** A message is written, read and deleted; each counts for up to 64 KB. */
export const OPERATIONS_PER_MESSAGE = 3;

/** Of @cf/qwen/qwen3-embedding-0.6b. */
export const DIMENSIONS = 1024;

/** The page gives it by the gigabyte: https://developers.cloudflare.com/workers/platform/pricing/ */
export const D1_USD_PER_GIGABYTE_MONTH = 0.75;
