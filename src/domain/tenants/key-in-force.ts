import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";

/**
 * Fails the batch if the asking key was revoked. Isolates cache keys for seconds, and within that time a revoked key may still do
 * what ends with the cache, but not make a key that stays or revoke another.
 */
export function keyInForce(ctx: Ctx<"db">): Statement[] {
  const { actor } = ctx;
  if (actor.kind !== "key") return [];
  return [
    failUnless(
      ctx.db,
      sql`exists (select 1 from keys k where k.id = ${actor.keyId} and k.tenant_id = ${ctx.tenantId} and k.revoked_at is null)`,
    ),
  ];
}

/** What a key is answered that was revoked a moment ago. */
export function revokedMeanwhile(): AppError {
  return new AppError("unauthenticated", "This key was revoked.");
}
