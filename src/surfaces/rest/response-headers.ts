import type { OpenAPIHono } from "@hono/zod-openapi";
import type { RestEnv } from "./rest-env.ts";

/** Response headers, as `components.headers` of the document. */
const HEADERS = {
  "x-request-id": {
    description: "The id of the request, for support and logs. A valid one that the client sent is kept.",
    schema: { type: "string" },
    example: "0f4c2a9e-3a51-4b1c-9a3e-6f1d2c7b8a90",
  },
  "x-edgewise-bookmark": {
    description: "The state of the database. Send it with the next request to read at least what this one saw or wrote.",
    schema: { type: "string" },
    example: "00000001-00000002-00004e57-5f8a2c1d",
  },
  "server-timing": {
    description: "The duration of the request in milliseconds; for admin keys also its costs.",
    schema: { type: "string" },
    example: "total;dur=12",
  },
  etag: {
    description: "The version of the answer, for the if-match header of a change.",
    schema: { type: "string" },
    example: '"3"',
  },
  "idempotency-replayed": {
    description: "`true` if a request with the same Idempotency-Key was carried out before. The body is a receipt.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  "x-edgewise-memory": {
    description: "What memory did for a completion: injected, answered, none, skipped, side-request or off, with details.",
    schema: { type: "string" },
    example: "injected; items=3; tokens=120",
  },
  "x-edgewise-forgot": {
    description:
      "What was forgotten before the reply because the last message explicitly asks for it: ids, separated by commas, by which POST /v1/forgettings/{id}/undo brings it back.",
    schema: { type: "string" },
    example: "fgt_01a20386-7c1f-7b1e-9d52-6a1f0c3e8b21",
  },
  "retry-after": {
    description: "Seconds after which the same request may succeed.",
    schema: { type: "integer" },
    example: 10,
  },
  "ratelimit-policy": {
    description: "How many requests are accepted: q in w seconds (draft-ietf-httpapi-ratelimit-headers-11).",
    schema: { type: "string" },
    example: '"key";q=5000;w=10',
  },
  ratelimit: {
    description: "When nothing is left of the policy: r is 0, and after t seconds at the latest there is more.",
    schema: { type: "string" },
    example: '"key";r=0;t=10',
  },
  allow: {
    description: "The methods that the path takes.",
    schema: { type: "string" },
    example: "GET, HEAD, OPTIONS",
  },
  "www-authenticate": {
    description: "How to send a key or token; with `invalid_token` and the reason for a token that was valid.",
    schema: { type: "string" },
    example: 'Bearer realm="edgewise"',
  },
} as const;

export type HeaderName = keyof typeof HEADERS;

/** References to headers, for a response. */
export function headerRefs(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of a success. */
export function answerHeaders({ isReplayed }: { isReplayed: boolean }): Record<string, { $ref: string }> {
  return headerRefs(
    "x-request-id",
    "x-edgewise-bookmark",
    "server-timing",
    "ratelimit-policy",
    ...(isReplayed ? ["idempotency-replayed" as const] : []),
  );
}

export function registerHeaders({ openAPIRegistry }: OpenAPIHono<RestEnv>): void {
  for (const [name, header] of Object.entries(HEADERS)) openAPIRegistry.registerComponent("headers", name, header);
}
