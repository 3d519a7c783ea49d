import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { conflict, notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { readRows, select } from "#db/client";
import { failUnless } from "#db/guard";
import { flag, row } from "#db/row";
import { KEY } from "#db/schema/tenants";
import { commitUnlessLost } from "#domain/audit";
import { keyInForce, revokedMeanwhile } from "./issue-key.ts";

const ID = row(KEY.of(sql`k`, "id"));

/**
 * Revokes a key for good; idempotent. Other isolates refuse it when their cache expires, within seconds.
 * @throws not_found
 * @throws unauthenticated if the caller's key has just been revoked.
 * @throws conflict for the last key that can create others: the tenant would lose access.
 */
export async function revokeKey(ctx: Ctx<"db" | "now" | "newId" | "caches">, id: string): Promise<void> {
  requirePermission(ctx.actor, "admin");
  const now = ctx.now();
  const found = select(ID)`from keys k where k.tenant_id = ${ctx.tenantId} and k.public_id = ${id}`;
  const results = await commitUnlessLost(ctx, {
    statements: [
      ...keyInForce(ctx),
      failUnless(ctx.db, leavesAnAdmin(ctx, id)),
      ctx.db.run(sql`
          update keys set ${KEY.set({ revokedAt: now })} where tenant_id = ${ctx.tenantId} and public_id = ${id} and revoked_at is null`),
      found,
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
  if (results === "lost") throw await whyNot(ctx, id);
  if (results.rows(found).length === 0) throw notFound("key");
  ctx.caches.credentials.clear();
}

/** Keys in force that have `admin`. An expired key is not in force; a key that will expire is, until then. */
function isLiveAdmin(k: SQL, now: number): SQL {
  return sql`(${k}.revoked_at is null and (${k}.expires_at is null or ${k}.expires_at > ${now}) and ${k}.user_id is null
    and exists (select 1 from json_each(${k}.permissions) pe where pe.value = 'admin'))`;
}

/**
 * Whether the tenant has another admin key in force. For a key that never expires, another that never expires: a key that expires cannot
 * create one that lasts longer.
 */
function leavesAnAdmin(ctx: Ctx<"now">, id: string): SQL {
  const now = ctx.now();
  return sql`not exists (
    select 1 from keys t where t.tenant_id = ${ctx.tenantId} and t.public_id = ${id} and ${isLiveAdmin(sql`t`, now)}
      and not exists (
        select 1 from keys o where o.tenant_id = t.tenant_id and o.id <> t.id and ${isLiveAdmin(sql`o`, now)}
          and (t.expires_at is not null or o.expires_at is null)))`;
}

async function whyNot(ctx: Ctx<"db" | "now">, id: string): Promise<Error> {
  const ALLOWED = row({ allowed: flag(leavesAnAdmin(ctx, id)) });
  const [found] = await readRows(ctx, select(ALLOWED)``);
  if (found?.allowed) return revokedMeanwhile();
  return conflict(
    "This is the last key with the permission admin that stays in force, and nobody could make another. Make one first: POST /v1/keys.",
  );
}
