import type { Context } from "hono";
import type { RestEnv } from "./rest-env.ts";

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-11: `ratelimit-policy: "key";q=5000;w=10` on every answer that was counted, and on a 429
 * `ratelimit: "key";r=0;t=10`. What remains otherwise is not sent, because the platform's counter does not say.
 */
export function sendRateLimits(c: Context<RestEnv>): void {
  const applied = c.var.rateLimit;
  if (applied?.policy === undefined) return;
  const { name, policy, isExceeded } = applied;
  c.header("ratelimit-policy", `"${name}";q=${policy.quota};w=${policy.windowSeconds}`);
  if (isExceeded) c.header("ratelimit", `"${name}";r=0;t=${policy.windowSeconds}`);
}
