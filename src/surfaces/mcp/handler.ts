import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import { describeError } from "#core/describe-error";
import { invalid } from "#core/errors";
import type { RestEnv } from "#surfaces/rest/rest-env";
import { readPlace } from "./read-place.ts";
import { createServer } from "./server.ts";
import type { McpRequest } from "./tool.ts";

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
  return await handler.fetch(withBody(c.req.raw, text));
}

/** The body was read already, to check that it is UTF-8. */
function withBody({ url, method, headers, signal }: Request, body: string): Request {
  return new Request(url, { method, headers, signal, ...(body === "" ? {} : { body }) });
}
