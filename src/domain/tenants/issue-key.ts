import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule } from "#core/errors";
import { toMillis } from "#core/fields";
import { newKey, sha256 } from "#core/key";
import { requirePermission } from "#core/permission";
import { refuseSecrets } from "#core/safety/refuse-secrets";
import { isLostRace } from "#db/guard";
import { keys } from "#db/schema/tenants";
import { commit } from "#domain/audit";
import { keyInForce, revokedMeanwhile } from "./key-in-force.ts";
import type { KeyInput, NewKeyView } from "./schemas.ts";
import { ensureUsers, userIdOf } from "./user-ref.ts";
import { keyColumns, toKey } from "./view.ts";

/**
 * Makes a key: a server key, or one bound to the user that the input names, who is made if new. It may do no more, and last no longer,
 * than the key that asks. The key is in this answer and nowhere else.
 *
 * @throws forbidden for a permission that the asking key has not, or a later end than its own.
 * @throws unprocessable for a personal key with `admin`.
 */
export async function issueKey(ctx: Ctx<"db" | "now" | "newId">, input: KeyInput): Promise<NewKeyView> {
  requirePermission(ctx.actor, "admin");
  const expiresAt = input.expiresAt === undefined ? null : toMillis(input.expiresAt);
  refuseSecrets({ name: input.name });
  if (expiresAt !== null && expiresAt <= ctx.now()) throw breaksRule("expiresAt", "This time has passed.");
  if (input.userId !== undefined && input.permissions.includes("admin"))
    throw breaksRule("permissions", "A key bound to one user has no admin, which is about the whole tenant.");
  await requireNoStronger(ctx, { permissions: input.permissions, expiresAt });
  const { key, prefix } = newKey();
  const id = ctx.newId("key");
  const user = input.userId === undefined ? null : { externalId: input.userId };
  const permissions = [...new Set(input.permissions)];
  try {
    await commit(ctx, {
      statements: [
        ...keyInForce(ctx),
        ...ensureUsers(ctx, user === null ? [] : [user]),
        ctx.db.run(sql`
          insert into keys (public_id, tenant_id, hash, prefix, name, permissions, default_user_id, user_id, expires_at, created_at)
          values (${id}, ${ctx.tenantId}, ${await sha256(key)}, ${prefix}, ${input.name}, ${JSON.stringify(permissions)}, 0,
            ${userIdOf(ctx.tenantId, user)}, ${expiresAt}, ${ctx.now()})`),
      ],
      audit: [{ action: "key.issued", objectId: id, userId: userIdOf(ctx.tenantId, user), detail: { permissions } }],
    });
  } catch (error) {
    if (isLostRace(error)) throw revokedMeanwhile();
    throw error;
  }
  const [row] = await ctx.db
    .select(keyColumns)
    .from(keys)
    .where(and(eq(keys.tenantId, ctx.tenantId), eq(keys.publicId, id)));
  if (row === undefined) throw new AppError("internal", "The key was not stored.");
  return { ...toKey(row), key };
}

type Wish = { permissions: readonly ("read" | "write" | "admin")[]; expiresAt: number | null };

/** A key's permissions and its end never change, so that what is read here holds. */
async function requireNoStronger(ctx: Ctx<"db">, wish: Wish): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "key") return;
  const more = wish.permissions.find((permission) => !actor.permissions.includes(permission));
  if (more !== undefined)
    throw mayNotGive("permissions", `This key lacks the permission "${more}", so that it cannot make a key that has it.`);
  const [maker] = await ctx.db
    .select({ expiresAt: keys.expiresAt })
    .from(keys)
    .where(and(eq(keys.tenantId, ctx.tenantId), eq(keys.id, actor.keyId)));
  const end = maker?.expiresAt ?? null;
  if (end !== null && (wish.expiresAt === null || wish.expiresAt > end))
    throw mayNotGive(
      "expiresAt",
      `This key ends at ${new Date(end).toISOString()}, so that it cannot make one that lasts longer. Name an expiresAt until then.`,
    );
}

function mayNotGive(path: string, message: string): AppError {
  return new AppError("forbidden", message, { fields: [{ path, message }] });
}
