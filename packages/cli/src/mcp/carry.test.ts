import type { JSONRPCMessage, StreamableHTTPClientTransport, TransportSendOptions } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { createCarrier } from "./carry.ts";

type Sent = { message: JSONRPCMessage; options: TransportSendOptions };

/** A connection whose behaviour a test decides; the real one is driven in test/e2e/cli-mcp.test.ts. */
function carrier(send: (sent: Sent) => Promise<void> = async () => undefined) {
  const written: JSONRPCMessage[] = [];
  const logged: string[] = [];
  const sent: Sent[] = [];
  const versions: string[] = [];
  const http = {
    onmessage: undefined as ((message: JSONRPCMessage) => void) | undefined,
    setProtocolVersion: (version: string) => void versions.push(version),
    send: async (message: JSONRPCMessage, options: TransportSendOptions = {}) => {
      sent.push({ message, options });
      await send({ message, options });
    },
  };
  const carry = createCarrier({
    http: asTransport(http),
    write: (message) => void written.push(message),
    log: (line) => void logged.push(line),
    explain: () => "It failed.",
  });
  return { carry, http, written, logged, sent, versions };
}

/** The carrier uses these three members of it. */
function asTransport(http: object): StreamableHTTPClientTransport {
  return http as StreamableHTTPClientTransport;
}

const request = (id: number, method = "tools/list"): JSONRPCMessage => ({ jsonrpc: "2.0", id, method });
const result = (id: number, value: Record<string, unknown> = {}): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: value });
const failure = { code: -32603, message: "It failed." };

it("answers a request that could not be sent", async () => {
  const { carry, written, logged } = carrier(() => Promise.reject(new Error("no connection")));
  await carry(request(1));
  expect(written).toEqual([{ jsonrpc: "2.0", id: 1, error: failure }]);
  expect(logged).toEqual(["It failed."]);
});

it("passes the answer on that a refusal carries", async () => {
  const own = { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } };
  const refuse = () => Promise.reject(Object.assign(new Error("404"), { data: { status: 404, text: JSON.stringify(own) } }));
  const { carry, written } = carrier(refuse);
  await carry(request(1));
  expect(written).toEqual([own]);
  await carry(request(2));
  expect(written[1]).toEqual({ jsonrpc: "2.0", id: 2, error: failure });
});

it("answers a request whose answer breaks off, and no request twice", async () => {
  const { carry, http, written, sent, logged } = carrier();
  const cut = carry(request(1));
  sent[0]?.options.onRequestStreamEnd?.();
  await cut;
  expect(written).toMatchObject([{ id: 1, error: { code: -32603 } }]);
  const whole = carry(request(2));
  http.onmessage?.(result(2));
  sent[1]?.options.onRequestStreamEnd?.();
  http.onmessage?.(result(2));
  await whole;
  expect(written.slice(1)).toEqual([result(2)]);
  expect(logged).toHaveLength(1);
});

it("ends the connection of a cancelled request and answers it no more", async () => {
  const { carry, http, written, sent } = carrier();
  const carried = carry(request(1));
  await carry({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  await carried;
  expect(sent[0]?.options.requestSignal?.aborted).toBe(true);
  http.onmessage?.(result(1));
  expect(written).toEqual([]);
  expect(sent).toHaveLength(1);
});

it("passes on what the server sends meanwhile", async () => {
  const { carry, http, written } = carrier();
  const carried = carry(request(1));
  const progress = { jsonrpc: "2.0" as const, method: "notifications/progress", params: { progressToken: 1, progress: 0.5 } };
  http.onmessage?.(progress);
  http.onmessage?.(result(1));
  await carried;
  expect(written).toEqual([progress, result(1)]);
});

it("names the version that the server chose in later requests of a client of 2025", async () => {
  const { carry, http, versions } = carrier();
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const carried = carry({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  http.onmessage?.(result(1, { protocolVersion: "2025-06-18" }));
  await carried;
  const other = carry(request(2));
  http.onmessage?.(result(2, { protocolVersion: "1999-01-01" }));
  await other;
  expect(versions).toEqual(["2025-06-18"]);
});

it("reports a notification that could not be sent, without an answer", async () => {
  const { carry, written, logged } = carrier(() => Promise.reject(new Error("no connection")));
  await carry({ jsonrpc: "2.0", method: "notifications/initialized" });
  expect(written).toEqual([]);
  expect(logged).toEqual(["It failed."]);
});
