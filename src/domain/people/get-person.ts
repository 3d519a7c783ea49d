import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { runBatch } from "#domain/audit";
import { actingUser, userIdOf } from "#domain/tenants";
import { asPerson, findPerson, requirePerson } from "./find-person.ts";
import type { PersonView } from "./schemas.ts";
import { toPerson } from "./view.ts";

/** A person of the tenant, whoever made it: anyone may be referred to. */
export async function getPerson(ctx: Ctx<"db">, personId: string, input: { userId?: string | undefined }): Promise<PersonView> {
  requirePermission(ctx.actor, "read");
  return toPerson(await requirePerson(ctx, { personId, user: actingUser(ctx, input.userId) }));
}

/** The user's own person. 404 for a user who is not known. */
export async function getOwnPerson(ctx: Ctx<"db">, input: { userId?: string | undefined }): Promise<PersonView> {
  requirePermission(ctx.actor, "read");
  const user = actingUser(ctx, input.userId);
  const [found] = await runBatch(ctx, [findPerson(ctx, sql`p.user_id = ${userIdOf(ctx.tenantId, user)}`, user)]);
  const person = asPerson(found);
  if (person === undefined) throw notFound("user");
  return toPerson(person);
}
