import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { users } from "#db/schema/tenants";
import { commit } from "#domain/audit";
import type { UserInput, UserView } from "./schemas.ts";
import { ensureUsers, userIdOf } from "./user-ref.ts";
import { toUser } from "./view.ts";

/** Makes the user, or changes what the input names. */
export async function saveUser(ctx: Ctx<"db" | "now" | "newId">, externalId: string, input: UserInput): Promise<UserView> {
  requirePermission(ctx.actor, "write");
  const user = { externalId };
  await commit(ctx, {
    statements: [
      ...ensureUsers(ctx, [user]),
      ...(input.name === undefined
        ? []
        : [
            ctx.db.run(
              sql`update users set name = ${input.name} where tenant_id = ${ctx.tenantId} and external_id = ${externalId}`,
            ),
          ]),
    ],
    audit: [
      {
        action: "user.saved",
        objectId: sql`(select public_id from users where tenant_id = ${ctx.tenantId} and external_id = ${externalId})`,
        userId: userIdOf(ctx.tenantId, user),
        detail: { names: Object.keys(input) },
      },
    ],
  });
  return await loadUser(ctx, externalId);
}

export async function getUser(ctx: Ctx<"db">, externalId: string): Promise<UserView> {
  requirePermission(ctx.actor, "read");
  return await loadUser(ctx, externalId);
}

async function loadUser(ctx: Ctx<"db">, externalId: string): Promise<UserView> {
  const [row] = await ctx.db
    .select()
    .from(users)
    .where(and(eq(users.tenantId, ctx.tenantId), eq(users.externalId, externalId)));
  if (row === undefined) throw notFound("user");
  return toUser(row);
}
