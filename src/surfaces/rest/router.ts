import { OpenAPIHono } from "@hono/zod-openapi";
import type { Caller, Log, Services } from "#context";
import type { Costs } from "#core/costs";
import { AppError, detailOf } from "#core/errors";
import { refuseSecretNames } from "#core/safety/name-secrets";
import { breaksOnlyRules, toFieldIssues } from "./problem.ts";
import type { AppliedLimit } from "./rate-limits.ts";
import type { MatchedRoute } from "./route-table.ts";

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
  Variables: {
    requestId: string;
    startedAt: number;
    route: MatchedRoute;
    opened: Opened;
    rateLimit?: AppliedLimit;
    ctx: Caller & Services;
  };
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
      // A request that only reads or deletes may name what an older release has stored.
      if (c.var.route.traits?.storesNames === true && result.target !== "header") refuseSecretNames(result.data);
    },
  });
}
