import type { OpenAPIHono } from "@hono/zod-openapi";
import { AppError, invalid } from "#core/errors";
import { ProblemView, problemBody } from "./problem.ts";
import { type HeaderName, headerRefs } from "./response-headers.ts";
import type { RestEnv } from "./rest-env.ts";

type Documented = { name: string; description: string; error: AppError; headers?: readonly HeaderName[] };

/** The errors that an operation may answer with, by status, each with an example that the service really sends. */
const PROBLEMS: Record<number, Documented> = {
  400: {
    name: "InvalidInput",
    description: "The request does not have the form that is described here; `fields` names what is wrong.",
    error: invalid("user_id", "There is no field `user_id`. Did you mean `userId`?"),
  },
  401: {
    name: "Unauthenticated",
    description: "The key or user token is missing or not valid. `reason` says of a token that it has expired or was revoked.",
    error: new AppError("unauthenticated", "The token has expired. Get another one from the server that made it.", {
      reason: "token_expired",
    }),
    headers: ["www-authenticate"],
  },
  403: {
    name: "Forbidden",
    description: "The key or token lacks a permission, which is named, or is for another user or session.",
    error: new AppError("forbidden", 'This key lacks the permission "write".'),
  },
  404: {
    name: "NotFound",
    description: "It does not exist, or the user may not see it. Both have the same answer.",
    error: new AppError("not_found", "There is no such memory."),
  },
  405: {
    name: "MethodNotAllowed",
    description: "The path does not take the method; `allow` names the methods that it takes.",
    error: new AppError("method_not_allowed", "This path does not take that method. It takes GET, HEAD, OPTIONS."),
    headers: ["allow"],
  },
  409: {
    name: "Conflict",
    description: "The request conflicts with what is stored. With `retry-after`, a concurrent request changed the same thing.",
    error: new AppError("conflict", "Others changed the same thing at this moment. Try again.", { retryAfterSeconds: 1 }),
    headers: ["retry-after"],
  },
  412: {
    name: "PreconditionFailed",
    description: "The current version is not the one that `if-match` names.",
    error: new AppError("precondition_failed", "It was changed since: read it again."),
  },
  413: {
    name: "PayloadTooLarge",
    description: "The body is too large.",
    error: new AppError("payload_too_large", "A body may have 1000000 bytes."),
  },
  422: {
    name: "Unprocessable",
    description: "The request has the right form and breaks a rule that no schema can express.",
    error: new AppError("unprocessable", "The span ends before it begins.", {
      fields: [{ path: "to", message: "The span ends before it begins." }],
    }),
  },
  429: {
    name: "RateLimited",
    description: "There were too many requests.",
    error: new AppError("rate_limited", "Too many requests. Send it again after 10 seconds.", { retryAfterSeconds: 10 }),
    headers: ["retry-after", "ratelimit"],
  },
  500: {
    name: "Internal",
    description: "The service failed. The log has the reason under the request id.",
    error: new AppError("internal", ""),
  },
  502: {
    name: "UpstreamFailed",
    description: "A service that the request depends on failed.",
    error: new AppError("upstream_failed", "The model server did not answer.", { retryAfterSeconds: 5 }),
    headers: ["retry-after"],
  },
};

/** The errors of every operation with a key. */
export const PROBLEM_RESPONSES = refsTo((status) => status !== "412");

/** The errors of an operation that takes `if-match`. */
export const PRECONDITION_FAILED = refsTo((status) => status === "412");

/** The errors of an open operation: a key in a browser page, and too many requests from pages of other origins. */
export const OPEN_PROBLEM_RESPONSES = refsTo((status) => status === "403" || status === "429");

function refsTo(chosen: (status: string) => boolean): Record<string, { $ref: string }> {
  const all = Object.entries(PROBLEMS).filter(([status]) => chosen(status));
  return Object.fromEntries(all.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]));
}

export function registerProblems({ openAPIRegistry }: OpenAPIHono<RestEnv>): void {
  openAPIRegistry.register("Problem", ProblemView);
  for (const { name, description, error, headers = [] } of Object.values(PROBLEMS)) {
    openAPIRegistry.registerComponent("responses", name, {
      description,
      headers: headerRefs("x-request-id", ...headers),
      content: {
        "application/problem+json": {
          schema: { $ref: "#/components/schemas/Problem" },
          example: problemBody(error, { requestId: "0f4c2a9e-3a51-4b1c-9a3e-6f1d2c7b8a90", openAi: false }),
        },
      },
    });
  }
}
