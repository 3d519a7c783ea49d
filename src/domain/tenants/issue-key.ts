import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule } from "#core/errors";
import { toMillis } from "#core/fields";
import { newKey, sha256 } from "#core/key";
import { requirePermission } from "#core/permission";
import { keys } from "#db/schema/tenants";
import { commit } from "#domain/audit";
import type { KeyInput, NewKeyView } from "./schemas.ts";
import { ensureUsers } from "./user-ref.ts";
import { toKey } from "./view.ts";

/** Makes a key with a default user of its own. The key is in this answer and nowhere else. */
export async function issueKey(ctx: Ctx<"db" | "now" | "newId">, input: KeyInput): Promise<NewKeyView> {
  requirePermission(ctx.actor, "admin");
  const expiresAt = input.expiresAt === undefined ? null : toMillis(input.expiresAt);
  if (expiresAt !== null && expiresAt <= ctx.now()) throw breaksRule("expiresAt", "This time has passed.");
  const { key, prefix } = newKey();
  const id = ctx.newId("key");
  const defaultUser = { externalId: `key:${id}` };
  await commit(ctx, {
    statements: [
      ...ensureUsers(ctx, [defaultUser]),
      ctx.db.run(sql`
        insert into keys (public_id, tenant_id, hash, prefix, name, permissions, default_user_id, expires_at, created_at)
        select ${id}, ${ctx.tenantId}, ${await sha256(key)}, ${prefix}, ${input.name}, ${JSON.stringify([...new Set(input.permissions)])},
          id, ${expiresAt}, ${ctx.now()}
        from users where tenant_id = ${ctx.tenantId} and external_id = ${defaultUser.externalId}`),
    ],
    audit: [{ action: "key.issued", objectId: id, userId: null, detail: { permissions: input.permissions } }],
  });
  const [row] = await ctx.db
    .select()
    .from(keys)
    .where(and(eq(keys.tenantId, ctx.tenantId), eq(keys.publicId, id)));
  if (row === undefined) throw new AppError("internal", "The key was not stored.");
  return { ...toKey(row), key };
}
