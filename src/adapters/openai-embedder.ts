import { upstreamFailed } from "#core/errors";
import { isRecord } from "#core/is-record";
import type { Cosines } from "#core/rank/cut";
import type { Embedder, EmbeddingPurpose } from "#ports/embedder";
import { batches, inParallel, type Pause, retryPassing } from "./calls.ts";
import { cosinesOf } from "./cosines.ts";
import { BLANK, readVectors } from "./embedding-reply.ts";
import { type OpenAiServer, post, readJson, refusal } from "./openai-http.ts";
import { WORD_MEANINGS } from "./word-meanings.ts";

const TIMEOUT_MS = 30_000;
const MAX_BATCH = 64;
const PARALLEL_BATCHES = 4;
const WHO = "The embeddings server";

export type OpenAiEmbedderOptions = {
  /** Up to and including the version, such as `http://localhost:11434/v1`. */
  url: string;
  model: string;
  dimensions: number;
  apiKey?: string;
  fetch: typeof fetch;
  /** For one attempt; an attempt that times out is not repeated. */
  timeoutMs?: number;
  maxBatch?: number;
  /** The prefix of a question for an asymmetric model, such as `search_query: `. */
  queryPrefix?: string;
  documentPrefix?: string;
  /** In place of what is known of the model. */
  cosines?: Partial<Cosines>;
  pause?: Pause;
};

/** Any server that speaks OpenAI's `POST /v1/embeddings`: OpenAI, Ollama, llama.cpp, vLLM, LM Studio, text-embeddings-inference. */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { dimensions, queryPrefix = "", documentPrefix = "", maxBatch = MAX_BATCH, pause } = options;

  async function embedBatch(input: readonly string[]): Promise<Float32Array[]> {
    const rows = await retryPassing(() => ask(options, input), pause);
    return readVectors(rows, { count: input.length, dimensions, who: WHO });
  }

  return {
    model: `${options.model}@${dimensions}`,
    dimensions,
    host: new URL(options.url).host,
    nature: "semantic",
    cosines: cosinesOf(options.model, options.cosines),
    words: WORD_MEANINGS,
    async embed(texts, purpose) {
      const input = texts.map((text) => prefixed(text, purpose));
      const vectors = await inParallel(batches(input, maxBatch), PARALLEL_BATCHES, embedBatch);
      return vectors.flat();
    },
  };

  function prefixed(text: string, purpose: EmbeddingPurpose): string {
    return (purpose === "query" ? queryPrefix : documentPrefix) + text || BLANK;
  }
}

async function ask(options: OpenAiEmbedderOptions, input: readonly string[]): Promise<unknown[]> {
  const server: OpenAiServer = {
    who: WHO,
    url: options.url,
    apiKey: options.apiKey,
    fetch: options.fetch,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    variables: { url: "EMBEDDINGS_URL", key: "EMBEDDINGS_API_KEY", model: "EMBEDDING_MODEL" },
  };
  const response = await post(server, "/embeddings", { model: options.model, input, encoding_format: "float" });
  if (!response.ok) {
    await response.body?.cancel();
    throw refusal(server, response);
  }
  return inOrder(await readJson(server, response));
}

/** `data` ordered by each row's `index`; without `index`, in the order received. */
function inOrder(body: unknown): unknown[] {
  if (!isRecord(body) || !Array.isArray(body.data)) throw upstreamFailed(`${WHO} answered no list of vectors.`);
  const rows = body.data.map((row: unknown, position) => {
    if (!isRecord(row)) throw upstreamFailed(`${WHO} answered something that is no vector.`);
    return { index: typeof row.index === "number" ? row.index : position, embedding: row.embedding };
  });
  rows.sort((a, b) => a.index - b.index);
  if (rows.some(({ index }, position) => index !== position)) throw upstreamFailed(`${WHO} numbered its vectors wrongly.`);
  return rows.map(({ embedding }) => embedding);
}
