import {
  INTERNAL_ERROR,
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  parseJSONRPCMessage,
  type RequestId,
  type StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";

export type CarryOptions = {
  http: StreamableHTTPClientTransport;
  /** To the client. */
  write: (message: JSONRPCMessage) => void;
  /** One line for people. */
  log: (line: string) => void;
  /** What the client is told when a request could not be carried. */
  explain: (error: unknown) => string;
};

type Running = { abort: AbortController; settle: () => void };

/**
 * Carries messages of an MCP client to a server that speaks HTTP, and its answers back. The transport writes the headers of either era of the
 * protocol; this adds what only a bridge must do: each request is answered, also when the service did not answer it. The function returned
 * settles when a message is sent and, of a request, answered or cancelled; it never rejects.
 */
export function createCarrier({ http, write, log, explain }: CarryOptions): (message: JSONRPCMessage) => Promise<void> {
  const running = new Map<RequestId, Running>();
  let handshake: RequestId | undefined;

  const settle = (id: RequestId) => {
    running.get(id)?.settle();
    running.delete(id);
  };
  const answer = (message: JSONRPCMessage, id: RequestId) => {
    // It was answered before, or cancelled.
    if (!running.has(id)) return;
    write(message);
    settle(id);
  };
  const fail = (id: RequestId, reason: string) => {
    if (running.has(id)) log(reason);
    answer({ jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: reason } }, id);
  };
  http.onmessage = (message) => {
    if (!isJSONRPCResponse(message) || message.id === undefined) return write(message);
    // From here on, requests of clients of 2025 name the version that the server chose.
    if (message.id === handshake && isJSONRPCResultResponse(message)) setVersion(http, message.result);
    answer(message, message.id);
  };

  const request = async (message: JSONRPCRequest) => {
    const { id } = message;
    if (isInitializeRequest(message)) handshake = id;
    const abort = new AbortController();
    const settled = new Promise<void>((resolve) => running.set(id, { abort, settle: resolve }));
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

  return async (message) => {
    const cancelled = cancelledBy(message);
    if (cancelled !== null) {
      // Over HTTP, a request is cancelled by ending its connection: the server keeps nothing that a later message could name.
      running.get(cancelled)?.abort.abort();
      settle(cancelled);
    } else if (isJSONRPCRequest(message)) await request(message);
    else await http.send(message).catch((error: unknown) => log(explain(error)));
  };
}

/** Null for what is no message of the protocol. */
export function parseMessage(text: string): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(JSON.parse(text));
  } catch {
    return null;
  }
}

function cancelledBy(message: JSONRPCMessage): RequestId | null {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return null;
  const id = message.params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function setVersion(http: StreamableHTTPClientTransport, result: Record<string, unknown>): void {
  const { protocolVersion } = result;
  if (typeof protocolVersion === "string") http.setProtocolVersion(protocolVersion);
}

/** A server may refuse with an HTTP error whose body is the JSON-RPC answer. */
function asOwnAnswer(error: unknown, id: RequestId): JSONRPCMessage | null {
  const message = parseMessage(textOf(error) ?? "");
  return message !== null && isJSONRPCResponse(message) && message.id === id ? message : null;
}

/** The body of an HTTP error, as the transport reports it. */
export function textOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("data" in error)) return null;
  const { data } = error;
  return typeof data === "object" && data !== null && "text" in data && typeof data.text === "string" ? data.text : null;
}
