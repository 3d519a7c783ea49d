import type { Counts } from "./counts.ts";
import { D1_USD_PER_GIGABYTE_MONTH, DIMENSIONS, OPERATIONS_PER_MESSAGE, PRICES } from "./prices.ts";

export type Dollars = {
  rowsRead: number;
  rowsWritten: number;
  requests: number;
  queues: number;
  embeddings: number;
  vectorQueries: number;
  total: number;
};

/** Dollars for a million calls of these counts: a price for a million units, times the units of one call. */
export function dollarsPerMillion(counts: Counts): Dollars {
  const parts = {
    rowsRead: counts.rowsRead * PRICES.rowsRead.usdPerMillion,
    rowsWritten: counts.rowsWritten * PRICES.rowsWritten.usdPerMillion,
    requests: counts.requests * PRICES.requests.usdPerMillion,
    queues: counts.messages * OPERATIONS_PER_MESSAGE * PRICES.queueOperations.usdPerMillion,
    embeddings: counts.embeddingTokens * PRICES.embeddingTokens.usdPerMillion,
    vectorQueries: counts.vectorQueries * DIMENSIONS * PRICES.queriedDimensions.usdPerMillion,
  };
  return { ...parts, total: Object.values(parts).reduce((sum, part) => sum + part, 0) };
}

/**
 * Dollars a month for keeping a million vectors. Vectorize bills a stored vector's dimensions as stored and, once a month,
 * as queried: https://developers.cloudflare.com/vectorize/platform/pricing/
 */
export function vectorMonth(): number {
  return DIMENSIONS * (PRICES.queriedDimensions.usdPerMillion + PRICES.storedDimensions.usdPerMillion);
}

/** Dollars a month for keeping a million things of so many bytes in D1. */
export function storageMonth(bytes: number): number {
  const gigabytes = (bytes * 1e6) / 1e9;
  return gigabytes * D1_USD_PER_GIGABYTE_MONTH;
}
