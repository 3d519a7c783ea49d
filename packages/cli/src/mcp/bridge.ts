import { createInterface } from "node:readline";
import {
  INTERNAL_ERROR,
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type RequestId,
  type StreamableHTTPClientTransport,
  serializeMessage,
} from "@modelcontextprotocol/client";
import type { Host } from "#cli/host";

type BridgeOptions = {
  http: StreamableHTTPClientTransport;
  host: Pick<Host, "stdin" | "stdout">;
  /** One line for people; standard output belongs to the protocol. */
  log: (line: string) => void;
  /** What the client is told when a request could not be carried. */
  explain: (error: unknown) => string;
};

type Running = { abort: AbortController; settle: () => void };

/**
 * Carries JSON-RPC messages between standard input and output, one a line, and an MCP server that speaks HTTP. It knows no tools: what passes
 * is what both sides said. The transport writes the headers of either era of the protocol; this adds what only a bridge must do: each request
 * is answered, also when the service did not answer it. Returns when standard input ended and everything asked is answered.
 */
export async function bridge({ http, host, log, explain }: BridgeOptions): Promise<void> {
  const running = new Map<RequestId, Running>();
  let handshake: RequestId | undefined;

  const write = (message: JSONRPCMessage) => void host.stdout.write(serializeMessage(message));
  const answer = (message: JSONRPCMessage, id: RequestId | undefined) => {
    write(message);
    if (id === undefined) return;
    running.get(id)?.settle();
    running.delete(id);
  };
  const fail = (id: RequestId, reason: string) => {
    log(reason);
    if (running.has(id)) answer({ jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: reason } }, id);
  };

  http.onmessage = (message) => {
    if (!isJSONRPCResponse(message)) return write(message);
    // From here on, requests of clients of 2025 name the version that the server chose.
    if (message.id !== undefined && message.id === handshake && isJSONRPCResultResponse(message))
      setVersion(http, message.result);
    answer(message, message.id);
  };

  const forward = async (message: JSONRPCMessage) => {
    if (isCancellation(message, running)) return;
    if (!isJSONRPCRequest(message)) return await http.send(message).catch((error: unknown) => log(explain(error)));
    const { id } = message;
    if (isInitializeRequest(message)) handshake = id;
    const abort = new AbortController();
    const settled = new Promise<void>((settle) => running.set(id, { abort, settle }));
    const onRequestStreamEnd = () => fail(id, "The service ended its answer before it was complete. Try again.");
    try {
      await http.send(message, { requestSignal: abort.signal, onRequestStreamEnd });
    } catch (error) {
      const own = asOwnAnswer(error, id);
      if (own === null) fail(id, explain(error));
      else answer(own, id);
    }
    await settled;
  };

  await http.start();
  const open = new Set<Promise<void>>();
  for await (const line of createInterface({ input: host.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const message = parseLine(line);
    if (message === null) {
      log("A line of standard input is no JSON-RPC message; it was answered with an error.");
      host.stdout.write(
        `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: PARSE_ERROR, message: "This is no JSON-RPC message." } })}\n`,
      );
      continue;
    }
    const carried = forward(message);
    open.add(carried);
    void carried.finally(() => open.delete(carried));
  }
  await Promise.all(open);
  await http.close();
}

function parseLine(line: string): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Over HTTP, a request is cancelled by ending its connection: the server keeps nothing that a later message could name. */
function isCancellation(message: JSONRPCMessage, running: Map<RequestId, Running>): boolean {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return false;
  const id = message.params?.requestId;
  const request = typeof id === "string" || typeof id === "number" ? running.get(id) : undefined;
  if (request === undefined || (typeof id !== "string" && typeof id !== "number")) return true;
  running.delete(id);
  request.abort.abort();
  request.settle();
  return true;
}

function setVersion(http: StreamableHTTPClientTransport, result: Record<string, unknown>): void {
  const { protocolVersion } = result;
  if (typeof protocolVersion === "string") http.setProtocolVersion(protocolVersion);
}

/** A server may refuse with an HTTP error whose body is the JSON-RPC answer. */
function asOwnAnswer(error: unknown, id: RequestId): JSONRPCMessage | null {
  const text = textOf(error);
  const message = text === null ? null : parseLine(text);
  return message !== null && isJSONRPCResponse(message) && message.id === id ? message : null;
}

/** The body of an HTTP error, as the transport reports it. */
export function textOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("data" in error)) return null;
  const { data } = error;
  return typeof data === "object" && data !== null && "text" in data && typeof data.text === "string" ? data.text : null;
}
