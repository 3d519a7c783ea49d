/**
 * What one request cost, from the platform's own counters. A trip is one sequential call to D1; a batch is one trip. Embeddings and vector
 * queries are those that the request asked for, also where an open circuit refused them.
 */
export type Costs = {
  trips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  databaseMs: number;
  embeddingCalls: number;
  vectorQueries: number;
  vectorsWritten: number;
  queueMessages: number;
};

export function newCosts(): Costs {
  return {
    trips: 0,
    statements: 0,
    rowsRead: 0,
    rowsWritten: 0,
    databaseMs: 0,
    embeddingCalls: 0,
    vectorQueries: 0,
    vectorsWritten: 0,
    queueMessages: 0,
  };
}
