/** What one call cost, as counts that the platform bills or that a caller waits for. */
export type Counts = {
  trips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  embeddings: number;
  /** Estimated, a quarter of the characters of English text. */
  embeddingTokens: number;
  vectorQueries: number;
  vectorsWritten: number;
  messages: number;
  requests: number;
};

export type Summary = { calls: number; median: Counts; max: Counts; total: Counts };

export const NOTHING: Counts = fromNames(() => 0);

/** The middle, the highest value and the sum of each count by itself; of an even number of calls, the lower middle. */
export function summarise(calls: readonly Counts[]): Summary {
  const at = (place: (length: number) => number): Counts => fromNames((name) => sorted(calls, name)[place(calls.length)] ?? 0);
  return {
    calls: calls.length,
    median: at((length) => Math.ceil(length / 2) - 1),
    max: at((length) => length - 1),
    total: sum(calls),
  };
}

/** Each count divided by `by`: what one of several things that were done together cost. */
export function share(counts: Counts, by: number): Counts {
  return fromNames((name) => counts[name] / by);
}

export function sum(calls: readonly Counts[]): Counts {
  return fromNames((name) => calls.reduce((total, counts) => total + counts[name], 0));
}

function sorted(calls: readonly Counts[], name: keyof Counts): number[] {
  return calls.map((counts) => counts[name]).sort((a, b) => a - b);
}

function fromNames(value: (name: keyof Counts) => number): Counts {
  return {
    trips: value("trips"),
    statements: value("statements"),
    rowsRead: value("rowsRead"),
    rowsWritten: value("rowsWritten"),
    embeddings: value("embeddings"),
    embeddingTokens: value("embeddingTokens"),
    vectorQueries: value("vectorQueries"),
    vectorsWritten: value("vectorsWritten"),
    messages: value("messages"),
    requests: value("requests"),
  };
}
