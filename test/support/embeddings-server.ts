import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createLexicalEmbedder } from "#adapters/lexical-embedder";

/** Not every server scales its vectors. */
const LENGTH = 3;

/** How the server may fail one request instead of answering it. */
export type Misbehaviour =
  | { status: number; retryAfter?: string }
  | "hang"
  | "hang in body"
  | "hang up"
  | "html"
  | keyof typeof SPOILT;

type Body = { model: string; input: string[]; encoding_format?: string };

type ServedRequest = { body: Body; authorization: string | undefined };

export type EmbeddingsServer = {
  /** The base URL for an OpenAI-compatible client. */
  url: string;
  /** How the server handles the next requests, first to last; later ones succeed. */
  misbehave(...next: Misbehaviour[]): void;
  requests: ServedRequest[];
  close(): Promise<void>;
};

export type EmbeddingsServerOptions = { port?: number; dimensions?: number; apiKey?: string; maxBatch?: number };

/** Implements OpenAI's `POST /v1/embeddings` with lexical vectors: for tests, and for trying a whole service without a model. */
export async function startEmbeddingsServer(options: EmbeddingsServerOptions = {}): Promise<EmbeddingsServer> {
  const { port = 0, dimensions = 64, apiKey, maxBatch = 100 } = options;
  const embedder = createLexicalEmbedder({ dimensions });
  const misbehaviours: Misbehaviour[] = [];
  const requests: ServedRequest[] = [];

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST" || request.url !== "/v1/embeddings")
      return send(response, 404, { error: { message: "no such path" } });
    const { authorization } = request.headers;
    if (apiKey !== undefined && authorization !== `Bearer ${apiKey}`)
      return send(response, 401, { error: { message: `bad key: ${authorization}` } });
    const body = asBody(JSON.parse(await read(request)));
    requests.push({ body, authorization });
    const complaint = complaintAbout(body, maxBatch);
    if (complaint !== undefined) return send(response, 400, { error: { message: complaint } });
    const vectors = await embedder.embed(body.input, "document");
    answer(response, body, vectors, misbehaviours.shift());
  }

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}/v1`,
    misbehave: (...next) => misbehaviours.push(...next),
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** Not validated yet: `complaintAbout` checks each part. */
function asBody(json: unknown): Body {
  return json as Body;
}

function complaintAbout(
  { input, model, encoding_format }: ServedRequest["body"] & { encoding_format?: string },
  maxBatch: number,
) {
  if (typeof model !== "string") return "no model";
  if (encoding_format !== "float") return "encoding_format has to be float";
  if (!Array.isArray(input) || input.length === 0 || input.length > maxBatch) return `input has to be 1 to ${maxBatch} texts`;
  if (input.some((text) => text === "")) return "input may not hold an empty text";
  return undefined;
}

type Row = { object: string; index: number; embedding: number[] };

/** Replies that are well-formed HTTP and JSON, with wrong content or only in another order. */
const SPOILT = {
  "no list": () => undefined,
  "short list": (rows: Row[]) => rows.slice(1),
  "wrong dimension": (rows: Row[]) => rows.map((row) => ({ ...row, embedding: [1, 2, 3] })),
  "no numbers": (rows: Row[]) => rows.map((row) => ({ ...row, embedding: "AAAA" })),
  "no direction": (rows: Row[]) => rows.map((row) => ({ ...row, embedding: row.embedding.map(() => 0) })),
  shuffled: (rows: Row[]) => rows.toReversed(),
  "without index": (rows: Row[]) => rows.map(({ embedding }) => ({ embedding })),
  "one index twice": (rows: Row[]) => rows.map((row) => ({ ...row, index: 0 })),
};

function answer(response: ServerResponse, { model, input }: Body, vectors: Float32Array[], misbehaviour?: Misbehaviour): void {
  const rows = vectors.map((vector, index) => ({
    object: "embedding",
    index,
    embedding: Array.from(vector, (value) => value * LENGTH),
  }));
  if (typeof misbehaviour === "object") {
    if (misbehaviour.retryAfter !== undefined) response.setHeader("retry-after", misbehaviour.retryAfter);
    send(response, misbehaviour.status, { error: { message: `cannot embed: ${input.join()}` } });
  } else if (misbehaviour === "html") {
    response.writeHead(200, { "content-type": "text/html" }).end(`<html>${input.join()}</html>`);
  } else if (misbehaviour === "hang up") {
    response.destroy();
  } else if (misbehaviour === "hang in body") {
    response.writeHead(200, { "content-type": "application/json" }).write('{"data": [');
  } else if (misbehaviour !== "hang") {
    const data = misbehaviour === undefined ? rows : SPOILT[misbehaviour](rows);
    send(response, 200, { object: "list", model, data, usage: { prompt_tokens: input.length, total_tokens: input.length } });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** `node test/support/embeddings-server.ts [port] [dimensions]` */
if (import.meta.main) {
  const [port = "11435", dimensions = "512"] = process.argv.slice(2);
  const { url } = await startEmbeddingsServer({ port: Number(port), dimensions: Number(dimensions) });
  process.stdout.write(`Embeddings of ${dimensions} dimensions, lexical ones, at ${url}\n`);
}
