import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, breaksRule } from "#core/errors";
import { toMillis } from "#core/fields";
import { newKey, sha256 } from "#core/ids";
import { requirePermission } from "#core/permission";
import { refuseSecrets } from "#core/safety/refuse-secrets";
import { readRows, type Statement, select } from "#db/client";
import { failUnless } from "#db/guard";
import { row } from "#db/row";
import { KEY } from "#db/schema/tenants";
import { commitUnlessLost } from "#domain/audit";
import { ensureUsers, userIdOf } from "./acting-user.ts";
import type { KeyInput, NewKeyView } from "./schemas.ts";
import { KEY_ROW, toKey } from "./view.ts";

/**
 * Creates a key: a server key, or one bound to the user that the input names, who is created if new. It has no more permissions, and lasts
 * no longer, than the key of the caller. The key is in this answer and nowhere else.
 * @throws forbidden for a permission that the caller's key does not have, or a later expiry than its own.
 * @throws unprocessable for a personal key with `admin`, an expiry in the past, and a name that holds a secret.
 * @throws unauthenticated if the caller's key has just been revoked.
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
  const stored = select(KEY_ROW)`from keys k where k.tenant_id = ${ctx.tenantId} and k.public_id = ${id}`;
  const results = await commitUnlessLost(ctx, {
    statements: [
      ...keyInForce(ctx),
      ...ensureUsers(ctx, user === null ? [] : [user]),
      ctx.db.run(sql`
          insert into keys ${KEY.insert({
            ...{ publicId: id, tenantId: ctx.tenantId, hash: await sha256(key), prefix, name: input.name, permissions },
            ...{ defaultUserId: 0, userId: userIdOf(ctx.tenantId, user), expiresAt, createdAt: ctx.now() },
          })}`),
      stored,
    ],
    audit: [{ action: "key.issued", objectId: id, userId: userIdOf(ctx.tenantId, user), detail: { permissions } }],
  });
  if (results === "lost") throw revokedMeanwhile();
  const [made] = results.rows(stored);
  if (made === undefined) throw new AppError("internal", "The key was not stored.");
  return { ...toKey(made), key };
}

const END = row(KEY.of(sql`k`, "expiresAt"));

type Wish = { permissions: readonly ("read" | "write" | "admin")[]; expiresAt: number | null };

/** A key's permissions and expiry never change, so what is read here stays true. */
async function requireNoStronger(ctx: Ctx<"db">, wish: Wish): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "key") return;
  const more = wish.permissions.find((permission) => !actor.permissions.includes(permission));
  if (more !== undefined)
    throw mayNotGive("permissions", `This key lacks the permission "${more}", so that it cannot make a key that has it.`);
  const [maker] = await readRows(ctx, select(END)`from keys k where k.tenant_id = ${ctx.tenantId} and k.id = ${actor.keyId}`);
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

/**
 * Fails the batch if the caller's key was revoked. Isolates cache keys for seconds. Within that time a revoked key may still read and
 * write, but not create a key or revoke another.
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

/** The error for a key that has just been revoked. */
export function revokedMeanwhile(): AppError {
  return new AppError("unauthenticated", "This key was revoked.");
}
