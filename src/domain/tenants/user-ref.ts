import { type SQL, sql } from "drizzle-orm";
import type { Caller, Ctx } from "#context";
import { AppError } from "#core/errors";
import { nameKey } from "#core/text/name-key";
import type { Statement } from "#db/client";
import { rowsInParts } from "#db/rows";

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

/** Whether the row `u` of `users` is the user: found by one look into an index, where comparing with `userIdOf` takes two. */
export function isUser(tenantId: number, user: UserRef, u: SQL): SQL {
  return "id" in user
    ? sql`${u}.tenant_id = ${tenantId} and ${u}.id = ${user.id}`
    : sql`${u}.tenant_id = ${tenantId} and ${u}.external_id = ${user.externalId}`;
}

/**
 * Statements that make the users, their spaces and their own persons unless they are there, four for any number. Whoever comes
 * second changes nothing.
 */
export function ensureUsers(ctx: Ctx<"db" | "now" | "newId">, users: readonly UserRef[]): Statement[] {
  const names = new Set(users.flatMap((user) => ("id" in user ? [] : [user.externalId])));
  const parts = rowsInParts(
    [...names].map((name) => [name, ctx.newId("space"), ctx.newId("user"), ctx.newId("person"), nameKey(name)]),
  );
  return parts.flatMap((part) => [
    ctx.db.run(sql`
      insert into spaces (public_id, tenant_id, kind) select j.c1, ${ctx.tenantId}, 'user' from ${part} j
      where not exists (select 1 from users u where u.tenant_id = ${ctx.tenantId} and u.external_id = j.c0)`),
    ctx.db.run(sql`
      insert into users (public_id, tenant_id, external_id, space_id, created_at)
      select j.c2, ${ctx.tenantId}, j.c0, sp.id, ${ctx.now()} from ${part} j cross join spaces sp on sp.public_id = j.c1`),
    ctx.db.run(sql`
      insert into persons (public_id, tenant_id, user_id, name, aliases, created_by, created_at, updated_at)
      select j.c3, ${ctx.tenantId}, u.id, j.c0, '[]', u.id, ${ctx.now()}, ${ctx.now()}
      from ${part} j cross join users u on u.tenant_id = ${ctx.tenantId} and u.external_id = j.c0 and u.public_id = j.c2`),
    ctx.db.run(sql`
      insert into person_names (tenant_id, name_key, person_id) select ${ctx.tenantId}, j.c4, p.id
      from ${part} j cross join persons p on p.public_id = j.c3 where j.c4 <> ''`),
  ]);
}
