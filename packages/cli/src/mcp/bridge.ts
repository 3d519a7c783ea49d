import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { PARSE_ERROR, serializeMessage } from "@modelcontextprotocol/client";
import type { Host } from "#cli/host";
import { type CarryOptions, createCarrier, parseMessage } from "./carry.ts";

/** How long answers are awaited after standard input ended. A subscription would never end by itself. */
const LAST_ANSWERS_MS = 10_000;

const NO_MESSAGE = "This is no JSON-RPC message.";

/**
 * Carries MCP messages, one a line, between standard input and output and a server that speaks HTTP. It knows no tools: what passes is what
 * both sides said. Returns when standard input has ended and what was asked is answered.
 */
export async function bridge(host: Pick<Host, "stdin" | "stdout">, options: Omit<CarryOptions, "write">): Promise<void> {
  const { http, log } = options;
  const carry = createCarrier({ ...options, write: (message) => void host.stdout.write(serializeMessage(message)) });
  await http.start();
  const open = new Set<Promise<void>>();
  for await (const line of createInterface({ input: host.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const message = parseMessage(line);
    if (message === null) {
      log("A line of standard input is no JSON-RPC message. It was answered with an error.");
      host.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: PARSE_ERROR, message: NO_MESSAGE } })}\n`);
      continue;
    }
    const carried = carry(message).finally(() => open.delete(carried));
    open.add(carried);
  }
  const limit = new AbortController();
  await Promise.race([Promise.all(open), sleep(LAST_ANSWERS_MS, undefined, { signal: limit.signal }).catch(() => undefined)]);
  limit.abort();
  await http.close();
}
