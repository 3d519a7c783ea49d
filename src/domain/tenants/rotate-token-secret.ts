import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { requirePermission } from "#core/permission";
import { commitUnlessLost } from "#domain/audit";
import { requireKey } from "./create-token.ts";
import { keyInForce, revokedMeanwhile } from "./issue-key.ts";
import type { RotatedView } from "./schemas.ts";
import { addSecret, OVERLAP_MS, sealNewSecret } from "./token-secrets.ts";

/**
 * Signs the tenant's tokens with a new secret from now on. The one before is accepted for an hour, as long as the longest token lives; one
 * before that is dropped, so that rotating twice ends every earlier token.
 * @throws unauthenticated if the caller's key has just been revoked.
 * @throws unprocessable without an ENCRYPTION_KEY.
 */
export async function rotateTokenSecret(ctx: Ctx<"db" | "now" | "newId" | "secretBox" | "caches">): Promise<RotatedView> {
  requirePermission(requireKey(ctx.actor), "admin");
  const sealed = await sealNewSecret(ctx);
  const now = ctx.now();
  const own = sql`tenant_id = ${ctx.tenantId}`;
  const results = await commitUnlessLost(ctx, {
    statements: [
      ...keyInForce(ctx),
      ctx.db.run(
        sql`delete from token_secrets where ${own} and number < (select max(ts.number) from token_secrets ts where ts.tenant_id = ${ctx.tenantId})`,
      ),
      ctx.db.run(sql`update token_secrets set valid_until = ${now + OVERLAP_MS} where ${own}`),
      addSecret(ctx, sealed, { onlyFirst: false }),
    ],
    audit: [{ action: "token_secret.rotated", objectId: "token_secret", userId: null, detail: {} }],
  });
  if (results === "lost") throw revokedMeanwhile();
  ctx.caches.credentials.clear();
  return { rotatedAt: toIso(now), formerValidUntil: toIso(now + OVERLAP_MS) };
}
