import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import { describeError } from "#core/describe-error";
import { invalid } from "#core/errors";
import { isRecord } from "#core/is-record";
import type { RestEnv } from "#surfaces/rest/rest-env";
import { BOTH_FORMS, formOf, inForm } from "./answer-form.ts";
import { readPlace } from "./read-place.ts";
import { createServer } from "./server.ts";
import { type McpRequest, present } from "./tool.ts";

/**
 * Answers one MCP message for the caller of `c.var.ctx`: in the words of the specification of 2026-07-28, and without sessions for clients
 * of 2025. Whoever mounts it has checked the credential, the origin and the limits before.
 */
export async function handleMcp(c: Context<RestEnv>): Promise<Response> {
  const { ctx } = c.var;
  const text = await c.req.text();
  // One message a request: a batch would pass the rate limit as one request, however many calls it has.
  if (text.trimStart().startsWith("[")) throw invalid("body", "It is a JSON-RPC batch. Send one message a request.");
  const request: McpRequest = {
    ctx: { ...ctx, via: "mcp" },
    place: () => readPlace(ctx, c.req.raw.headers),
    origin: new URL(c.req.url).origin,
  };
  const handler = createMcpHandler(() => createServer(request), {
    legacy: "stateless",
    // Nothing that a client could subscribe to changes without its doing.
    maxSubscriptions: 0,
    onerror: (error) => ctx.log("mcp.failed", { requestId: ctx.requestId, ...describeError(error) }),
  });
  const answer = await handler.fetch(toTransport(c.req.raw, withoutNulls(text)));
  return await inForm(answer, formOf(c.req.header("accept") ?? null));
}

/** The body was read already, to check that it is UTF-8. The transport refuses a client that does not accept both forms. */
function toTransport({ url, method, headers: given, signal }: Request, body: string): Request {
  const headers = new Headers(given);
  headers.set("accept", BOTH_FORMS);
  return new Request(url, { method, headers, signal, ...(body === "" ? {} : { body }) });
}

/** The message without parameters and arguments that are null: many clients send null for what is left out. */
function withoutNulls(text: string): string {
  const message = parsed(text);
  if (!isRecord(message) || !("params" in message)) return text;
  const { params, ...rest } = message;
  if (params === null) return JSON.stringify(rest);
  if (!isRecord(params)) return text;
  const args = isRecord(params.arguments) ? { arguments: present(params.arguments) } : {};
  return JSON.stringify({ ...rest, params: { ...present(params), ...args } });
}

/** Undefined for what is no JSON, about which the transport says so. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
