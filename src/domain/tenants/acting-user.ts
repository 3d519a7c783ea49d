import { type SQL, sql } from "drizzle-orm";
import type { Caller, Ctx } from "#context";
import { AppError } from "#core/errors";
import { credentialOf } from "#core/permission";
import { nameKey } from "#core/text/normalize";
import type { Statement } from "#db/client";
import { rowsInParts } from "#db/rows";

/** A user by the app's id. */
export type NamedUser = { externalId: string };

/** A user that a request names, or whose row is known. */
export type UserRef = { id: number } | NamedUser;

/** The one user for whom the caller may act, by the app's id; null if they may act for any. */
export function boundUserOf({ actor }: Caller): string | null {
  return "boundUser" in actor ? actor.boundUser : null;
}

/**
 * The user for whom a caller acts: the one that the request names, or the one to whom the caller is bound. Every verb about a user calls
 * this.
 * @throws invalid_input if nobody is named and the caller is bound to nobody: all users would share one memory.
 * @throws forbidden if a bound caller names somebody else.
 */
export function actingUser(caller: Caller, named: string | undefined): NamedUser {
  refuseOtherUsers(caller, [named]);
  const externalId = named ?? boundUserOf(caller);
  if (externalId !== null) return { externalId };
  if (caller.actor.kind !== "key") throw new AppError("internal", "Only a key can act without naming a user.");
  throw userNotNamed();
}

/**
 * Refuses every name except the bound user's, for fields that name further users.
 * @throws forbidden
 */
export function refuseOtherUsers(caller: Caller, named: readonly (string | undefined)[]): void {
  const bound = boundUserOf(caller);
  if (bound === null || named.every((externalId) => externalId === undefined || externalId === bound)) return;
  throw new AppError(
    "forbidden",
    `This ${credentialOf(caller.actor)} is bound to one user and may name no other. Leave the user out, or use a server key, which acts for any user.`,
  );
}

/** For a call about a user that names none, with a key that may act for any. `path` is the field that should name them. */
export function userNotNamed(path = "userId"): AppError {
  const message = `Name the user: \`${path}\`. This key acts for every user of its tenant; a key bound to one user (POST /v1/keys with \`userId\`) needs to name nobody.`;
  return new AppError("invalid_input", message, { fields: [{ path, message: "Name the user for whom the request acts." }] });
}

/** The user's internal id as an expression; null when there is no such user in the tenant, or none at all. */
export function userIdOf(tenantId: number, user: UserRef | null): SQL {
  if (user === null) return sql`null`;
  return "id" in user
    ? sql`${user.id}`
    : sql`(select id from users where tenant_id = ${tenantId} and external_id = ${user.externalId})`;
}

/** Whether the row `u` of `users` is the user: one index lookup, where comparing with `userIdOf` takes two. No row means nobody. */
export function isUser(tenantId: number, user: UserRef | null, u: SQL): SQL {
  if (user === null) return sql`${u}.id = 0`;
  return "id" in user
    ? sql`${u}.tenant_id = ${tenantId} and ${u}.id = ${user.id}`
    : sql`${u}.tenant_id = ${tenantId} and ${u}.external_id = ${user.externalId}`;
}

/**
 * Statements that create the users, their spaces and their own persons if they are missing: four for any number. Idempotent under
 * concurrency.
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
