import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A request that a test answers manually, piece by piece. */
export type ManualExchange = {
  request: IncomingMessage;
  body: Record<string, unknown>;
  response: ServerResponse;
  /** The other side disconnected before the answer's end. */
  left: Promise<void>;
};

export type ManualUpstream = {
  url: string;
  /** The next request that comes. */
  next(): Promise<ManualExchange>;
  close(): Promise<void>;
};

/** A model server that sends nothing by itself, so that a test decides the order of events. */
export async function startManualUpstream(): Promise<ManualUpstream> {
  const waiting: ((exchange: ManualExchange) => void)[] = [];
  const come: ManualExchange[] = [];
  const server = createServer((request, response) => {
    void receive(request, response).then((exchange) => {
      const taker = waiting.shift();
      if (taker === undefined) come.push(exchange);
      else taker(exchange);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`,
    next: () => {
      const exchange = come.shift();
      return exchange === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(exchange);
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<ManualExchange> {
  const left = new Promise<void>((resolve) => {
    response.on("close", () => {
      if (!response.writableFinished) resolve();
    });
  });
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString("utf8");
  return { request, body: text === "" ? {} : asRecord(JSON.parse(text)), response, left };
}

function asRecord(json: unknown): Record<string, unknown> {
  return json as Record<string, unknown>;
}

/** One event of a stream, with text of the assistant. */
export function wordsEvent(content: string): string {
  const choice = { index: 0, delta: { content }, finish_reason: null };
  const chunk = { id: "chatcmpl-manual", object: "chat.completion.chunk", created: 1, model: "echo", choices: [choice] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
