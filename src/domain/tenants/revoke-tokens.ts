import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import { requirePermission } from "#core/permission";
import type { Statement } from "#db/client";
import { TENANT, USER } from "#db/schema/tenants";
import { commitUnlessLost } from "#domain/audit";
import { actingUser, ensureUsers, type NamedUser, userIdOf } from "./acting-user.ts";
import { requireKey } from "./create-token.ts";
import { keyInForce, revokedMeanwhile } from "./issue-key.ts";
import type { RevokedTokensView, RevokeTokensInput } from "./schemas.ts";

/**
 * Refuses from now on the tokens that were issued before, whoever issued them: those of one user, who is made if new (an identity provider's
 * user may be unknown), or with `everybody` those of all. Other isolates refuse them when their caches expire, within seconds.
 * @throws invalid_input for a server key that names nobody.
 * @throws forbidden for `everybody` without the permission `admin`, another user than a personal key's own, or a caller that is no key.
 * @throws unauthenticated if the caller's key has just been revoked.
 */
export async function revokeTokens(
  ctx: Ctx<"db" | "now" | "newId" | "caches">,
  input: RevokeTokensInput,
): Promise<RevokedTokensView> {
  requirePermission(requireKey(ctx.actor), "write");
  if (input.everybody === true) requirePermission(ctx.actor, "admin");
  const user = input.everybody === true ? null : actingUser(ctx, input.userId);
  const now = ctx.now();
  const results = await commitUnlessLost(ctx, {
    statements: [...keyInForce(ctx), ...(user === null ? forTenant(ctx, now) : forUser(ctx, user, now))],
    audit: [
      {
        action: "tokens.revoked",
        objectId: objectOf(ctx, user),
        userId: userIdOf(ctx.tenantId, user),
        detail: { everybody: user === null },
      },
    ],
  });
  if (results === "lost") throw revokedMeanwhile();
  ctx.caches.credentials.clear();
  return { userId: user?.externalId ?? null, issuedBefore: toIso(now) };
}

/** Never earlier than before: two isolates' clocks may differ. */
const later = (now: number): SQL<number> => sql`max(coalesce(tokens_revoked_at, 0), ${now})`;

function forUser(ctx: Ctx<"db" | "now" | "newId">, user: NamedUser, now: number): Statement[] {
  const revoked = USER.set({ tokensRevokedAt: later(now) });
  return [
    ...ensureUsers(ctx, [user]),
    ctx.db.run(sql`update users set ${revoked} where tenant_id = ${ctx.tenantId} and external_id = ${user.externalId}`),
  ];
}

function forTenant(ctx: Ctx<"db">, now: number): Statement[] {
  return [ctx.db.run(sql`update tenants set ${TENANT.set({ tokensRevokedAt: later(now) })} where id = ${ctx.tenantId}`)];
}

function objectOf(ctx: Ctx, user: NamedUser | null): string | SQL {
  return user === null ? "tokens" : sql`(select public_id from users where id = ${userIdOf(ctx.tenantId, user)})`;
}
