import { type SQL, sql } from "drizzle-orm";
import type { Caller, Ctx } from "#context";
import { AppError } from "#core/errors";
import type { Statement } from "#db/client";

/** The user for whom a caller acts: the key's own, known by id, or one that the request names. */
export type UserRef = { id: number } | { externalId: string };

/** A key that names nobody acts for its own default user, so that the simplest caller has one pool with no set-up. */
export function actingUser(caller: Caller, externalId: string | undefined): UserRef {
  if (externalId !== undefined) return { externalId };
  if (caller.actor.kind === "key") return { id: caller.actor.defaultUserId };
  throw new AppError("internal", "Only a key can act without naming a user.");
}

/** The user's internal id as an expression; null when there is no such user in the tenant. */
export function userIdOf(tenantId: number, user: UserRef): SQL {
  return "id" in user
    ? sql`${user.id}`
    : sql`(select id from users where tenant_id = ${tenantId} and external_id = ${user.externalId})`;
}

/** Statements that make the user and its space unless they are there. Whoever comes second changes nothing. */
export function ensureUser(ctx: Ctx<"db" | "now" | "newId">, user: UserRef): Statement[] {
  if ("id" in user) return [];
  const spaceId = ctx.newId("space");
  const absent = sql`not exists (select 1 from users where tenant_id = ${ctx.tenantId} and external_id = ${user.externalId})`;
  return [
    ctx.db.run(sql`insert into spaces (public_id, tenant_id, kind) select ${spaceId}, ${ctx.tenantId}, 'user' where ${absent}`),
    ctx.db.run(sql`
      insert into users (public_id, tenant_id, external_id, space_id, created_at)
      select ${ctx.newId("user")}, ${ctx.tenantId}, ${user.externalId}, id, ${ctx.now()} from spaces where public_id = ${spaceId}`),
  ];
}
