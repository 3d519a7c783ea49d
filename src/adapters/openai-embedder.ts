import { AppError, misconfigured, upstreamFailed } from "#core/errors";
import type { Embedder, EmbeddingPurpose } from "#ports/embedder";
import { batches, inParallel } from "./batches.ts";
import { BLANK, readVectors } from "./embedding-reply.ts";
import { Passing, type Pause, retryPassing } from "./retry.ts";

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
  /** For one attempt; an attempt that runs out of it is not repeated. */
  timeoutMs?: number;
  maxBatch?: number;
  /** What an asymmetric model wants before a question, such as `search_query: `. */
  queryPrefix?: string;
  documentPrefix?: string;
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
    nature: "semantic",
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
  const response = await send(options, input);
  if (!response.ok) {
    await response.body?.cancel();
    throw refusal(response);
  }
  return inOrder(await readBody(response));
}

async function send(options: OpenAiEmbedderOptions, input: readonly string[]): Promise<Response> {
  const { url, model, apiKey, timeoutMs = TIMEOUT_MS } = options;
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (apiKey !== undefined) headers.authorization = `Bearer ${apiKey}`;
  const call = options.fetch;
  try {
    return await call(`${url.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      headers,
      body: JSON.stringify({ model, input, encoding_format: "float" }),
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw unreachable(error);
  }
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) throw upstreamFailed(`${WHO} answered something that is no JSON.`);
    throw unreachable(error);
  }
}

/** `data` by each row's `index`; a server that leaves `index` out is taken at its order. */
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

function refusal(response: Response): Error {
  const { status } = response;
  if (status === 401 || status === 403) return misconfigured(`${WHO} refused the key (${status}). Set EMBEDDINGS_API_KEY.`);
  if (status === 404) return misconfigured(`${WHO} knows no such model or path (404). Check EMBEDDINGS_URL and EMBEDDING_MODEL.`);
  const afterMs = retryAfterMs(response);
  const failure = new AppError(
    "upstream_failed",
    `${WHO} answered ${status}.`,
    afterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(afterMs / 1000) },
  );
  return status === 429 || status >= 500 ? new Passing(failure, afterMs) : failure;
}

/** Only the form in seconds: a date would need a clock, and servers of models do not send one. */
function retryAfterMs(response: Response): number | undefined {
  const header = response.headers.get("retry-after");
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1000 : undefined;
}

/** A fetch error's own message may hold the address, and with it a password: only its name is told. */
function unreachable(error: unknown): Error {
  const name = error instanceof Error ? error.name : "error";
  if (name === "TimeoutError") return upstreamFailed(`${WHO} did not answer in time.`);
  return new Passing(upstreamFailed(`${WHO} could not be reached (${name}).`));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
