import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { estimateTokens } from "../../src/core/text/estimate-tokens.ts";
import type { EmbeddingsServer } from "../../test/support/embeddings-server.ts";
import type { Counts } from "./counts.ts";

const WAIT_MS = 60_000;
const POLL_MS = 25;

const JobsLine = z.object({
  event: z.literal("jobs"),
  messages: z.number(),
  trips: z.number(),
  statements: z.number(),
  rowsRead: z.number(),
  rowsWritten: z.number(),
  embeddingCalls: z.number(),
  vectorQueries: z.number(),
  vectorsWritten: z.number(),
  queueMessages: z.number(),
});

type JobsBatch = { messages: number; counts: Counts };

export type Background = {
  /** Called with each line that the service prints. */
  onLine: (line: string) => void;
  /** Batches of jobs that ran since the last call, once they contain so many messages. */
  batches: (messages: number) => Promise<JobsBatch[]>;
  /** Clears what was recorded until now. */
  forget: () => void;
};

/** Reads the log lines of the queue's consumer about its batches. */
export function listenToJobs(): Background {
  let seen: JobsBatch[] = [];
  return {
    onLine(line) {
      const parsed = JobsLine.safeParse(jsonOf(line));
      if (parsed.success) seen.push(toBatch(parsed.data));
    },
    async batches(messages) {
      const until = performance.now() + WAIT_MS;
      while (seen.reduce((sum, batch) => sum + batch.messages, 0) < messages) {
        if (performance.now() > until) throw new Error(`The queue did not run ${messages} messages within ${WAIT_MS / 1_000} s.`);
        await sleep(POLL_MS);
      }
      const taken = seen;
      seen = [];
      return taken;
    },
    forget() {
      seen = [];
    },
  };
}

function toBatch(line: z.infer<typeof JobsLine>): JobsBatch {
  const { trips, statements, rowsRead, rowsWritten, vectorQueries, vectorsWritten } = line;
  const counts: Counts = {
    trips,
    statements,
    rowsRead,
    rowsWritten,
    vectorQueries,
    vectorsWritten,
    embeddings: line.embeddingCalls,
    embeddingTokens: 0,
    messages: line.queueMessages,
    requests: 1,
  };
  return { messages: line.messages, counts };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A line of wrangler's own.
    return null;
  }
}

/** Tokens that were embedded since the last time. The server has no model, so they are estimated from the texts. */
export function takeTokens(server: EmbeddingsServer): number {
  const texts = server.requests.splice(0).flatMap(({ body }) => body.input);
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}
