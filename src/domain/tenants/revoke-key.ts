import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { commit } from "#domain/audit";

/** Ends a key for good; revoking twice changes nothing. Other isolates refuse it when their cache expires, within seconds. */
export async function revokeKey(ctx: Ctx<"db" | "now" | "newId" | "caches">, id: string): Promise<void> {
  requirePermission(ctx.actor, "admin");
  const now = ctx.now();
  const [, found] = await commit(ctx, {
    statements: [
      ctx.db.run(sql`
        update keys set revoked_at = ${now} where tenant_id = ${ctx.tenantId} and public_id = ${id} and revoked_at is null`),
      ctx.db.run(sql`select id from keys where tenant_id = ${ctx.tenantId} and public_id = ${id}`),
    ],
    audit: [
      {
        action: "key.revoked",
        objectId: id,
        userId: null,
        detail: {},
        when: sql`exists (select 1 from keys where tenant_id = ${ctx.tenantId} and public_id = ${id} and revoked_at = ${now})`,
      },
    ],
  });
  if (found?.rows.length === 0) throw notFound("key");
  ctx.caches.credentials.clear();
}
