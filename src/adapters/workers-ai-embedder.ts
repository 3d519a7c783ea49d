import { upstreamFailed } from "#core/errors";
import type { Cosines } from "#core/rank/cut";
import type { Embedder, EmbeddingPurpose } from "#ports/embedder";
import { batches, inParallel, type Pause, retryPassing } from "./calls.ts";
import { cosinesOf } from "./cosines.ts";
import { BLANK, readVectors } from "./embedding-reply.ts";
import { WORD_MEANINGS } from "./word-meanings.ts";
import { failureOf, type WorkersAiBinding } from "./workers-ai-failure.ts";

const TIMEOUT_MS = 30_000;
const PARALLEL_BATCHES = 4;
const WHO = "Workers AI";
const INSTRUCTION = "Given a message in a conversation, retrieve memories and passages that help to answer it";

export type WorkersAiEmbedderOptions = {
  ai: WorkersAiBinding;
  /** A name in the catalogue, such as `@cf/qwen/qwen3-embedding-0.6b`. */
  model: string;
  dimensions: number;
  /** The purpose of a question; only models that take an instruction use it. */
  instruction?: string;
  /** In place of what is known of the model. */
  cosines?: Partial<Cosines>;
  /** For one attempt; an attempt that times out is not repeated. */
  timeoutMs?: number;
  pause?: Pause;
};

type Family = {
  /** From the model's schema in Cloudflare's catalogue. */
  maxBatch: number;
  /** Part of the model's name here, because vectors of two kinds of pooling cannot be compared. */
  space: string;
  inputs(texts: readonly string[], purpose: EmbeddingPurpose, instruction: string): Record<string, unknown>;
};

/** Text models of Workers AI; the names, forms and batch sizes are those of its catalogue. */
export function createWorkersAiEmbedder(options: WorkersAiEmbedderOptions): Embedder {
  const { model, dimensions, instruction = INSTRUCTION, pause } = options;
  const family = familyOf(model);

  return {
    model: `${model}${family.space}@${dimensions}`,
    dimensions,
    host: "Cloudflare Workers AI",
    nature: "semantic",
    cosines: cosinesOf(model, options.cosines),
    words: WORD_MEANINGS,
    async embed(texts, purpose) {
      const input = texts.map((text) => text || BLANK);
      const vectors = await inParallel(batches(input, family.maxBatch), PARALLEL_BATCHES, async (batch) => {
        const rows = await retryPassing(() => ask(options, family.inputs(batch, purpose, instruction)), pause);
        return readVectors(rows, { count: batch.length, dimensions, who: `${WHO}'s ${model}` });
      });
      return vectors.flat();
    },
  };
}

const QWEN3: Family = {
  maxBatch: 32,
  space: "",
  inputs: (texts, purpose, instruction) => (purpose === "query" ? { queries: texts, instruction } : { documents: texts }),
};
const BGE_M3: Family = { maxBatch: 100, space: "", inputs: (text) => ({ text, truncate_inputs: true }) };
const BGE_ENGLISH: Family = { maxBatch: 100, space: "+cls", inputs: (text) => ({ text, pooling: "cls" }) };
/** The smallest batch that any known model takes, for unknown models. */
const OTHER: Family = { maxBatch: 32, space: "", inputs: (text) => ({ text }) };

function familyOf(model: string): Family {
  if (model.includes("qwen3-embedding")) return QWEN3;
  if (model.includes("bge-m3")) return BGE_M3;
  if (/bge-(small|base|large)-en/.test(model)) return BGE_ENGLISH;
  return OTHER;
}

async function ask(options: WorkersAiEmbedderOptions, inputs: Record<string, unknown>): Promise<unknown[]> {
  const { ai, model, timeoutMs = TIMEOUT_MS } = options;
  let reply: unknown;
  try {
    reply = await ai.run(model, inputs, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    throw failureOf(error, { model, variable: "EMBEDDING_MODEL" });
  }
  return rowsOf(reply);
}

function rowsOf(reply: unknown): unknown[] {
  if (typeof reply !== "object" || reply === null || !("data" in reply) || !Array.isArray(reply.data)) {
    throw upstreamFailed(`${WHO} answered no list of vectors.`);
  }
  if ("shape" in reply && Array.isArray(reply.shape) && reply.shape[0] !== reply.data.length) {
    throw upstreamFailed(`${WHO} answered a list that is not of the shape it names.`);
  }
  return reply.data;
}
