import { OpenAPIHono } from "@hono/zod-openapi";
import { AppError, detailOf } from "#core/errors";
import { refuseSecretNames } from "#core/safety/name-secrets";
import { breaksOnlyRules, toFieldIssues } from "./problem.ts";
import type { RestEnv } from "./rest-env.ts";

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
