import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { EdgewiseConnectionError, EdgewiseTimeoutError } from "./errors.ts";
import { parseOperation } from "./operation.ts";
import { createSend } from "./send.ts";

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve) ?? resolve(null));
});

/** A sender of this server's, over a real connection; it does not wait between attempts. */
async function connected(listener: RequestListener) {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const { port } = asAddress(listening.address());
  const platform = { now: Date.now, random: Math.random, newKey: () => "key-1", wait: async () => undefined };
  const send = createSend({ baseUrl: `http://127.0.0.1:${port}`, token: "ew_1" }, platform, { bookmark: null });
  const chat = parseOperation("chat", "POST~/completions");
  const add = parseOperation("memories", "POST!");
  return { chat: () => send(chat, {}, {}), add: (timeoutMs = 5000) => send(add, { content: "é" }, { timeoutMs }) };
}

/** Safe for a server that listens on a port. */
function asAddress(address: AddressInfo | string | null): AddressInfo {
  return address as AddressInfo;
}

it("repeats the whole request with its key when the connection drops, also in the middle of an answer", async () => {
  const keys: unknown[] = [];
  const bodies: string[] = [];
  const { add } = await connected(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    keys.push(request.headers["idempotency-key"]);
    bodies.push(Buffer.concat(chunks).toString());
    if (keys.length === 1) return void request.socket.destroy();
    response.writeHead(201, { "content-type": "application/json", "content-length": "13" });
    if (keys.length === 3) return void response.end('{"id":"mem1"}');
    response.write('{"id"', () => request.socket.destroy());
  });
  expect((await add()).data).toEqual({ id: "mem1" });
  expect(keys).toEqual(["key-1", "key-1", "key-1"]);
  expect(bodies).toEqual(['{"content":"é"}', '{"content":"é"}', '{"content":"é"}']);
});

it("does not carry the key to where a redirect points", async () => {
  const paths: unknown[] = [];
  const { add } = await connected((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  await expect(add()).rejects.toMatchObject({ status: 307, code: "unexpected_answer" });
  expect(paths).toEqual(["/v1/memories"]);
});

it("gives up a server that is silent, before and in the middle of an answer", async () => {
  let requests = 0;
  const { add } = await connected((_, response) => {
    requests++;
    if (requests === 2) response.writeHead(201, { "content-type": "application/json" }).write("{");
  });
  await expect(add(50)).rejects.toBeInstanceOf(EdgewiseTimeoutError);
  expect(requests).toBe(3);
});

it("says that nobody listens", async () => {
  const { add } = await connected(() => undefined);
  await new Promise((resolve) => server?.close(resolve));
  await expect(add()).rejects.toBeInstanceOf(EdgewiseConnectionError);
});

it("ends the request when a loop over a stream ends early", async () => {
  const { promise: ended, resolve: closed } = Promise.withResolvers<void>();
  const { chat } = await connected((_, response) => {
    response.on("close", () => closed());
    response.writeHead(200, { "content-type": "text/event-stream" }).write('data: {"n":1}\n\n');
  });
  const { data } = await chat();
  for await (const chunk of asStream(data)) {
    expect(chunk).toEqual({ n: 1 });
    break;
  }
  await ended;
});

/** Safe for an answer of server-sent events. */
function asStream(data: unknown): AsyncIterable<unknown> {
  return data as AsyncIterable<unknown>;
}
