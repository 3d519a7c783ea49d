import { OpenAPIHono } from "@hono/zod-openapi";
import type { Caller, Log, Services } from "#context";
import type { Costs } from "#core/costs";
import { AppError, detailOf } from "#core/errors";
import { refuseSecretNames } from "#core/safety/name-secrets";
import { breaksOnlyRules, toFieldIssues } from "./problem.ts";
import type { AppliedLimit } from "./rate-limits.ts";

/** Services of one request, opened when it is known how fresh its reads must be. */
export type Opened = { services: Services; costs: Costs; bookmark: () => string | null };

/** So many requests in so many seconds, as the configuration says of a limiter. */
export type RateLimitPolicy = { quota: number; windowSeconds: number };

export type Limiter = {
  limit: (options: { key: string }) => Promise<{ success: boolean }>;
  policy?: RateLimitPolicy | undefined;
};

/** What the worker hands to the app instead of bindings, so that a handler cannot reach one by accident. */
export type RestEnv = {
  Bindings: { open: (consistency?: string) => Opened; limiters: { key: Limiter; stranger: Limiter }; log: Log };
  Variables: { rateLimit?: AppliedLimit; requestId: string; startedAt: number; opened: Opened; ctx: Caller & Services };
};

/** The only way to make a router: a nested one does not inherit its parent's answer to invalid input. */
export function createRouter(): OpenAPIHono<RestEnv> {
  return new OpenAPIHono<RestEnv>({
    defaultHook: (result, c) => {
      if (!result.success) {
        const fields = toFieldIssues(result.error, result.target);
        throw breaksOnlyRules(result.error)
          ? new AppError("unprocessable", fields[0]?.message ?? "A rule is broken.", { fields })
          : new AppError("invalid_input", detailOf(fields), { fields });
      }
      if (keeps(c.req.method, c.req.path) && result.target !== "header") refuseSecretNames(result.data);
    },
  });
}

const KEEPING_METHODS = new Set(["POST", "PUT", "PATCH"]);
/** Of what these are sent nothing is stored, or, of a chat, only what its own reader lets through: the rest is the model server's. */
const KEEPS_NOTHING = new Set([
  "/v1/search",
  "/v1/context",
  "/v1/answer",
  "/v1/entities/search",
  "/v1/extract",
  "/v1/chat/completions",
  // By which a secret that an older release took for an id is erased.
  "/v1/audit/erase",
  // Looks for a text in the errors of jobs.
  "/v1/jobs/rerun",
]);

/** Whether a request may store the names in it. One that reads or deletes may name what an older release has stored. */
function keeps(method: string, path: string): boolean {
  return KEEPING_METHODS.has(method) && !KEEPS_NOTHING.has(path);
}
